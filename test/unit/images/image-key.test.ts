import test from "ava";
import { readAsset } from "../../../src/assets/assets.ts";
import { loadDefinition } from "../../../src/images/definition.ts";
import { imageKey } from "../../../src/images/image-key.ts";

const definition = loadDefinition("mariadb", readAsset);
const packages = new Map([
	["tini", "0.19.0-3+b8"],
	["libc6", "2.41-12+deb13u5"],
]);
const key = imageKey({ definition, packages, epoch: 1_700_000_000 });

test("the key is a sha256 and does not depend on the order in which packages were found", (t) => {
	t.regex(key, /^[0-9a-f]{64}$/);
	t.is(imageKey({ definition, packages: new Map([...packages].reverse()), epoch: 1_700_000_000 }), key);
});

test("a new version of a package that was only pulled in makes a new image", (t) => {
	const newer = new Map([...packages, ["libc6", "2.41-12+deb13u6"]]);
	t.not(imageKey({ definition, packages: newer, epoch: 1_700_000_000 }), key);
});

test("a changed script, user or date makes a new image", (t) => {
	const script = { ...definition, scripts: [{ name: "finish.sh", text: "#!/bin/sh\n" }] };
	const user = { ...definition, users: [{ name: "mysql", id: 911, home: "/nonexistent" }] };
	t.not(imageKey({ definition: script, packages, epoch: 1_700_000_000 }), key);
	t.not(imageKey({ definition: user, packages, epoch: 1_700_000_000 }), key);
	t.not(imageKey({ definition, packages, epoch: 1_700_000_001 }), key);
});
