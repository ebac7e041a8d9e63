/**
 * Two thousand damaged inventories of every format: `npm run exhaustive -- import [--json] [--seed N] [--mutants N]`.
 * Counts crashes, problems without a place, and passwords in a report.
 */
import { parseArgs } from "node:util";
import fc from "fast-check";
import type { FileFormat } from "../../src/site/import/formats.ts";
import { badImport } from "../support/bad-import.ts";
import { INVENTORIES } from "../support/inventories.ts";
import { changedBytes } from "../support/mutants.ts";

const { values } = parseArgs({
	options: {
		json: { type: "boolean", default: false },
		seed: { type: "string", default: "20260101" },
		mutants: { type: "string", default: "10000" },
	},
});

const found = { mutants: 0, crashes: 0, unlocated: 0, leaks: 0 };
const formats = Object.entries(INVENTORIES) as [FileFormat, string][];
for (const [index, [format, text]] of formats.entries())
	for (const bytes of fc.sample(changedBytes(text), {
		seed: Number(values.seed) + index,
		numRuns: Math.ceil(Number(values.mutants) / formats.length),
	})) {
		found.mutants++;
		const bad = badImport(format, bytes);
		if (bad === undefined) continue;
		found[bad.kind === "crash" ? "crashes" : bad.kind === "leak" ? "leaks" : "unlocated"]++;
		console.error(`${format}: ${bad.kind}: ${bad.what}\n${bytes.toString("base64")}`);
	}
if (values.json) console.log(JSON.stringify(found));
else
	console.log(
		`${found.mutants} mutants, ${found.crashes} crashes, ${found.unlocated} problems without a place, ${found.leaks} leaks`,
	);
process.exitCode = found.crashes + found.unlocated + found.leaks === 0 ? 0 : 1;
