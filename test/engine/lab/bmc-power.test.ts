import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { type Lab, type LabServer, startLab } from "../../../lab/lab.ts";
import { until } from "../../../lab/until.ts";
import { makeCd, makeDisk } from "./boot-sectors.ts";
import { type RedfishAnswer, redfish } from "./redfish-client.ts";

// Real firmware boots real (512-byte) guests: what they write on the serial port tells which device was booted.
let lab: Lab;
let media: string;
let stays: LabServer;
let leaves: LabServer;
let uefi: LabServer;

test.before(async () => {
	media = await mkdtemp("/var/tmp/ironstrap-test-");
	await makeCd(media, "CD-RESETS", "reset");
	lab = await startLab({
		podman: false,
		servers: [
			{
				name: "stays",
				firmware: "bios",
				memoryMiB: 128,
				baseImage: await makeDisk(media, "DISK-STAYS", "stay"),
			},
			{
				name: "leaves",
				firmware: "bios",
				memoryMiB: 128,
				baseImage: await makeDisk(media, "DISK-LEAVES", "power-off"),
			},
			{ name: "uefi", firmware: "uefi", memoryMiB: 256, bootOrder: ["network", "disk", "cd"] },
		],
	});
	[stays, leaves, uefi] = lab.servers as [LabServer, LabServer, LabServer];
	const server = join(import.meta.dirname, "file-server.js");
	lab.sandbox.spawn(process.execPath, [server, "172.22.0.1", "8080", media]);
});

test.after.always(async () => {
	await lab?.stop();
	if (media !== undefined) await rm(media, { recursive: true, force: true });
});

const systemPath = (server: LabServer) => `/redfish/v1/Systems/${server.uuid}`;
const cdPath = (server: LabServer) => `/redfish/v1/Managers/${server.name}/VirtualMedia/Cd`;

async function reset(server: LabServer, ResetType: string): Promise<RedfishAnswer> {
	const path = `${systemPath(server)}/Actions/ComputerSystem.Reset`;
	return redfish(lab, { method: "POST", path, body: { ResetType } });
}

async function override(server: LabServer, target: string, enabled: string): Promise<RedfishAnswer> {
	const Boot = { BootSourceOverrideTarget: target, BootSourceOverrideEnabled: enabled };
	return redfish(lab, { method: "PATCH", path: systemPath(server), body: { Boot } });
}

async function system(server: LabServer): Promise<{ PowerState: string; Boot: Record<string, unknown> }> {
	const { body } = await redfish(lab, { method: "GET", path: systemPath(server) });
	return body as { PowerState: string; Boot: Record<string, unknown> };
}

async function insertCd(server: LabServer): Promise<RedfishAnswer> {
	const path = `${cdPath(server)}/Actions/VirtualMedia.InsertMedia`;
	const body = { Image: "http://172.22.0.1:8080/CD-RESETS.iso" };
	return until(
		async () => {
			const answer = await redfish(lab, { method: "POST", path, body });
			return answer.status === 204 && answer; // 400 while the file server is still starting
		},
		{ what: "the medium to be inserted", deadlineMs: 10_000 },
	);
}

async function ejectCd(server: LabServer): Promise<RedfishAnswer> {
	return redfish(lab, {
		method: "POST",
		path: `${cdPath(server)}/Actions/VirtualMedia.EjectMedia`,
		body: {},
	});
}

/** Waits until the latest console shows all of these, in this order. */
async function booted(server: LabServer, ...texts: string[]): Promise<void> {
	const pattern = new RegExp(texts.join("[^]*"));
	await until(async () => pattern.test(await server.console()), {
		what: `${texts.join(", ")} on the console of ${server.name}`,
		deadlineMs: 60_000,
	});
}

test.serial(
	"power on boots the disk; a guest without ACPI ignores the button; force off works",
	async (t) => {
		t.is((await system(stays)).PowerState, "Off");
		t.is((await reset(stays, "On")).status, 204);
		await booted(stays, "DISK-STAYS");
		await reset(stays, "GracefulShutdown");
		t.is((await system(stays)).PowerState, "On");
		await reset(stays, "ForceOff");
		t.is((await system(stays)).PowerState, "Off");
		t.is((await stays.consoles()).length, 1);
	},
);

