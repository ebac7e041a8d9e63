import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import anyTest, { type TestFn } from "ava";
import { imageStore } from "../../../lab/image-store.ts";
import { type Lab, startLab } from "../../../lab/lab.ts";
import { NEIGHBOUR } from "../../../lab/network.ts";
import { faultsIn, ironstrap } from "../../../lab/story/product.ts";
import { siteManifests, writeManifests } from "../../../lab/story/site.ts";

/*
 * The lab's neighbour boots as a server's firmware, iPXE and ramdisk would, step by step; dnsmasq and httpd are the
 * site's own, and what they log is what `hosts trace` reads.
 */

const test = anyTest as TestFn<{ lab: Lab; mac: string }>;

test.before(async (t) => {
	t.timeout(30 * 60_000);
	const lab = await startLab({ imageStores: [await imageStore()], neighbour: true });
	const { stdout } = await lab.network.fromNeighbour("cat", [
		`/sys/class/net/${NEIGHBOUR.interface}/address`,
	]);
	t.context = { lab, mac: stdout.trim() };
});

test.after.always(async (t) => t.context.lab?.stop());

test.serial("a boot is followed from DHCP to the agent's first call, and only this server's", async (t) => {
	t.timeout(300_000);
	const { lab, mac } = t.context;
	const [server] = lab.servers;
	if (server === undefined) throw new Error("the lab has no server");
	mkdirSync(lab.sandbox.path("/run/ipa"));
	const ramdisk = { kernel: "/run/ipa/kernel", initramfs: "/run/ipa/initramfs" };
	for (const path of Object.values(ramdisk)) writeFileSync(lab.sandbox.path(path), path);
	const manifests = siteManifests({
		boot: "ipxe",
		host: { name: server.name, bmcAddress: server.bmcAddress, bootMAC: mac, firmware: "uefi" },
		bmc: lab.bmc,
		nonce: "trace",
		ramdisk,
		image: { url: "http://192.0.2.1/none.qcow2", sha256: "0".repeat(64) },
	});
	const folder = writeManifests(join(lab.workDir, "site"), manifests);
	const up = await ironstrap(lab.sandbox, ["up", "-f", folder, "--no-hosts"]);
	t.is(up.exitCode, 0, faultsIn(up));
	t.deepEqual((await trace(lab, server.name)).kinds, []);

	await lab.network.fromNeighbour("sh", ["-ec", boot(mac)], { timeoutMs: 60_000 });
	const seen = await trace(lab, server.name);
	t.deepEqual(seen.kinds, [
		...["dhcp-discover", "dhcp-offer", "dhcp-request", "dhcp-ack"],
		...["loader", "script", "boot-config-missing", "kernel", "ramdisk", "lookup-refused"],
	]);
	t.regex(seen.texts[1] ?? "", /^offered 172\.22\.0\.\d+$/);
	t.is(seen.texts[4], "loader snponly-x86_64.efi by TFTP");
	t.is(seen.texts[9], "agent asks for its node: HTTP 404");
});

async function trace(
	lab: Lab,
	host: string,
): Promise<{ kinds: readonly string[]; texts: readonly string[] }> {
	const outcome = await ironstrap(lab.sandbox, ["hosts", "trace", host]);
	if (outcome.exitCode !== 0) throw new Error(faultsIn(outcome));
	const events = outcome.result?.events as readonly { readonly kind: string; readonly text: string }[];
	return { kinds: events.map(({ kind }) => kind), texts: events.map(({ text }) => text) };
}

/** Firmware (DHCP, TFTP), iPXE (script, its configuration, kernel, ramdisk) and the agent's first call. */
function boot(mac: string): string {
	const { interface: link } = NEIGHBOUR;
	const files = "http://172.22.0.1:6180";
	return `
printf '#!/bin/sh\\n[ "$1" = bound ] || exit 0\\nip addr flush dev ${link}; ip addr add $ip/24 dev ${link}\\n' >/run/lease.sh
chmod +x /run/lease.sh
busybox udhcpc -f -q -n -t 3 -T 1 -i ${link} -s /run/lease.sh -V PXEClient:Arch:00007:UNDI:003016 -x 0x5d:0007
busybox tftp -g -l /run/loader -r snponly-x86_64.efi 172.22.0.1
curl -sf -o /dev/null ${files}/boot.ipxe
curl -s -o /dev/null ${files}/pxelinux.cfg/${mac.replaceAll(":", "-")}
curl -sf -o /dev/null ${files}/images/deploy-ramdisk/kernel
curl -sf -o /dev/null ${files}/images/deploy-ramdisk/initramfs
curl -sk -o /dev/null 'https://172.22.0.1:6385/v1/lookup?addresses=${mac}'`;
}
