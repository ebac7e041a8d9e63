// Checks every import against .dependency-cruiser.mjs. Also fails when files were not looked at: a cruiser that cannot parse
// TypeScript finds no fault in anything.
import { cruise } from "dependency-cruiser";
import extractTsConfig from "dependency-cruiser/config-utl/extract-ts-config";
import rules from "../.dependency-cruiser.mjs";
import { filesBelow, root, sourceFolders } from "./lib/project.mjs";

process.chdir(root); // the cruiser names files relative to the working directory
const folders = sourceFolders.filter((folder) => filesBelow(folder, ".ts").length > 0);
const files = folders.flatMap((folder) => filesBelow(folder, ".ts"));
const { modules, summary } = await look();

const cruised = new Set(modules.map((module) => module.source));
const imports = modules.reduce((sum, module) => sum + module.dependencies.length, 0);
const overlooked = files.filter((file) => !cruised.has(file));
const faults = summary.violations.map(describe);
if (files.length === 0 || imports === 0) faults.push("no import was looked at");
for (const file of overlooked) faults.push(`${file}: was not looked at`);

for (const fault of faults) console.log(fault);
console.log(`${faults.length} faults in ${imports} imports of ${files.length} files`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function look() {
	if (files.length === 0) return { modules: [], summary: { violations: [] } };
	const { options, ...ruleSet } = rules;
	const { output } = await cruise(folders, { ...options, ruleSet, validate: true }, undefined, {
		tsConfig: extractTsConfig(options.tsConfig.fileName),
	});
	return output;
}

function describe({ from, to, rule, cycle, via }) {
	const path = (cycle ?? via ?? []).map((step) => step.name);
	const comment = rules.forbidden.find(({ name }) => name === rule.name)?.comment ?? "";
	return `${from} → ${path.length > 0 ? path.join(" → ") : to}: ${comment} (${rule.name})`;
}
