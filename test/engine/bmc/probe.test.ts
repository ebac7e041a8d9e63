import { writeFile } from "node:fs/promises";
import test from "ava";
import { type Lab, startLab } from "../../../lab/lab.ts";
import { ironstrap } from "../../../lab/story/product.ts";
import type { BmcProbe } from "../../../src/bmc/facts.ts";

let lab: Lab;

const passwordFile = "/run/ironstrap-lab/password";
const wrongFile = "/run/ironstrap-lab/wrong-password";

test.before(async () => {
	lab = await startLab({ podman: false, tls: true, servers: [{ name: "a" }, { name: "b" }] });
	await writeFile(lab.sandbox.path(passwordFile), `${lab.bmc.password}\n`, { mode: 0o600 });
	await writeFile(lab.sandbox.path(wrongFile), "wrong\n", { mode: 0o600 });
});

test.after.always(async () => {
	await lab?.stop();
});

test.afterEach.always(async () => {
	await lab.bmc.control.setFaults([]);
});

const address = () => lab.bmc.address.replace("https://", "");
const login = (file = passwordFile) => ["--username", "admin", "--password-file", file];
const probe = (...args: readonly string[]) => ironstrap(lab.sandbox, ["bmc", "probe", ...args]);

test.serial("an emulated BMC is told completely, and only read", async (t) => {
	t.timeout(60_000);
	const before = (await lab.bmc.requests()).length;
	const { exitCode, result, stderr } = await probe(address(), ...login());
	t.is(exitCode, 0, stderr);
	const found = result as unknown as BmcProbe;
	t.like(found.endpoint, {
		transport: "https",
		host: "192.168.222.1",
		port: 8000,
		localAddress: "192.168.222.1",
	});
	t.like(found.tls, { protocol: "TLSv1.3", distrust: "it is self-signed" });
	t.is(found.authentication, "accepted");
	t.true(Math.abs(found.clockSkewSeconds ?? 99) <= 2);
	t.like(found.redfish, { vendor: "Lab", product: "LabBMC", redfishVersion: "1.6.0" });
	t.deepEqual(
		found.redfish?.systems.map(({ serialNumber, power, nics }) => [serialNumber, power, nics[0]?.mac]),
		[
			["a", "Off", "52:54:00:ab:00:01"],
			["b", "Off", "52:54:00:ab:00:02"],
		],
	);
	t.deepEqual(found.redfish?.systems[0]?.bootTargets, ["Pxe", "Cd", "Hdd", "UefiHttp"]);
	t.deepEqual(
		found.redfish?.systems[0]?.media.map(({ path, where, cd, insertMedia }) => [
			path,
			where,
			cd,
			insertMedia,
		]),
		[["/redfish/v1/Managers/a/VirtualMedia/Cd", "Manager", true, true]],
		"each server's drive, not its neighbour's",
	);
	t.deepEqual(
		found.proposals.map((proposal) => [
			proposal.address,
			proposal.disableCertificateVerification,
			proposal.bootMac,
		]),
		lab.servers.map(({ uuid, mac }) => [
			`redfish-virtualmedia://192.168.222.1:8000/redfish/v1/Systems/${uuid}`,
			true,
			mac,
		]),
	);
	const requests = (await lab.bmc.requests()).slice(before);
	const writes = requests
		.filter(({ method }) => method !== "GET")
		.map(({ method, path }) => `${method} ${path}`);
	t.is(writes[0], "POST /redfish/v1/SessionService/Sessions");
	t.regex(writes[1] ?? "", /^DELETE \/redfish\/v1\/SessionService\/Sessions\/[0-9a-f]+$/);
	t.is(writes.length, 2);
});

test.serial("for people: the proposal as it goes into the manifest, and no password", async (t) => {
	t.timeout(60_000);
	const launcher = [process.execPath, "bin/ironstrap.js", "bmc", "probe", address(), "--boot", "network"];
	const [command = "", ...args] = [...launcher, ...login()];
	const { stdout, stderr } = await lab.sandbox.run(command, args, { cwd: process.cwd() });
	t.regex(stdout, /^TLS {7}TLSv1\.3, certificate CN=bmc \(.*\), not trusted: it is self-signed$/m);
	t.regex(stdout, /^ {12}address: redfish:\/\/192\.168\.222\.1:8000\/redfish\/v1\/Systems\/[0-9a-f-]{36}$/m);
	t.false(`${stdout}${stderr}`.includes(lab.bmc.password));
});

test.serial("wrong and missing log-ins are told apart; one half of a log-in is a mistake", async (t) => {
	t.timeout(60_000);
	t.is((await probe(address(), ...login(wrongFile))).result?.authentication, "refused");
	t.is((await probe(address())).result?.authentication, "none-given");
	t.is((await probe(address(), "--username", "admin")).exitCode, 2);
	await lab.bmc.control.setFaults([{ kind: "status", status: 403, path: "/Systems$" }]);
	t.is((await probe(address(), ...login())).result?.authentication, "lacking-rights");
});

test.serial(
	"a faulty BMC: dropped connections, errors on single documents, no session, slowness",
	async (t) => {
		t.timeout(120_000);
		await lab.bmc.control.setFaults([{ kind: "drop", method: "GET", path: "/Systems", times: 1 }]);
		t.is((await probe(address(), ...login())).result?.authentication, "accepted");
		await lab.bmc.control.setFaults([{ kind: "status", status: 500, path: "/EthernetInterfaces" }]);
		const partly = (await probe(address(), ...login())).result as unknown as BmcProbe;
		t.is(partly.redfish?.systems[0]?.nics.length, 0);
		t.regex(partly.warnings.join("\n"), /could not be read: .*EthernetInterfaces: 500/);
		await lab.bmc.control.setFaults([{ kind: "status", status: 503, method: "POST", path: "/Sessions$" }]);
		t.is((await probe(address(), ...login())).result?.authentication, "accepted");
		await lab.bmc.control.setFaults([{ kind: "delay", milliseconds: 300 }]);
		t.is((await probe(address(), ...login())).result?.authentication, "accepted");
		await lab.bmc.control.setFaults([{ kind: "status", status: 404, path: "/redfish/v1$" }]);
		t.like((await probe(address(), ...login())).result, { type: "error" });
	},
);

test.serial("nobody there, another port, a system that is not there: each with what to do", async (t) => {
	t.timeout(60_000);
	const codeOf = async (...args: readonly string[]) => {
		const { result, exitCode } = await probe(...args);
		const errors = result?.errors as readonly { code: string }[] | undefined;
		return [errors?.[0]?.code, exitCode];
	};
	t.deepEqual(await codeOf("192.168.222.1"), ["bmc-unreachable", 1]);
	t.deepEqual(await codeOf("192.168.222.99"), ["bmc-unreachable", 1]);
	t.deepEqual(await codeOf("http://192.168.222.1:8000"), ["bmc-not-found", 1]);
	t.deepEqual(await codeOf(`${lab.bmc.address}/redfish/v1/Systems/7`, ...login()), ["bmc-system-unknown", 1]);
	t.deepEqual(await codeOf("https://root:calvin@192.168.222.1"), ["bmc-address-invalid", 2]);
});
