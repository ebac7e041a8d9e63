import { statSync } from "node:fs";
import test from "ava";
import { assetPath, readAsset } from "../../../src/assets/assets.ts";

test("packaged files are found from the compiled program", (t) => {
	t.regex(readAsset("images/ironic/image.yaml"), /^name: ironic$/m);
	t.true(statSync(assetPath("images/common/finish.sh")).isFile());
});

test("a file that is not there is an error, not an empty text", (t) => {
	t.throws(() => readAsset("images/nothing.yaml"), { code: "ENOENT" });
});
