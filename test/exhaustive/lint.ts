/**
 * Ten thousand damaged manifests, read to the end: `npm run exhaustive -- lint [--json] [--seed N] [--mutants N]`.
 * Counts what crashed and what was refused without a place; the last line with --json is the result.
 */
import { parseArgs } from "node:util";
import fc from "fast-check";
import { changedBytes, changedStructure, misread, SITE_TEXT } from "../support/mutants.ts";
import { listShared, readShared } from "../support/shared.ts";

const { values } = parseArgs({
	options: {
		json: { type: "boolean", default: false },
		seed: { type: "string", default: "20260101" },
		mutants: { type: "string", default: "10000" },
	},
});

const wanted = Number(values.mutants);
const texts = [
	SITE_TEXT,
	...["bmo", "irso", "metal3-docs"].flatMap((folder) =>
		listShared("samples", folder).map((file) => readShared("samples", folder, file)),
	),
];
const found = { mutants: 0, crashes: 0, unlocated: 0 };
const kinds = [changedBytes, changedStructure];
const each = Math.ceil(wanted / (texts.length * kinds.length));
for (const [index, text] of texts.entries())
	for (const [nth, change] of kinds.entries()) {
		const numRuns = Math.min(each, wanted - found.mutants);
		if (numRuns <= 0) break;
		for (const bytes of fc.sample(change(text), { seed: Number(values.seed) + index * 2 + nth, numRuns })) {
			found.mutants++;
			const bad = misread(bytes);
			if (bad === undefined) continue;
			found[bad.kind === "crash" ? "crashes" : "unlocated"]++;
			console.error(`${bad.kind}: ${bad.what}\n${bytes.toString("base64")}`);
		}
	}
const succeeded = found.crashes === 0 && found.unlocated === 0 && found.mutants === wanted;
if (values.json) console.log(JSON.stringify(found));
else
	console.log(
		`${found.mutants} mutants, ${found.crashes} crashes, ${found.unlocated} errors without a place`,
	);
process.exitCode = succeeded ? 0 : 1;
