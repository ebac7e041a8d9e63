/** Where an image keeps the programs that the stack runs, and as whom. */
export type ImageLayout =
	/** One of ours: everything is where `images/` put it. */
	| { readonly kind: "debian"; readonly uid: number; readonly gid: number }
	/** Somebody else's, as probing it found. */
	| {
			readonly kind: "probed";
			/** uid and gid of the service user in this image. */
			readonly uid: number;
			readonly gid: number;
			/** An init process in the image; the engine's is used where there is none. */
			readonly init?: string | undefined;
			/** Of Ironic or of the database server, e.g. `11.8.9`. */
			readonly version?: string | undefined;
			/** Of an Ironic image; a database image has none. */
			readonly paths?: ImagePaths | undefined;
	  };

/** Where things are in an Ironic image. Sources: knowledge of Debian's packages, and metal3-io/ironic-image. */
export interface ImagePaths {
	/** Ironic's own version, e.g. `29.0.5`; absent where nobody asked. */
	readonly ironicVersion?: string | undefined;
	readonly python: string;
	readonly httpd: string;
	readonly httpdModules: string;
	/** Modules that need no file: Debian builds in what others load. */
	readonly builtInModules: readonly string[];
	readonly mimeTypes: string;
	readonly dnsmasq: string;
	/** Firmware: name on the boot server → places to take it from, the first that exists. */
	readonly firmware: Readonly<Record<string, readonly string[]>>;
	/** Image of an EFI system partition for virtual media. */
	readonly esp: string;
	/** The same for ARM64, where there is one. */
	readonly espAarch64?: string | undefined;
	/** Where that partition's boot loader looks for its configuration. */
	readonly grubConfigPath: string;
	/** BIOS boot of virtual media; absent where the image has no isolinux. */
	readonly isolinux?: { readonly bin: string; readonly ldlinux: string } | undefined;
	readonly httpdUser: { readonly uid: number; readonly gid: number };
	/** Account that dnsmasq changes to after it has opened its sockets. */
	readonly dnsmasqUser: string;
	/** False where dnsmasq carries file capabilities, which `no-new-privileges` takes away. */
	readonly dnsmasqNoNewPrivileges: boolean;
}
