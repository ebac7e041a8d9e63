import { IronstrapError } from "../errors.ts";

/**
 * Explains why mmdebstrap failed, from what it wrote.
 *
 * @param title what was being built: `the image ironic`
 */
export function mmdebstrapFailed(
	title: string,
	suite: string,
	stderr: string,
	folder: string,
): IronstrapError {
	const message = `building ${title} from ${suite} packages failed`;
	const seen = lastLines(stderr);
	if (/No space left on device|ENOSPC/.test(stderr)) return diskFull(folder, seen);
	const missing = /Unable to locate package (\S+)|Package '?([^' ]+)'? has no installation candidate/.exec(
		stderr,
	);
	if (missing !== null)
		return new IronstrapError({
			code: "package-missing",
			message: `${message}: ${suite} has no package ${missing[1] ?? missing[2]}`,
			seen,
			fix: "use a mirror that carries the whole release (component main): --mirror URL",
		});
	const fetched = /Failed to fetch (\S+) {2}(.*)/.exec(stderr);
	if (fetched !== null)
		return new IronstrapError({
			code: "mirror-unreachable",
			message: `${message}: ${fetched[1]} cannot be downloaded`,
			seen: fetched[2],
			fix: "run it again; if it stays, give another mirror with --mirror URL, or check apt's proxy settings (apt-config dump Acquire)",
		});
	return new IronstrapError({
		code: "packages-build-failed",
		message,
		seen,
		fix: "look at the last lines above; a second run starts from the beginning and is safe",
	});
}

/** A program that builds need is not installed here. */
export function toolMissing(program: string, debianPackage: string): IronstrapError {
	return new IronstrapError({
		code: "tool-missing",
		message: `${program} is not installed on this machine`,
		fix: `apt-get install ${debianPackage}`,
	});
}

/** There is too little room for a build. */
export function diskFull(folder: string, seen: string): IronstrapError {
	return new IronstrapError({
		code: "disk-full",
		message: `there is not enough free space in ${folder}`,
		seen,
		fix: "make room there, e.g. by removing images that were built before, or choose another place with --cache-dir",
	});
}

const lastLines = (text: string): string =>
	text
		.split("\n")
		.filter((line) => line.trim() !== "" && !line.startsWith("I: "))
		.slice(-12)
		.join("\n");