test.serial("a guest that powers itself off is seen as off", async (t) => {
	await reset(leaves, "On");
	await booted(leaves, "DISK-LEAVES");
	await until(async () => (await system(leaves)).PowerState === "Off", {
		what: "power off",
		deadlineMs: 10_000,
	});
	t.is((await lab.bmc.control.servers()).find(({ name }) => name === "leaves")?.powerOns, 1);
});

test.serial("Once boots the CD a single time: the guest's own reset takes the disk", async (t) => {
	await insertCd(stays);
	await override(stays, "Cd", "Once");
	t.is((await system(stays)).Boot.BootSourceOverrideEnabled, "Once");
	await reset(stays, "On");
	await booted(stays, "CD-RESETS", "DISK-STAYS");
	t.is((await stays.console()).split("CD-RESETS").length, 2);
	const { Boot } = await system(stays);
	t.is(Boot.BootSourceOverrideEnabled, "Disabled");
	t.is(Boot.BootSourceOverrideTarget, "None");
});

test.serial("Continuous boots the CD each time, until the medium is ejected", async (t) => {
	await override(stays, "Cd", "Continuous");
	await reset(stays, "ForceRestart");
	await booted(stays, "CD-RESETS", "CD-RESETS", "CD-RESETS");
	t.is((await system(stays)).Boot.BootSourceOverrideEnabled, "Continuous");
	t.is((await ejectCd(stays)).status, 204);
	await booted(stays, "DISK-STAYS");
	const { body } = await redfish(lab, { method: "GET", path: cdPath(stays) });
	t.is(body.Inserted, false);
	t.is(body.Image, null);
});

test.serial(
	"Pxe Once on a running server: the next power-on asks the network, the one after it the disk",
	async (t) => {
		await override(stays, "Pxe", "Once");
		await reset(stays, "ForceRestart");
		await booted(stays, "iPXE initialising devices");
		t.notRegex(await stays.console(), /DISK-STAYS/);
		await reset(stays, "ForceRestart");
		await booted(stays, "DISK-STAYS");
		await reset(stays, "ForceOff");
	},
);

test.serial("a medium goes in and out of a running server, and only one at a time", async (t) => {
	await reset(stays, "On");
	await insertCd(stays);
	const again = await redfish(lab, {
		method: "POST",
		path: `${cdPath(stays)}/Actions/VirtualMedia.InsertMedia`,
		body: { Image: "http://172.22.0.1:8080/CD-RESETS.iso" },
	});
	t.is(again.status, 409);
	await ejectCd(stays);
	const missing = await redfish(lab, {
		method: "POST",
		path: `${cdPath(stays)}/Actions/VirtualMedia.InsertMedia`,
		body: { Image: "http://172.22.0.1:8080/no-such.iso" },
	});
	t.is(missing.status, 400);
	await reset(stays, "ForceOff");
});

test.serial("UEFI, then Secure Boot, then legacy mode: each from the next power-on", async (t) => {
	const secureBoot = `${systemPath(uefi)}/SecureBoot`;
	const currentBoot = async () =>
		(await redfish(lab, { method: "GET", path: secureBoot })).body.SecureBootCurrentBoot;
	await reset(uefi, "On");
	await booted(uefi, "iPXE");
	await redfish(lab, { method: "PATCH", path: secureBoot, body: { SecureBootEnable: true } });
	t.is(await currentBoot(), "Disabled");
	await reset(uefi, "ForceRestart");
	await booted(uefi, "iPXE");
	t.is(await currentBoot(), "Enabled");
	const Boot = { BootSourceOverrideMode: "Legacy" };
	await redfish(lab, { method: "PATCH", path: systemPath(uefi), body: { Boot } });
	await reset(uefi, "ForceRestart");
	await booted(uefi, "SeaBIOS");
	t.is(await currentBoot(), "Disabled");
	await reset(uefi, "ForceOff");
	t.is((await uefi.consoles()).length, 3);
});

test.serial("told to, the server does not come on", async (t) => {
	await lab.bmc.control.setFaults([{ kind: "refuse-power-on", times: 1 }]);
	t.is((await reset(stays, "On")).status, 500);
	t.is((await system(stays)).PowerState, "Off");
	t.is((await reset(stays, "On")).status, 204);
	await reset(stays, "ForceOff");
});
