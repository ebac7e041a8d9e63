/**
 * Whatever our schemas accept, every release's CRD accepts: `npm run exhaustive -- crd [--json] [--seed N] [--objects N]`.
 */
import { parseArgs } from "node:util";
import { askCrds, CRD_KINDS } from "../support/crd-agreement.ts";

const { values } = parseArgs({
	options: {
		json: { type: "boolean", default: false },
		seed: { type: "string", default: "20260101" },
		objects: { type: "string", default: "2000" },
	},
});

const found = { objects: 0, accepted: 0, refused: 0 };
for (const kind of CRD_KINDS) {
	const numRuns = Number(values.objects);
	const { accepted, complaints } = askCrds(kind, { numRuns, seed: Number(values.seed) });
	found.objects += numRuns;
	found.accepted += accepted;
	found.refused += complaints.length;
	for (const complaint of complaints) console.error(`${kind.kind}: ${complaint}`);
}
if (values.json) console.log(JSON.stringify(found));
else
	console.log(`${found.objects} objects, ${found.accepted} accepted here, ${found.refused} refused by a CRD`);
process.exitCode = found.refused === 0 && found.accepted > 0 ? 0 : 1;
