/** Kept equal to package.json by test/unit/cli/version.test.ts: a single executable has no package.json to read. */
export const version = "0.1.0";
