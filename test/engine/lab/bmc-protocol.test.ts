import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { type Lab, startLab } from "../../../lab/lab.ts";
import { redfish } from "./redfish-client.ts";

let lab: Lab;
let systemPath: string;

test.before(async () => {
	lab = await startLab({ podman: false, tls: true, servers: [{ name: "a" }, { name: "b", diskGiB: 10 }] });
	systemPath = `/redfish/v1/Systems/${lab.servers[0]?.uuid}`;
});

test.after.always(async () => {
	await lab?.stop();
});

test.afterEach.always(async () => {
	await lab.bmc.control.setFaults([]);
});

const get = (path: string, headers?: Readonly<Record<string, string>>) =>
	redfish(lab, { method: "GET", path, ...(headers === undefined ? {} : { headers }) });

async function logIn(password: string) {
	const body = { UserName: lab.bmc.username, Password: password };
	return redfish(lab, { method: "POST", path: "/redfish/v1/SessionService/Sessions", body, headers: {} });
}

test.serial("only the service root is open", async (t) => {
	t.is((await get("/redfish/v1/", {})).status, 200);
	const refused = await get(systemPath, {});
	t.is(refused.status, 401);
	t.is((refused.body.error as Record<string, unknown>).code, "Base.1.0.NoValidSession");
});

test.serial("a session is opened, used, closed", async (t) => {
	t.is((await logIn("wrong")).status, 401);
	const { status, headers } = await logIn(lab.bmc.password);
	t.is(status, 201);
	const token = { "X-Auth-Token": headers["x-auth-token"] ?? "" };
	t.is((await get(systemPath, token)).status, 200);
	const location = headers.location ?? "";
	t.is((await redfish(lab, { method: "DELETE", path: location, headers: token })).status, 204);
	t.is((await get(systemPath, token)).status, 401);
});

test.serial("a restarted BMC has forgotten the sessions", async (t) => {
	const { headers } = await logIn(lab.bmc.password);
	await lab.bmc.control.forgetSessions();
	t.is((await get(systemPath, { "X-Auth-Token": headers["x-auth-token"] ?? "" })).status, 401);
});

test.serial("every link of every document leads somewhere", async (t) => {
	const seen = new Set<string>();
	const waiting = ["/redfish/v1"];
	for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
		const { status, headers, body } = await get(path);
		t.is(status, 200, path);
		t.is(body["@odata.id"], path);
		t.false("etag" in headers);
		for (const [, link = ""] of JSON.stringify(body).matchAll(/"@odata.id":"([^"]+)"/g)) {
			if (!seen.has(link)) waiting.push(link);
			seen.add(link);
		}
	}
	t.true(seen.has(`/redfish/v1/Systems/${lab.servers[1]?.uuid}/Storage/0/Drives/vda`));
	t.true(seen.has("/redfish/v1/Managers/b/VirtualMedia/Cd"));
});

test.serial("a server's document names what an inspection reads", async (t) => {
	const { body } = await get(systemPath);
	t.is(body.PowerState, "Off");
	t.is(body.SerialNumber, "a");
	t.deepEqual((body.MemorySummary as Record<string, unknown>).TotalSystemMemoryGiB, 2);
	const nic = await get(`${systemPath}/EthernetInterfaces/nic0`);
	t.is(nic.body.MACAddress, "52:54:00:ab:00:01");
	const drive = await get(`/redfish/v1/Systems/${lab.servers[1]?.uuid}/Storage/0/Drives/vda`);
	t.is(drive.body.CapacityBytes, 10_737_418_240);
});

test.serial("BIOS attributes wait for the next power-on", async (t) => {
	const settings = `${systemPath}/BIOS/Settings`;
	const patch = (Attributes: object) =>
		redfish(lab, { method: "PATCH", path: settings, body: { Attributes } });
	t.is((await patch({ NumLock: "Off" })).status, 204);
	t.is(((await get(`${systemPath}/BIOS`)).body.Attributes as Record<string, unknown>).NumLock, "On");
	t.deepEqual((await get(settings)).body.Attributes, { NumLock: "Off" });
	t.is((await patch({ Nonsense: 1 })).status, 400);
});

test.serial("a medium comes by HTTPS from anybody, unless the certificate is to be verified", async (t) => {
	const directory = await mkdtemp("/var/tmp/ironstrap-test-");
	t.teardown(() => rm(directory, { recursive: true, force: true }));
	await writeFile(join(directory, "boot.iso"), "no real image");
	const certificate = ["/run/ironstrap-lab/bmc.crt", "/run/ironstrap-lab/bmc.key"];
	const script = join(import.meta.dirname, "file-server.js");
	const server = lab.sandbox.spawn(process.execPath, [
		script,
		"172.22.0.1",
		"8443",
		directory,
		...certificate,
	]);
	await new Promise((resolve) => server.stdout?.once("data", resolve));
	const cd = "/redfish/v1/Managers/a/VirtualMedia/Cd";
	const insert = (more: object) =>
		redfish(lab, {
			method: "POST",
			path: `${cd}/Actions/VirtualMedia.InsertMedia`,
			body: { Image: "https://172.22.0.1:8443/boot.iso", ...more },
		});
	t.is((await insert({ VerifyCertificate: true })).status, 400);
	t.is((await insert({})).status, 204);
	t.like((await get(cd)).body, {
		Inserted: true,
		Image: "https://172.22.0.1:8443/boot.iso",
		ImageName: "boot.iso",
	});
	server.kill();
	await server.result;
});

test.serial("wrong methods, wrong values and unknown paths are told apart", async (t) => {
	const reset = `${systemPath}/Actions/ComputerSystem.Reset`;
	t.is((await redfish(lab, { method: "POST", path: reset, body: { ResetType: "Explode" } })).status, 400);
	t.is((await redfish(lab, { method: "PATCH", path: systemPath, body: { AssetTag: "x" } })).status, 400);
	t.is((await redfish(lab, { method: "DELETE", path: systemPath })).status, 405);
	t.is((await get("/redfish/v1/Registries")).status, 404);
});

test.serial("a faulty BMC: errors, dropped connections, a changed password", async (t) => {
	await lab.bmc.control.setFaults([
		{ kind: "status", status: 500, method: "GET", path: "/Systems/", times: 1 },
	]);
	t.is((await get(systemPath)).status, 500);
	t.is((await get(systemPath)).status, 200);
	await lab.bmc.control.setFaults([{ kind: "drop", path: "/Systems/" }]);
	await t.throwsAsync(get(systemPath), { message: /failed in the sandbox/ });
	await lab.bmc.control.setFaults([{ kind: "reject-credentials" }]);
	t.is((await get(systemPath)).status, 401);
	t.is((await logIn(lab.bmc.password)).status, 401);
});

test.serial("a request is on record even if it was never answered, without a password", async (t) => {
	await lab.bmc.control.setFaults([{ kind: "drop-answer", method: "PATCH" }]);
	const Boot = { BootSourceOverrideTarget: "Pxe", BootSourceOverrideEnabled: "Once" };
	await t.throwsAsync(redfish(lab, { method: "PATCH", path: systemPath, body: { Boot } }));
	const last = (await lab.bmc.requests()).at(-1);
	t.like(last, { method: "PATCH", path: systemPath, body: { Boot }, auth: "basic" });
	t.is(((await get(systemPath)).body.Boot as Record<string, unknown>).BootSourceOverrideTarget, "Pxe");
	t.false((await readFile(lab.bmc.log, "utf8")).includes(lab.bmc.password));
});
