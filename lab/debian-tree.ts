import { once } from "node:events";
import { createInterface } from "node:readline";
import { buildArguments, type DebianTree } from "../src/lib/debian/bootstrap-arguments.ts";
import { candidateVersions } from "../src/lib/debian/candidates.ts";
import { mmdebstrapFailed } from "../src/lib/debian/failures.ts";
import { findSources, type PackageSource } from "../src/lib/debian/package-sources.ts";
import { runGuarded } from "../src/lib/guarded-command.ts";

/** A tree of packages as an input of a cached artefact: where from, and which versions exactly. */
export interface ResolvedTree extends DebianTree {
	readonly sources: readonly PackageSource[];
	/** Changes whenever a package does; for the cache key. */
	readonly versions: string;
}

/**
 * Asks the mirror of this machine's apt what it has.
 *
 * @param extra packages that are not installed but decide about the content, too
 * @param folder keeps the answers
 */
export async function resolveTree(
	title: string,
	tree: DebianTree,
	extra: readonly string[],
	folder: string,
	signal: AbortSignal,
): Promise<ResolvedTree> {
	const sources = await findSources({ suite: tree.suite, signal });
	const question = { suite: tree.suite, packages: [...tree.packages, ...extra] };
	const found = await candidateVersions(title, question, sources, folder, signal);
	return { ...tree, sources, versions: [...found].map(([name, version]) => `${name} ${version}`).join("\n") };
}

/** Builds the tree in a temporary folder and runs hooks in it (shell text, `$1` is the tree); keeps nothing of it. */
export async function runInTree(
	title: string,
	tree: ResolvedTree,
	hooks: readonly string[],
	folder: string,
	signal: AbortSignal,
): Promise<void> {
	const options = ["--format=null", ...hooks.map((hook) => `--customize-hook=${hook}`)];
	const words = buildArguments(tree, tree.sources, options);
	const child = runGuarded(["mmdebstrap", ...words], { TMPDIR: folder, LC_ALL: "C.UTF-8" }, signal);
	const lines: string[] = [];
	const reader = createInterface({ input: child.stderr }).on("line", (line) => lines.push(line));
	child.stdout.resume();
	await once(reader, "close");
	const succeeded = await child.succeeded;
	signal.throwIfAborted();
	if (!succeeded) throw mmdebstrapFailed(title, tree.suite, lines.join("\n"), folder);
}
