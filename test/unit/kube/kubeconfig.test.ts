import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { readKubeconfig } from "../../../src/kube/kubeconfig.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

function config(user: object, cluster: object = {}): object {
	return {
		"current-context": "a",
		contexts: [{ name: "a", context: { cluster: "c", user: "u" } }],
		clusters: [{ name: "c", cluster: { server: "https://192.0.2.1:6443/", ...cluster } }],
		users: [{ name: "u", user }],
	};
}

async function read(
	t: ExecutionContext,
	content: object | string,
	files: Record<string, string> = {},
	context?: string,
) {
	const folder = await mkdtemp(join(tmpdir(), "kubeconfig-"));
	t.teardown(() => rm(folder, { recursive: true, force: true }));
	const path = join(folder, "config");
	await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
	for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
	return readKubeconfig(path, context);
}

async function refusal(t: ExecutionContext, content: object | string, context?: string): Promise<string> {
	const error = await t.throwsAsync(read(t, content, {}, context), { instanceOf: IronstrapError });
	t.is(error?.code, "kubeconfig-unusable");
	return error?.seen ?? "";
}

test("certificates and keys in the file itself are used, a server's last slash is not", async (t) => {
	const user = { "client-certificate-data": base64("CERT"), "client-key-data": base64("KEY") };
	t.deepEqual(await read(t, config(user, { "certificate-authority-data": base64("CA") })), {
		server: "https://192.0.2.1:6443",
		ca: "CA",
		serverName: undefined,
		clientCertificate: "CERT",
		clientKey: "KEY",
		token: undefined,
	});
});

test("names of files are relative to the kubeconfig; a token's file may end with a newline", async (t) => {
	const found = await read(
		t,
		config({ tokenFile: "token" }, { "certificate-authority": "ca.pem", "tls-server-name": "api" }),
		{ token: "abc\n", "ca.pem": "CA" },
	);
	t.like(found, { token: "abc", ca: "CA", serverName: "api" });
});

test("whatever needs a program, a password, a proxy or trust without a reason is refused", async (t) => {
	t.is(await refusal(t, config({ exec: { command: "aws" } })), "the user logs in by a program (exec)");
	t.is(await refusal(t, config({ "auth-provider": {} })), "the user logs in by an auth-provider");
	t.is(await refusal(t, config({ username: "a", password: "b" })), "the user logs in by a password");
	t.is(await refusal(t, config({}, { "insecure-skip-tls-verify": true })), "insecure-skip-tls-verify is set");
	t.is(await refusal(t, config({}, { "proxy-url": "http://p" })), "proxy-url is set");
});

test("a context that is not there is refused with those that are; broken text without quoting it", async (t) => {
	t.is(await refusal(t, config({}), "b"), "it has no context b");
	t.is(await refusal(t, { contexts: [] }), "it has no current context");
	t.is(await refusal(t, "users: [{token: s3cret"), "it is not YAML");
	const missing = await t.throwsAsync(readKubeconfig("/nowhere/config"), { instanceOf: IronstrapError });
	t.is(missing?.seen, "it cannot be read: ENOENT");
});
