import { writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import test from "ava";
import { startSandbox } from "../../../lab/sandbox.ts";
import { watchForCanaries } from "../../../lab/story/canaries.ts";

const secret = "k7Qz-canary-Vp31";
const stored = "/var/lib/ironstrap/metal3/secrets/a.json";

/** Each leak is one that a person could make; the search must see it. */
const leaks: readonly { readonly what: string; readonly place: RegExp; readonly script: string }[] = [
	{ what: "argument", place: /cmdline of process/, script: `sh -c 'sleep 0.5; : ${secret}'` },
	{ what: "environment", place: /environ of process/, script: `A=${secret} sleep 0.5` },
	{ what: "file", place: /\/var\/lib\/ironstrap\/x$/, script: `echo ${secret} >/var/lib/ironstrap/x` },
	{
		what: "base64 in the middle of a line",
		place: /\/var\/cache\/ironstrap\/x$/,
		script: `printf 'user:${secret}' | base64 >/var/cache/ironstrap/x`,
	},
	{
		what: "a store that others can read",
		place: /a\.json, which others can read$/,
		script: `mkdir -p $(dirname ${stored}); echo ${secret} >${stored}; chmod 644 ${stored}; chmod 755 $(dirname ${stored})`,
	},
];

for (const { place, script, what } of leaks)
	test(`a secret is found: ${what}`, async (t) => {
		const sandbox = await startSandbox();
		t.teardown(() => sandbox.stop());
		const watch = watchForCanaries(sandbox);
		t.teardown(() => watch.stop());
		await sandbox.run("sh", ["-e"], { input: script });
		const { hits } = await watch.search({ secret });
		t.is(hits.length, 1, hits.join("\n"));
		t.regex(hits[0] ?? "", /^secret in /);
		t.regex(hits[0] ?? "", place);
	});

test("a secret in its store is none; one that was printed is", async (t) => {
	const sandbox = await startSandbox();
	t.teardown(() => sandbox.stop());
	const watch = watchForCanaries(sandbox);
	t.teardown(() => watch.stop());
	await sandbox.run("mkdir", ["-p", "-m", "700", "/var/lib/ironstrap/metal3/secrets"]);
	writeFileSync(sandbox.path(stored), secret, { mode: 0o600 });
	await setTimeout(200);
	t.deepEqual((await watch.search({ secret })).hits, []);
	watch.printed("output of up", `{"message":"${secret}"}`);
	t.deepEqual((await watch.search({ secret })).hits, ["secret in output of up"]);
});
