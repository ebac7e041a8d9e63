/** Where an image keeps the binaries that the stack runs, and as whom; found by probing the image. */
export interface ImageLayout {
	readonly kind: "debian" | "metal3";
	/** uid and gid of the service user in this image. */
	readonly uid: number;
	readonly gid: number;
}
