import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { IronstrapError, IronstrapErrors } from "../../../src/lib/errors.ts";
import { importFiles, importIronic } from "../../../src/lifecycle/import.ts";
import { lintInputs } from "../../../src/site/load.ts";
import { CA, leafFor } from "../../support/certificate.ts";
import { recordedIronic } from "../ironic/_server.ts";

const CSV =
	"name,mac,bmc,user,password\ncp-0,52:54:00:ab:00:01,redfish-virtualmedia://192.0.2.1,admin,hunter2\n";

async function folderWith(files: Readonly<Record<string, string>>) {
	const folder = await mkdtemp(join(tmpdir(), "import-"));
	for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
	const options = {
		directory: join(folder, "site"),
		namespace: "metal3",
		force: false,
		signal: new AbortController().signal,
	};
	return { folder, options };
}

test("files are written, Secrets for their owner alone; several sources make one site", async (t) => {
	const { folder, options } = await folderWith({
		"a.csv": CSV,
		"b.csv": CSV.replaceAll("cp-0", "cp-1").replace(":01,", ":02,").replace("192.0.2.1", "192.0.2.2"),
	});
	const result = await importFiles("csv", [join(folder, "a.csv"), join(folder, "b.csv")], options);
	t.is(result.hosts, 2);
	t.deepEqual(result.files, [join(folder, "site", "hosts.yaml"), join(folder, "site", "secrets.yaml")]);
	t.is((await stat(join(folder, "site", "secrets.yaml"))).mode & 0o777, 0o600);
	t.is((await stat(join(folder, "site", "hosts.yaml"))).mode & 0o777, 0o644);
	t.notRegex(JSON.stringify(result), /hunter2/);
	t.notRegex(await readFile(join(folder, "site", "hosts.yaml"), "utf8"), /hunter2/);
	const { findings } = await lintInputs([join(folder, "site")]);
	t.deepEqual(
		findings.map(({ code }) => code),
		["ironic-missing"],
	);
	t.deepEqual(
		result.findings.map(({ code, where }) => [code, where?.file]),
		[["ironic-missing", join(folder, "site", "hosts.yaml")]],
	);
});

test("what is there is not overwritten, and nothing is written beside it; --force replaces it", async (t) => {
	const { folder, options } = await folderWith({ "a.csv": CSV });
	await importFiles("csv", [join(folder, "a.csv")], options);
	await writeFile(join(options.directory, "hosts.yaml"), "mine", { mode: 0o644 });
	const error = await t.throwsAsync(importFiles("csv", [join(folder, "a.csv")], options), {
		instanceOf: IronstrapError,
	});
	t.is(error?.code, "usage");
	t.is(await readFile(join(options.directory, "hosts.yaml"), "utf8"), "mine");
	await importFiles("csv", [join(folder, "a.csv")], { ...options, force: true });
	t.regex(await readFile(join(options.directory, "hosts.yaml"), "utf8"), /kind: BareMetalHost/);
	t.deepEqual(await readdir(options.directory), ["hosts.yaml", "secrets.yaml"]);
});

test("a source in which nothing can be read is an error with its place, and no folder is made", async (t) => {
	const { folder, options } = await folderWith({ "a.yaml": "platform: {aws: {}}" });
	const error = await t.throwsAsync(importFiles("install-config", [join(folder, "a.yaml")], options), {
		instanceOf: IronstrapErrors,
	});
	t.deepEqual(
		error?.errors.map(({ code, where }) => [code, where?.line]),
		[["import-nothing", 1]],
	);
	t.deepEqual(await readdir(folder), ["a.yaml"]);
	await t.throwsAsync(importFiles("csv", [join(folder, "gone.csv")], options), {
		instanceOf: IronstrapError,
		message: /does not exist/,
	});
});

const NODE = {
	uuid: "11111111-2222-3333-4444-555555555555",
	name: "cp-0",
	driver: "ipmi",
	boot_interface: "ipxe",
	driver_info: { ipmi_address: "192.0.2.1", ipmi_username: "admin", ipmi_password: "******" },
	instance_info: {},
	properties: {},
	provision_state: "manageable",
	power_state: "power on",
	maintenance: false,
};

test("a running Ironic, with its own CA, a user and a password file; nothing but reading is done", async (t) => {
	const leaf = leafFor([], ["127.0.0.1"], {
		notBefore: new Date(Date.now() - 86_400_000),
		notAfter: new Date(Date.now() + 86_400_000),
	});
	const server = await recordedIronic(
		({ url }) => ({
			body: url.startsWith("/v1/nodes")
				? { nodes: [NODE] }
				: { ports: [{ address: "52:54:00:ab:00:01", node_uuid: NODE.uuid, pxe_enabled: true }] },
		}),
		{ tls: { key: leaf.key, cert: leaf.certificate } },
	);
	t.teardown(server.close);
	const { folder, options } = await folderWith({ password: "hunter2\n", "ca.pem": CA.certificate });
	const source = {
		url: `${server.baseUrl}/v1`,
		username: "ironic",
		passwordFile: join(folder, "password"),
		caFile: join(folder, "ca.pem"),
	};
	const result = await importIronic(source, options);
	t.is(result.hosts, 1);
	t.true(result.findings.some(({ code }) => code === "secret-key-missing"));
	t.true(server.asked.every(({ method }) => method === "GET"));
	t.true(
		server.asked.some(
			({ headers }) => headers.authorization === `Basic ${Buffer.from("ironic:hunter2").toString("base64")}`,
		),
	);
	t.regex(await readFile(join(options.directory, "hosts.yaml"), "utf8"), /address: ipmi:\/\/192\.0\.2\.1/);
});

test("an API address with a password in it is refused without showing it", async (t) => {
	const { options } = await folderWith({});
	for (const url of ["https://admin:hunter2@192.0.2.1", "hunter2", "file:///etc/passwd"]) {
		const error = await t.throwsAsync(importIronic({ url }, options), { instanceOf: IronstrapError });
		t.is(error?.code, "usage");
		t.notRegex(JSON.stringify([error?.message, error?.seen, error?.fix]), /hunter2/);
	}
});
