import { readFileSync } from "node:fs";
import test from "ava";
import { version } from "../../../src/cli/version.ts";

test("the version that the command tells is the package's", (t) => {
	t.is(version, (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version);
});
