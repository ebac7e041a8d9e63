import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { lookAll } from "../../../src/checks/check.ts";
import type { Engine, EngineImage } from "../../../src/engine/engine.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import { hereChecks } from "../../../src/lifecycle/check-here.ts";
import type { LocalAddress } from "../../../src/linux/links.ts";
import { assembleSite } from "../../../src/site/assemble.ts";
import { parseDocuments } from "../../../src/site/parse.ts";
import { withMessages } from "../../support/site-text.ts";

const link = (name: string, cidr: string): LocalAddress => ({
	interface: name,
	mac: "52:54:00:00:00:01",
	address: cidr.split("/")[0] ?? "",
	cidr,
	family: cidr.includes(":") ? "IPv6" : "IPv4",
});
const LOCAL = [link("eth0", "192.0.2.5/24"), link("prov", "172.22.0.1/24"), link("prov", "fd00:1abc::1/64")];

const NETWORKING =
	"ipAddress: 172.22.0.1, dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.10, rangeEnd: 172.22.0.20}";

/** A site whose Ironic is on line 4 and whose Bootstrap is on line 9. */
function siteOf(networking: string, bootstrap: string) {
	const text = `apiVersion: ironic.metal3.io/v1alpha1
kind: Ironic
metadata: {name: metal3}
spec: {networking: {${networking}}}
---
apiVersion: ironstrap.io/v1alpha1
kind: Bootstrap
metadata: {name: metal3}
spec: {${bootstrap}}
`;
	const { documents, findings } = parseDocuments(text, "site.yaml");
	return assembleSite(documents, findings).site;
}

const OURS: EngineImage = { id: "sha256:1", labels: { "io.ironstrap.key": "k" } } as unknown as EngineImage;

function engineWith(images: Readonly<Record<string, EngineImage>>): Engine {
	return { inspectImage: async (reference: string) => images[reference] } as unknown as Engine;
}

const IMAGES = { "localhost/ironstrap/ironic:latest": OURS, "localhost/ironstrap/mariadb:latest": OURS };

async function ramdisk(kernel: Buffer, initramfs: Buffer): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "here-"));
	await writeFile(join(folder, "kernel"), kernel);
	await writeFile(join(folder, "initramfs"), initramfs);
	return `deployRamdisk: {kernel: ${folder}/kernel, initramfs: ${folder}/initramfs}`;
}

const KERNEL = Buffer.concat([Buffer.from("MZ"), Buffer.alloc(1000)]);
const INITRAMFS = Buffer.from("1f8b0800", "hex");

async function found(
	networking: string,
	bootstrap: string,
	context: { readonly local?: readonly LocalAddress[]; readonly engine?: () => Promise<Engine> } = {},
): Promise<readonly string[]> {
	const { engine = async () => engineWith(IMAGES), local = LOCAL } = context;
	const findings = await lookAll(
		hereChecks(siteOf(networking, bootstrap), local, engine),
		new AbortController().signal,
	);
	requireFixes(findings.map(({ fix }) => fix));
	return findings.map(
		({ code, severity, where }) => `${severity} ${code} ${where ? `${where.line}:${where.column}` : "-"}`,
	);
}

/** No finding leaves a person without what to do next. */
function requireFixes(fixes: readonly (string | undefined)[]): void {
	if (fixes.some((fix) => fix === undefined || fix === "")) throw new Error("a finding has no fix");
}

test("a machine that has everything", async (t) => {
	t.deepEqual(await found(NETWORKING, await ramdisk(KERNEL, INITRAMFS)), []);
});

test("a machine that has nothing: everything is told at once", async (t) => {
	const engine = () =>
		Promise.reject(new IronstrapError({ code: "engine-not-found", message: "none", fix: "start one" }));
	t.deepEqual(await found(NETWORKING, "api: {listen: [192.0.2.7]}", { local: [], engine }), [
		"error provisioning-address-missing 4:32",
		"error listen-address-missing 9:23",
		"error deploy-ramdisk-missing 9:1",
		"error engine-not-found -",
	]);
});

