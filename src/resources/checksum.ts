import type { Image } from "./bare-metal-host-parts.ts";

export type ChecksumAlgorithm = "md5" | "sha256" | "sha512";

/** What an image is verified with: a digest, or a file that lists digests. */
export type Checksum =
	| { readonly kind: "digest"; readonly algorithm: ChecksumAlgorithm; readonly value: string }
	| { readonly kind: "url"; readonly url: string; readonly algorithm: ChecksumAlgorithm | undefined };

/** Length in hexadecimal digits; Ironic tells the algorithms apart by it. */
const LENGTH: Readonly<Record<ChecksumAlgorithm, number>> = { md5: 32, sha256: 64, sha512: 128 };

/** BMO asks a checksum of every image except these. */
export function needsChecksum(image: Image): boolean {
	return image.format !== "live-iso" && !/^oci:/i.test(image.url);
}

/**
 * Reads `checksum` and `checksumType` of an image as Ironic will; `undefined` if there is none. Throws a
 * `RangeError` if it is neither a digest nor a URL, or the digest's length belongs to another algorithm.
 */
export function parseChecksum({
	checksum,
	checksumType,
}: Pick<Image, "checksum" | "checksumType">): Checksum | undefined {
	if (checksum === undefined || checksum === "") return undefined;
	const wanted = checksumType === "auto" ? undefined : checksumType;
	if (/^(https?|file):\/\/./i.test(checksum)) return { kind: "url", url: checksum, algorithm: wanted };
	if (!/^[0-9a-f]+$/i.test(checksum))
		throw new RangeError("is neither a hexadecimal digest nor the URL of a checksum file");
	const found = (Object.keys(LENGTH) as ChecksumAlgorithm[]).find((name) => LENGTH[name] === checksum.length);
	if (found === undefined)
		throw new RangeError(`has ${checksum.length} hexadecimal digits; md5 has 32, sha256 64, sha512 128`);
	if (wanted !== undefined && wanted !== found)
		throw new RangeError(`has the length of ${found}, but checksumType is ${wanted}`);
	return { kind: "digest", algorithm: found, value: checksum.toLowerCase() };
}
