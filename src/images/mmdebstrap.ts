import type { ImageDefinition } from "./definition.ts";

/**
 * mmdebstrap's options that make a tree an image: its users, its scripts, and a tar on standard output.
 *
 * @param folder where the definition's scripts have been written
 */
export function imageOptions(definition: ImageDefinition, folder: string): readonly string[] {
	const users = definition.users.map(({ name, id, home }) => `${name}:${id}:${home}`);
	const hook = (script: string, ...words: string[]) => [`"${folder}/${script}" "$1"`, ...words].join(" ");
	return [
		"--format=tar",
		// engines make their own /dev; device nodes in a layer cannot be unpacked without privileges
		"--skip=output/dev",
		`--essential-hook=${hook(definition.usersScript.name, ...users)}`,
		...definition.scripts.map(({ name }) => `--customize-hook=${hook(name)}`),
	];
}

/** `1:11.8.9+ds-0+deb13u1` → `11.8.9`: what the image is tagged with. */
export function upstreamVersion(version: string): string {
	return version
		.replace(/^\d+:/, "")
		.replace(/-[^-]*$/, "")
		.replace(/[+~](?:ds|dfsg|repack)[0-9.]*$/, "") // the source without files that Debian does not ship
		.replace(/[^A-Za-z0-9_.-]/g, "_");
}
