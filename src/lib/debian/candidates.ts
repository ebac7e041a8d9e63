import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { writeFileAtomic } from "../atomic-file.ts";
import { runGuarded } from "../guarded-command.ts";
import { type DebianTree, parseSimulation, simulateArguments } from "./bootstrap-arguments.ts";
import { mmdebstrapFailed } from "./failures.ts";
import type { PackageSource } from "./package-sources.ts";

/**
 * Every package that a tree would get from these sources now, with its exact version. Resolving takes seconds, so
 * the answer is kept in the folder for as long as neither the sources nor the question change.
 *
 * @param title what the tree is for, in an error message: `the image ironic`
 */
export async function candidateVersions(
	title: string,
	tree: DebianTree,
	sources: readonly PackageSource[],
	folder: string,
	signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
	const question = simulateArguments(tree, sources);
	const name = createHash("sha256")
		.update(JSON.stringify([question, sources]))
		.digest("hex")
		.slice(0, 16);
	const file = join(folder, `.candidates-${name}.json`);
	const known = await readFile(file, "utf8").catch(() => undefined);
	if (known !== undefined) return new Map(JSON.parse(known) as [string, string][]);
	const child = runGuarded(["mmdebstrap", ...question], { TMPDIR: folder }, signal);
	const [stdout, stderr, succeeded] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		child.succeeded,
	]);
	signal.throwIfAborted();
	const found = parseSimulation(`${stdout}\n${stderr}`);
	if (!succeeded || found.size === 0) throw mmdebstrapFailed(title, tree.suite, stderr, folder);
	await writeFileAtomic(file, JSON.stringify([...found]), { mode: 0o644 });
	await forgetOldAnswers(folder);
	return found;
}

/** The mirror changes several times a day; only answers of the last weeks can be asked for again. */
async function forgetOldAnswers(folder: string): Promise<void> {
	const answers = (await readdir(folder)).filter((name) => /^\.candidates-[0-9a-f]{16}\.json$/.test(name));
	for (const path of answers.map((name) => join(folder, name))) {
		const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0);
		if (age > 30 * 86_400_000) await rm(path, { force: true });
	}
}
