import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import test from "ava";
import { type Lab, startLab } from "../../../lab/lab.ts";
import { ironstrap, launcher, type Outcome } from "../../../lab/story/product.ts";
import { openTerminal } from "../../../lab/terminal.ts";
import { loadSite } from "../../../src/site/load.ts";

/* A BMC with two servers joins a site that knows neither. */

let lab: Lab;

const passwordFile = "/run/ironstrap-lab/password";
const folder = "/run/ironstrap-lab/site";

const site = `apiVersion: ironic.metal3.io/v1alpha1
kind: Ironic
metadata: { name: metal3, namespace: lab }
spec:
  networking:
    ipAddress: 172.22.0.1
    dhcp: { networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.100, rangeEnd: 172.22.0.150 }
`;

test.before(async () => {
	lab = await startLab({ podman: false, tls: true, servers: [{ name: "a" }, { name: "b" }] });
	await writeFile(lab.sandbox.path(passwordFile), `${lab.bmc.password}\n`, { mode: 0o600 });
	await mkdir(lab.sandbox.path(folder));
	await writeFile(lab.sandbox.path(`${folder}/ironic.yaml`), site);
});

test.after.always(async () => {
	await lab?.stop();
});

const address = () => lab.bmc.address.replace("https://", "");
const login = ["--username", "admin", "--password-file", passwordFile];
const add = (...args: readonly string[]) => ironstrap(lab.sandbox, ["hosts", "add", ...args, "-f", folder]);
const files = async () => (await readdir(lab.sandbox.path(folder))).toSorted();
const errorOf = ({ exitCode, result }: Outcome) => [
	(result?.errors as readonly { code: string }[] | undefined)?.[0]?.code,
	exitCode,
];

test.serial("of two systems one must be named; without a log-in nothing is asked", async (t) => {
	t.timeout(120_000);
	t.deepEqual(errorOf(await add(address(), ...login)), ["bmc-systems-several", 2]);
	t.deepEqual(errorOf(await add(address())), ["usage", 2]);
	t.deepEqual(errorOf(await add()), ["usage", 2]);
	t.deepEqual(errorOf(await add(address(), ...login, "--name", "No_Name", "--system", "x")), [
		"bmc-system-unknown",
		1,
	]);
	t.deepEqual(await files(), ["ironic.yaml"]);
});

test.serial(
	"a host as the site's servers boot, its Secret for its owner alone, and a site that is right",
	async (t) => {
		t.timeout(120_000);
		const [first] = lab.servers;
		const printed = await add(address(), ...login, "--system", String(first?.uuid), "--print");
		t.regex(String(printed.result?.manifests), /kind: BareMetalHost[\s\S]*kind: Secret/);
		t.deepEqual(await files(), ["ironic.yaml"], "--print writes nothing");

		const { exitCode, result, stderr } = await add(address(), ...login, "--system", String(first?.uuid));
		t.is(exitCode, 0, stderr + JSON.stringify(result));
		t.like(result, { host: "cp-0", namespace: "lab", boot: "network", bootMac: "52:54:00:ab:00:01" });
		t.deepEqual(await files(), ["host-cp-0.yaml", "ironic.yaml", "secret-cp-0-bmc.yaml"]);
		const { mode } = await stat(lab.sandbox.path(`${folder}/secret-cp-0-bmc.yaml`));
		t.is(mode & 0o777, 0o600);
		const loaded = await loadSite([lab.sandbox.path(folder)]);
		t.deepEqual(loaded.warnings, []);
		t.like(loaded.site.hosts[0], {
			metadata: { name: "cp-0", namespace: "lab" },
			spec: {
				online: true,
				bootMACAddress: "52:54:00:ab:00:01",
				bmc: {
					address: `redfish://192.168.222.1:8000/redfish/v1/Systems/${first?.uuid}`,
					credentialsName: "cp-0-bmc",
					disableCertificateVerification: true,
				},
			},
		});
		t.like(loaded.site.secrets[0], { data: { username: "admin", password: lab.bmc.password } });
	},
);

test.serial(
	"a person is asked for the system that is left; then there is none, and no file was changed",
	async (t) => {
		t.timeout(120_000);
		const before = await readFile(lab.sandbox.path(`${folder}/host-cp-0.yaml`), "utf8");
		t.deepEqual(
			errorOf(await add(address(), ...login, "--mac", "52:54:00:ab:00:01")),
			["boot-mac-twice", 2],
			"what lint refuses is not written",
		);
		t.deepEqual(errorOf(await add(address(), ...login, "--name", "cp-0")), ["usage", 2]);
		await writeFile(lab.sandbox.path(`${folder}/host-cp-1.yaml`), "# a note\n");
		t.deepEqual(errorOf(await add(address(), ...login)), ["site-exists", 2]);
		t.is(await readFile(lab.sandbox.path(`${folder}/host-cp-1.yaml`), "utf8"), "# a note\n");
		const words = ["hosts", "add", address(), "-f", folder, "--boot", "virtual-media"];
		const terminal = await openTerminal(lab.sandbox, [process.execPath, launcher, ...words]);
		await terminal.sees(/^. User name at the BMC/m);
		await terminal.press("Enter");
		await terminal.sees(/^. Password/m);
		await terminal.type(lab.bmc.password);
		await terminal.press("Enter");
		await terminal.sees(/^. Name of this host/m);
		await terminal.type("worker");
		await terminal.press("Enter");
		t.is(await terminal.ended(), 0);
		const screen = await terminal.transcript();
		t.regex(screen, /^worker: redfish-virtualmedia:\/\/192\.168\.222\.1:8000\/redfish\/v1\/Systems\//m);
		t.false(screen.includes(lab.bmc.password));
		t.like((await loadSite([lab.sandbox.path(folder)])).site.hosts[1], {
			metadata: { name: "worker", namespace: "lab" },
			spec: { bootMACAddress: "52:54:00:ab:00:02" },
		});
		t.deepEqual(errorOf(await add(address(), ...login)), ["bmc-systems-taken", 2]);
		t.is(await readFile(lab.sandbox.path(`${folder}/host-cp-0.yaml`), "utf8"), before);
	},
);

test.serial("a wrong password, and a file in place of a folder: nothing is written", async (t) => {
	t.timeout(120_000);
	await writeFile(lab.sandbox.path(`${passwordFile}-wrong`), "wrong\n", { mode: 0o600 });
	const wrong = ["--username", "admin", "--password-file", `${passwordFile}-wrong`];
	const before = await files();
	t.deepEqual(errorOf(await add(address(), ...wrong)), ["bmc-login", 1]);
	const file = `${folder}/ironic.yaml`;
	const intoFile = await ironstrap(lab.sandbox, ["hosts", "add", address(), ...login, "-f", file]);
	t.deepEqual(errorOf(intoFile), ["usage", 2]);
	t.deepEqual(await files(), before);
});

test.serial("the password by standard input is in no list of processes and on no terminal", async (t) => {
	t.timeout(120_000);
	const words = ["hosts", "add", address(), "--username", "admin", "--password-file", "-", "-f", folder];
	const { stderr, stdout } = await lab.sandbox.run(process.execPath, [launcher, ...words], {
		input: `${lab.bmc.password}\n`,
		reject: false,
	});
	t.regex(stderr, /every system of the BMC at 192\.168\.222\.1 is a host of the site already/);
	t.false(`${stdout}${stderr}`.includes(lab.bmc.password));
});
