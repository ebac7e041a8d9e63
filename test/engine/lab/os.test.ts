import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { execa } from "execa";
import { artefacts } from "../../../lab/artefacts.ts";
import { connectQmp } from "../../../lab/server/qmp.ts";
import { until } from "../../../lab/until.ts";
import { boot } from "./console.ts";

const uuid = "4c4c4544-0046-3510-8052-b4c04f4d3232";
const nic = [
	"-netdev",
	"user,id=n0,restrict=on",
	"-device",
	"virtio-net-pci,netdev=n0,mac=52:54:00:ab:00:01,romfile=",
];

test("the checksum beside the image is the image's", async (t) => {
	t.timeout(600_000);
	const { os } = await artefacts(["os"]);
	const { stdout } = await execa("sha256sum", [os.image]);
	t.is((await readFile(os.sha256File, "utf8")).split(" ")[0], stdout.split(" ")[0]);
});

for (const firmware of ["BIOS", "UEFI"] as const)
	test(`the test system starts from ${firmware}, gets an address and obeys the power button`, async (t) => {
		t.timeout(900_000);
		const { os } = await artefacts(["os"]);
		const folder = await mkdtemp("/var/tmp/ironstrap-os-test-");
		t.teardown(() => rm(folder, { recursive: true }));
		const disk = ["-drive", `file=${os.image},format=qcow2,snapshot=on,if=none,id=d0`];
		const words = ["-uuid", uuid, ...disk, "-device", "virtio-blk-pci,drive=d0", ...nic];
		const qmp = join(folder, "qmp");
		words.push("-qmp", `unix:${qmp},server=on,wait=off`);
		if (firmware === "UEFI") {
			const variables = join(folder, "variables.fd");
			await copyFile("/usr/share/OVMF/OVMF_VARS_4M.fd", variables);
			words.push("-drive", "if=pflash,format=raw,unit=0,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd");
			words.push("-drive", `if=pflash,format=raw,unit=1,file=${variables}`);
		}
		const console = boot(t, 512, words);
		await console.line(/^IRONSTRAP-OS-READY/);
		t.truthy(await console.line(/^IRONSTRAP-OS-BOOTED uptime=\d/));
		t.truthy(await console.line(new RegExp(`^IRONSTRAP-OS-SYSTEM-UUID ${uuid}`)));
		t.truthy(await console.line(new RegExp(`^IRONSTRAP-OS-${firmware}`)));
		t.truthy(await console.line(/^IRONSTRAP-OS-CONFIG-DRIVE none/));
		t.truthy(await console.line(/^IRONSTRAP-OS-ADDRESS eth0 10\.0\.2\.15 lease=86400 server=10\.0\.2\.2/));
		const monitor = await connectQmp(qmp, () => undefined);
		t.teardown(() => monitor.close());
		await monitor.execute("system_powerdown");
		await console.line(/^IRONSTRAP-OS-POWER-BUTTON/);
		await until(() => console.ended(), { what: "the machine to switch itself off", deadlineMs: 60_000 });
		t.pass();
	});
