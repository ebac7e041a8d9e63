import { spawnSync } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";

function ironstrap(args: readonly string[], input = "") {
	const { status, stderr, stdout } = spawnSync(process.execPath, ["bin/ironstrap.js", ...args], {
		encoding: "utf8",
		input,
		env: { ...process.env, CI: "1" },
	});
	return { status, stderr, stdout };
}

const WRONG =
	"apiVersion: ironic.metal3.io/v1alpha1\nkind: Ironic\nmetadata: {name: metal3}\nspec: {networking: {apiPort: 70000}}\n";

test("lint --sarif prints one document, for faults and for what cannot be read; exit code 2", (t) => {
	const wrong = ironstrap(["lint", "-f", "-", "--sarif"], WRONG);
	t.is(wrong.status, 2);
	const log = JSON.parse(wrong.stdout) as { runs: { results: { ruleId: string }[] }[] };
	t.deepEqual(
		log.runs[0]?.results.map(({ ruleId }) => ruleId),
		["port-out-of-range"],
	);
	const gone = ironstrap(["lint", "-f", "/nonexistent/site", "--sarif", "--json"]);
	t.is(gone.status, 2);
	t.regex(gone.stdout, /"ruleId": "input-unreadable"/);
	const right = ironstrap(["lint", "-f", "-", "--sarif"], WRONG.replace("70000", "6385"));
	t.is(right.status, 0);
});

test("lint --json ends with all errors, each with its place", (t) => {
	const { status, stdout } = ironstrap(["lint", "-f", "-", "--json"], WRONG);
	t.is(status, 2);
	const last = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as {
		type: string;
		errors: { code: string; where: object }[];
	};
	t.is(last.type, "error");
	t.deepEqual(
		last.errors.map(({ code, where }) => [code, where]),
		[["port-out-of-range", { file: "<stdin>", line: 4, column: 30 }]],
	);
});

test("lint --here tells everything that this machine lacks at once", (t) => {
	const site =
		WRONG.replace("apiPort: 70000", "ipAddress: 203.0.113.77") +
		"---\napiVersion: ironstrap.io/v1alpha1\nkind: Bootstrap\nmetadata: {name: metal3}\nspec: {engine: {socket: /nonexistent/engine.sock}}\n";
	const { status, stdout } = ironstrap(["lint", "-f", "-", "--here", "--json"], site);
	t.is(status, 2);
	const last = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { errors: { code: string }[] };
	t.deepEqual(
		last.errors.map(({ code }) => code),
		["provisioning-address-missing", "deploy-ramdisk-missing", "engine-not-found"],
	);
});

test("import prints a table or JSON, and never a password", async (t) => {
	const folder = await mkdtemp(join(tmpdir(), "cli-import-"));
	await writeFile(
		join(folder, "h.csv"),
		"name,mac,bmc,user,password\ncp-0,52:54:00:ab:00:01,ipmi://192.0.2.1,admin,hunter2\n",
	);
	const args = ["import", "csv", join(folder, "h.csv"), "-o", join(folder, "site")];
	const first = ironstrap(args);
	t.is(first.status, 0);
	t.regex(first.stdout, /^WHAT +WHERE +HOST +FIELD +NOTE$/m);
	t.regex(first.stdout, /^1 host written to /m);
	const again = ironstrap([...args, "--json"]);
	t.is(again.status, 2);
	t.regex(again.stdout, /would overwrite/);
	const forced = ironstrap([...args, "--json", "--force"]);
	const result = JSON.parse(forced.stdout.trim()) as { type: string; hosts: number; report: object[] };
	t.is(result.type, "result");
	t.is(result.hosts, 1);
	t.true(result.report.length > 3);
	for (const run of [first, again, forced]) t.notRegex(run.stdout + run.stderr, /hunter2/);
	t.is(ironstrap(["import", "nonsense", "x"]).status, 2);
});
