import { filesBelow, sourceFolders } from "./project.mjs";

const node = process.execPath;

/** The parts of `npm run check` besides the unit tests; each fails with a non-zero exit code. */
export const checks = {
	types: { title: "types", argv: [node, "tools/build.mjs"] },
	style: {
		title: "formatting and lint (biome)",
		argv: [node, "node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."],
	},
	typedLint: {
		title: "lint that needs types (eslint)",
		argv: [node, "node_modules/eslint/bin/eslint.js", "--max-warnings", "0", ...lintedFolders()],
	},
	imports: { title: "import rules (dependency-cruiser)", argv: [node, "tools/imports.mjs"] },
};

/** ESLint takes a folder without TypeScript for a mistake, rightly so for the two that cannot be empty. */
function lintedFolders() {
	const needed = ["src", "test"];
	return sourceFolders.filter((folder) => needed.includes(folder) || filesBelow(folder, ".ts").length > 0);
}
