import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { IronstrapErrors } from "../../../src/lib/errors.ts";
import { lintInputs, loadSite } from "../../../src/site/load.ts";

const IRONIC = `apiVersion: ironic.metal3.io/v1alpha1
kind: Ironic
metadata: {name: metal3}
spec: {apiCredentialsName: api}
---
`;
/** The Secret starts on line 6, its `valueFrom` on line 9. */
const secret = (rest: string) => `${IRONIC}apiVersion: v1
kind: Secret
metadata: {name: api}
${rest}
`;

async function siteWith(text: string, files: Readonly<Record<string, string | Uint8Array>> = {}) {
	const folder = await mkdtemp(join(tmpdir(), "value-from-"));
	await mkdir(join(folder, "site"));
	for (const [name, content] of Object.entries(files)) {
		await writeFile(join(folder, "site", name), content);
		await chmod(join(folder, "site", name), 0o600);
	}
	const file = join(folder, "site", "site.yaml");
	await writeFile(file, text);
	return { folder, file };
}

/** `severity code line:column` of every finding, and the texts of all of them. */
async function judged(
	text: string,
	files: Readonly<Record<string, string | Uint8Array>> = {},
	environment: Readonly<Record<string, string>> = {},
) {
	const { file } = await siteWith(text, files);
	const { findings } = await lintInputs([file], { environment });
	return {
		lines: findings.map(({ code, severity, where }) => `${severity} ${code} ${where?.line}:${where?.column}`),
		text: JSON.stringify(findings),
	};
}

test("values come from files beside the manifest and from variables", async (t) => {
	const { file } = await siteWith(
		secret(
			"stringData: {note: kept}\nvalueFrom:\n  username: {env: API_USER}\n  password: {file: ./api-password}",
		),
		{ "api-password": "pass $word#\n" },
	);
	const { site, warnings } = await loadSite([file], { environment: { API_USER: "admin" } });
	t.deepEqual(site.secrets[0]?.data, { note: "kept", username: "admin", password: "pass $word#\n" });
	t.deepEqual(warnings, []);
});

test("a value that was read stands where its source was written", async (t) => {
	const seen = await judged(
		secret("valueFrom:\n  username: {env: API_USER}\n  password: {file: p}"),
		{ p: "x".repeat(80) },
		{ API_USER: "ad min" },
	);
	t.deepEqual(seen.lines, ["error api-username-invalid 10:3", "error api-password-too-long 11:3"]);
	t.false(seen.text.includes("xxxx") || seen.text.includes("ad min"));
});

test("what cannot be read is said once, with its place, and nothing is called missing after it", async (t) => {
	const both = "valueFrom:\n  username: {env: API_USER}\n  password: {file: nowhere/at-all}";
	t.deepEqual((await judged(secret(both))).lines, [
		"error value-env-missing 10:19",
		"error value-file-unreadable 11:20",
	]);
	t.deepEqual((await judged(secret(both), {}, { API_USER: "" })).lines[0], "error value-env-missing 10:19");
	t.deepEqual(
		(
			await judged(secret("valueFrom: {username: {file: .}, password: {file: bin}}"), {
				bin: Buffer.from([0xff, 0xfe]),
			})
		).lines,
		["error value-file-unreadable 9:30", "error value-file-unreadable 9:51"],
	);
});

test("only a file or a variable, and each key once", async (t) => {
	const cases: readonly (readonly [rest: string, expected: readonly string[]])[] = [
		["valueFrom: secret-text", ["error value-from-invalid 9:12"]],
		["valueFrom: [secret-text]", ["error value-from-invalid 9:1"]],
		["valueFrom: {password: secret-text}", ["error value-from-invalid 9:23"]],
		["valueFrom: {password: {file: p, env: P}}", ["error value-from-invalid 9:13"]],
		["valueFrom: {password: {command: secret-text}}", ["error value-from-invalid 9:13"]],
		["valueFrom: {password: {env: secret-text}}", ["error value-from-invalid 9:13"]],
		[
			"stringData: {password: secret-text}\nvalueFrom: {password: {env: P}}",
			["error value-from-twice 10:13"],
		],
		["data: {password: c2VjcmV0}\nvalueFrom: {password: {env: P}}", ["error value-from-twice 10:13"]],
	];
	for (const [rest, expected] of cases) {
		const seen = await judged(secret(rest), {}, { P: "value" });
		t.deepEqual(seen.lines, expected, rest);
		t.false(seen.text.includes("secret-text"));
	}
});

test("a file that everybody can read is worth a warning", async (t) => {
	const { file, folder } = await siteWith(secret("valueFrom: {username: {env: U}, password: {file: p}}"), {
		p: "hunter2",
	});
	await chmod(join(folder, "site", "p"), 0o644);
	const { warnings } = await loadSite([file], { environment: { U: "admin" } });
	t.deepEqual(
		warnings.map(({ code, severity }) => `${severity} ${code}`),
		["warning value-file-exposed"],
	);
});

test("a Secret of valueFrom is refused as a whole by loadSite, with IronstrapErrors", async (t) => {
	const { file } = await siteWith(secret("valueFrom: {password: {env: NOT_SET}}"));
	const error = await t.throwsAsync(loadSite([file], { environment: {} }), { instanceOf: IronstrapErrors });
	t.deepEqual(
		error?.errors.map(({ code }) => code),
		["value-env-missing"],
	);
});
