import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { execa } from "execa";
import { artefacts } from "../../../lab/artefacts.ts";
import { boot } from "./console.ts";

// what Ironic writes to openstack/latest/network_data.json of a virtual medium
const networkData = {
	links: [{ id: "nic0", type: "phy", ethernet_mac_address: "52:54:00:AB:00:01", mtu: 1400 }],
	networks: [
		{
			id: "v4",
			link: "nic0",
			type: "ipv4",
			ip_address: "10.0.2.40",
			netmask: "255.255.255.0",
			routes: [
				{ network: "0.0.0.0", netmask: "0.0.0.0", gateway: "10.0.2.2" },
				{ network: "10.9.0.0", netmask: "255.255.0.0", gateway: "10.0.2.3" },
			],
		},
		{ id: "v6", link: "nic0", type: "ipv6", ip_address: "fd00:1abc::40", netmask: "ffff:ffff:ffff:ffff::" },
	],
	services: [{ type: "dns", address: "10.0.2.3" }],
};
const publisher = "0b6c3a34-5c1e-4f0f-9d3a-aa11bb22cc33";

/** Boots the ramdisk with two network cards and the medium in the drive; packets of each card are recorded. */
async function bootRamdisk(t: Parameters<typeof boot>[0], kernelWords: string) {
	const { ramdisk } = await artefacts(["ramdisk"]);
	const folder = await mkdtemp("/var/tmp/ironstrap-ramdisk-test-");
	t.teardown(() => rm(folder, { recursive: true }));
	await mkdir(join(folder, "medium/openstack/latest"), { recursive: true });
	await writeFile(join(folder, "medium/openstack/latest/network_data.json"), JSON.stringify(networkData));
	const iso = join(folder, "medium.iso");
	await execa("genisoimage", [
		...["-quiet", "-r", "-V", "config-2", "-l", "-publisher", publisher, "-o", iso, join(folder, "medium")],
	]);
	const disk = join(folder, "disk");
	await execa("truncate", ["-s", "1G", disk]);
	const card = (n: number) => [
		...["-netdev", `user,id=n${n},restrict=on`],
		...["-device", `virtio-net-pci,netdev=n${n},mac=52:54:00:ab:00:0${n},romfile=`],
		...["-object", `filter-dump,id=f${n},netdev=n${n},file=${join(folder, `packets${n}`)}`],
	];
	const console = boot(t, 2048, [
		...["-kernel", ramdisk.kernel, "-initrd", ramdisk.initramfs],
		...["-append", `console=ttyS0 nomodeset quiet ipa-api-url=http://10.0.2.2:6385 ${kernelWords}`],
		...[
			"-drive",
			`if=none,id=cd0,file=${iso},format=raw,readonly=on`,
			"-device",
			"ide-cd,bus=ide.0,drive=cd0",
		],
		...["-drive", `if=none,id=d0,file=${disk},format=raw`, "-device", "virtio-blk-pci,drive=d0"],
		...card(1),
		...card(2),
	]);
	return {
		console,
		dhcpPackets: async (n: number) => countDhcp(await readFile(join(folder, `packets${n}`))),
	};
}

test("static addresses come from the virtual medium, that card sends no DHCP, and the agent looks for its node", async (t) => {
	t.timeout(900_000);
	const { console, dhcpPackets } = await bootRamdisk(t, `boot_method=vmedia ir_pub_id=${publisher}`);
	const static4 = await console.line(/network-data address: \S+ 10\.0\.2\.40\/24/);
	const name = /address: (\S+)/.exec(static4)?.[1] ?? "";
	await console.line(new RegExp(`network-data address: ${name} fd00:1abc::40/64`));
	await console.line(/network-data route: default via 10\.0\.2\.2/);
	await console.line(/network-data route: 10\.9\.0\.0\/16 via 10\.0\.2\.3/);
	await console.line(/network-data dns: 10\.0\.2\.3/);
	await console.line(/Starting ironic-python-agent version/);
	await console.line(/attempting to perform lookup with http:\/\/10\.0\.2\.2:6385/);
	t.false(console.lines.some((line) => line.includes(`dhcp ${name}`)));
	t.is(await dhcpPackets(1), 0);
	t.not(await dhcpPackets(2), 0);
});

test("a medium of another boot is not believed: all cards ask for a lease", async (t) => {
	t.timeout(900_000);
	const { console, dhcpPackets } = await bootRamdisk(
		t,
		`boot_method=vmedia ir_pub_id=${publisher.replace("0", "1")}`,
	);
	await console.line(/IRONSTRAP-RAMDISK \S+ medium none/);
	await console.line(/IRONSTRAP-RAMDISK \S+ net .*10\.0\.2\.15/);
	t.not(await dhcpPackets(1), 0);
});

/** UDP packets from or to the ports 67 and 68 in a pcap file. */
function countDhcp(capture: Buffer): number {
	let count = 0;
	for (let at = 24; at + 16 <= capture.length; at += 16 + capture.readUInt32LE(at + 8)) {
		const packet = capture.subarray(at + 16, at + 16 + capture.readUInt32LE(at + 8));
		if (packet.length < 42 || packet.readUInt16BE(12) !== 0x0800 || packet[23] !== 17) continue;
		if ([67, 68].includes(packet.readUInt16BE(36))) count++;
	}
	return count;
}