test("addresses besides the provisioning one", async (t) => {
	const ramdiskText = await ramdisk(KERNEL, INITRAMFS);
	t.deepEqual(
		await found(
			`${NETWORKING}, externalIP: 198.51.100.1`,
			`${ramdiskText}, api: {listen: [192.0.2.5, 192.0.2.6]}`,
		),
		[
			`error listen-address-missing 9:${`spec: {${ramdiskText}, api: {listen: [192.0.2.5, `.length + 1}`,
			"warning external-address-elsewhere 4:140",
		],
	);
	const vip =
		"interface: prov, keepalived: {enabled: true, additionalVIPs: [{interface: prov, ipAddress: 192.0.2.5}]}";
	t.deepEqual(await found(`${NETWORKING}, ${vip}`, ramdiskText), ["warning keepalived-vip-here 4:219"]);
});

test("what is said of an interface that is not there, and of a VIP that is", async (t) => {
	const messages = async (networking: string) =>
		withMessages(
			await lookAll(
				hereChecks(siteOf(networking, await ramdisk(KERNEL, INITRAMFS)), LOCAL, async () =>
					engineWith(IMAGES),
				),
				new AbortController().signal,
			),
		);
	t.deepEqual(await messages("interface: eth9"), [
		"error provisioning-address-missing 4:32: this machine has no interface eth9 with an address",
	]);
	t.deepEqual(await messages("interface: eth0, ipAddress: 172.22.0.1"), [
		"error provisioning-address-missing 4:32: 172.22.0.1 is not on eth0 but on prov",
	]);
	t.deepEqual(
		await messages(
			"ipAddress: 172.22.0.1, interface: prov, keepalived: {enabled: true, additionalVIPs: [{interface: prov, ipAddress: 192.0.2.5}]}",
		),
		[
			"warning keepalived-vip-here 4:135: the additional VIP 192.0.2.5, meant for the target, is this machine's own address",
		],
	);
});

test("a network that another interface has already; our own bridge is not another", async (t) => {
	const files = await ramdisk(KERNEL, INITRAMFS);
	const vpn = [...LOCAL, link("tun0", "172.22.0.200/28")];
	t.deepEqual(await found(NETWORKING, files, { local: vpn }), ["warning network-elsewhere 4:64"]);
	const bridged = `bridgeSubnet: 10.89.77.0/24, ${files}`;
	const own = [...LOCAL, link("podman1", "10.89.77.1/24")];
	t.deepEqual(await found(NETWORKING, bridged, { local: own }), []);
	const foreign = [...LOCAL, link("docker0", "10.89.0.1/16")];
	t.deepEqual(await found(NETWORKING, bridged, { local: foreign }), ["error network-elsewhere 9:22"]);
});

test("an IPv6 network beside the IPv4 one must be a /64, because dnsmasq announces it", async (t) => {
	const files = await ramdisk(KERNEL, INITRAMFS);
	const local = [link("prov", "172.22.0.1/24"), link("prov", "fd00:1abc::1/120")];
	const dedicated = `${files}, fence: {mode: dedicated}`;
	t.deepEqual(await found(NETWORKING, dedicated, { local }), ["error provisioning-prefix 4:8"]);
	t.deepEqual(await found(NETWORKING, files, { local }), [], "on a shared network nothing is announced");
	t.deepEqual(await found("ipAddress: 172.22.0.1", dedicated, { local }), []);
});

test("ramdisk files: not there, empty, swapped, a web page", async (t) => {
	const gone = "deployRamdisk: {kernel: /nonexistent/kernel, initramfs: /nonexistent/initramfs}";
	t.deepEqual(await found(NETWORKING, gone), [
		"error deploy-ramdisk-missing 9:32",
		"error deploy-ramdisk-missing 9:64",
	]);
	const codes = async (kernel: Buffer, initramfs: Buffer) =>
		(await found(NETWORKING, await ramdisk(kernel, initramfs))).map((line) => line.replace(/ \S+$/, ""));
	t.deepEqual(await codes(KERNEL, Buffer.alloc(0)), ["error deploy-ramdisk-missing"]);
	t.deepEqual(await codes(INITRAMFS, KERNEL), ["warning deploy-ramdisk-odd"]);
	t.deepEqual(await codes(Buffer.from("<html>"), Buffer.from("<html>")), [
		"warning deploy-ramdisk-odd",
		"warning deploy-ramdisk-odd",
	]);
	for (const start of ["fd377a585a00", "28b52ffd", "303730373031", "5d0000", "425a68"])
		t.deepEqual(await codes(KERNEL, Buffer.from(start, "hex")), [], start);
});

test("images that are missing and cannot be pulled are all told; the others will be pulled", async (t) => {
	const files = await ramdisk(KERNEL, INITRAMFS);
	const engine = async () => engineWith({});
	const codes = async (ironic: string, mariadb: string) => {
		const images = `images: {ironic: '${ironic}', mariadb: '${mariadb}'}`;
		const told = await found(NETWORKING, `${files}, ${images}`, { engine });
		return told.map((line) => line.replace(/ \S+$/, ""));
	};
	t.deepEqual(await codes("localhost/mine:1", "localhost/db:1"), [
		"error image-missing",
		"error image-missing",
	]);
	t.deepEqual(await codes("localhost/mine:1", "db:1"), ["error image-missing"]);
	t.deepEqual(await codes("quay.io/ironic:1", "registry.example.org:5000/db:1"), []);
	t.deepEqual(await found(NETWORKING, files, { engine }), []);
});

test("every check has a name of its own and says why it matters", (t) => {
	const checks = hereChecks(siteOf(NETWORKING, ""), [], async () => engineWith({}));
	t.is(new Set(checks.map(({ id }) => id)).size, checks.length);
	for (const { id, why } of checks) t.true(/^[a-z]+(-[a-z]+)*$/.test(id) && why.length > 20, id);
});
