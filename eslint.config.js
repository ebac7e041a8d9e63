import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

const pureFolders = ["resources", "site", "stack", "converge", "fence", "pki"];
const message = "Pure folders get it as an argument: same input, same output.";
const impureGlobals = [
	"setTimeout",
	"setInterval",
	"setImmediate",
	"queueMicrotask",
	"fetch",
	"process",
	"performance",
];
const impureSyntax = [
	"NewExpression[callee.name='Date'][arguments.length=0]",
	"MemberExpression[object.name='Date'][property.name='now']",
	"MemberExpression[object.name='Math'][property.name='random']",
];

/** What Biome cannot see: rules that need types, and the promises of the house that concern globals. */
export default defineConfig(
	{
		files: ["src/**/*.ts", "test/**/*.ts", "lab/**/*.ts", "bench/**/*.ts"],
		extends: [ts.configs.base],
		languageOptions: { parserOptions: { projectService: true } },
		// A rule is changed here, for everybody, or kept: comments cannot turn one off.
		linterOptions: { noInlineConfig: true },
		rules: {
			"no-warning-comments": ["error", { terms: ["todo", "fixme", "xxx", "hack"], location: "start" }],
			"@typescript-eslint/await-thenable": "error",
			"@typescript-eslint/ban-ts-comment": "error",
			"@typescript-eslint/no-explicit-any": "error",
			"@typescript-eslint/no-floating-promises": "error",
			"@typescript-eslint/no-for-in-array": "error",
			"@typescript-eslint/no-misused-promises": "error",
			"@typescript-eslint/no-unnecessary-type-assertion": "error",
			"@typescript-eslint/only-throw-error": "error",
			"@typescript-eslint/prefer-promise-reject-errors": "error",
			"@typescript-eslint/return-await": ["error", "in-try-catch"],
			"@typescript-eslint/switch-exhaustiveness-check": [
				"error",
				{ considerDefaultExhaustiveForUnions: true },
			],
		},
	},
	{
		files: pureFolders.map((folder) => `src/${folder}/**/*.ts`),
		ignores: ["src/site/load.ts"],
		rules: {
			"no-restricted-globals": ["error", ...impureGlobals.map((name) => ({ name, message }))],
			"no-restricted-syntax": ["error", ...impureSyntax.map((selector) => ({ selector, message }))],
		},
	},
	{
		files: ["test/**/*.ts"],
		rules: {
			"no-restricted-syntax": [
				"error",
				{
					selector: "MemberExpression[object.name='test'][property.name='only']",
					message: "test.only hides every other test of its file.",
				},
			],
		},
	},
);
