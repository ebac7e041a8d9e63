import type { PackageSource } from "./package-sources.ts";

/** A Debian tree: essential packages and these, with their dependencies, without a package manager. */
export interface DebianTree {
	/** Release, e.g. `trixie`. */
	readonly suite: string;
	readonly packages: readonly string[];
}

/** Where the Debian archive's keys are, on Debian and wherever the package debian-archive-keyring is installed. */
export const debianKeyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

/** Never read in a container or a ramdisk; the copyright files must stay with what they license. */
const excludedPaths = ["doc/*", "man/*", "locale/*", "info/*", "lintian/*", "bash-completion/*"];

/** Arguments that make mmdebstrap list what it would install. */
export function simulateArguments(tree: DebianTree, sources: readonly PackageSource[]): string[] {
	return [...commonArguments(tree), "--simulate", "--verbose", tree.suite, "-", ...sources.map(sourceLine)];
}

/**
 * Arguments that make mmdebstrap build the tree.
 *
 * @param more further options: format, hooks
 */
export function buildArguments(
	tree: DebianTree,
	sources: readonly PackageSource[],
	more: readonly string[],
): string[] {
	return [
		...commonArguments(tree),
		...[
			"--dpkgopt=force-unsafe-io",
			...excludedPaths.map((path) => `--dpkgopt=path-exclude=/usr/share/${path}`),
		],
		"--dpkgopt=path-include=/usr/share/doc/*/copyright",
		...[...more, tree.suite, "-", ...sources.map(sourceLine)],
	];
}

/** Packages and exact versions in the output of a simulation, e.g. `Inst tini (0.19.0-3+b3 Debian:13.8/stable [amd64])`. */
export function parseSimulation(output: string): ReadonlyMap<string, string> {
	const found = [...output.matchAll(/^Inst (\S+) (?:\[[^\]]*\] )?\((\S+) /gm)];
	return new Map(found.map(([, name = "", version = ""]) => [name, version] as const).sort());
}

function commonArguments({ packages }: DebianTree): string[] {
	return [
		...["--mode=root", "--variant=essential", `--include=${packages.join(",")}`],
		'--aptopt=APT::Install-Recommends "false"',
		'--aptopt=Acquire::Retries "3"',
		'--aptopt=Acquire::Languages "none"',
	];
}

/** A snapshot's or an old release's index has passed its date; the signature still is checked. */
function sourceLine({ uri, suite }: PackageSource): string {
	return `deb [signed-by=${debianKeyring} check-valid-until=no] ${uri} ${suite} main`;
}
