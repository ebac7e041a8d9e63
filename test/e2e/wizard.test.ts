import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import test, { type ExecutionContext } from "ava";
import { FOREIGN_DHCP, startDnsmasq } from "../../lab/dhcp-server.ts";
import { HOME } from "../../lab/home.ts";
import { imageStore } from "../../lab/image-store.ts";
import { type Lab, type LabOptions, startLab } from "../../lab/lab.ts";
import { NEIGHBOUR } from "../../lab/network.ts";
import { faultsIn, ironstrap, launcher, type Outcome } from "../../lab/story/product.ts";
import { type LabTerminal, openTerminal } from "../../lab/terminal.ts";
import { loadSite } from "../../src/site/load.ts";

const site = "/run/ironstrap-lab/site";
const ramdisk = { kernel: "/run/ironstrap-lab/ipa/kernel", initramfs: "/run/ironstrap-lab/ipa/initramfs" };

async function lab(t: ExecutionContext, options: LabOptions): Promise<Lab> {
	const started = await startLab({ tls: true, ...options });
	t.teardown(() => started.stop());
	mkdirSync(started.sandbox.path("/run/ironstrap-lab/ipa"));
	for (const [name, path] of Object.entries(ramdisk))
		writeFileSync(started.sandbox.path(path), `the ${name}`);
	return started;
}

const utf8 = { LANG: "C.UTF-8" };
/** A console from another time: no colours, no UTF-8. */
const plain = { LANG: "C", LC_ALL: "C", NO_COLOR: "1" };

const start = ({ sandbox }: Lab, env: Readonly<Record<string, string>> = utf8) =>
	openTerminal(sandbox, [process.execPath, launcher, "init", site], { env });

/** Waits for a question (the last line that begins with `?`) and answers it. */
async function answer(terminal: LabTerminal, question: string, ...keys: readonly string[]): Promise<string> {
	const screen = await terminal.sees(new RegExp(`^\\? ${question}`, "m"));
	for (const key of keys) await (key.startsWith("<") ? terminal.press(key.slice(1, -1)) : terminal.type(key));
	return screen;
}

const enter = "<Enter>";

async function answerBmc(terminal: LabTerminal, { bmc }: Lab): Promise<void> {
	await answer(terminal, "Address of the first", new URL(bmc.address).host, enter);
	await answer(terminal, "User name", enter);
	await answer(terminal, "Password", bmc.password, enter);
}

const warnings = ({ lines }: Outcome): readonly string[] =>
	lines.filter(({ level }) => level === "warning").map(({ message }) => String(message));

/** 80 × 24: nothing is wider, and the drawing stands whole above its question. */
function fits(t: ExecutionContext, screen: string): void {
	const lines = screen.split("\n");
	t.true(lines.length <= 24);
	t.true(lines.every((line) => line.length <= 80));
}

test("from the first question to a site that lint passes and up accepts", async (t) => {
	t.timeout(5 * 60_000);
	const here = await lab(t, { imageStores: [await imageStore()] });
	const terminal = await start(here);
	t.regex(await answer(terminal, "Provisioning interface", enter), /engine {3}Podman \d/);
	const boot = await answer(terminal, "How the servers boot", enter);
	t.regex(boot, /no other DHCP server answers on br-prov/);
	// what is wrong is said while it is typed, and not taken
	await terminal.sees(/\? Address of the first/);
	await terminal.type("10.0.0.300");
	await terminal.sees(/10\.0\.0\.300 {2}\(has a host/);
	await terminal.press("C-u");
	await answerBmc(terminal, here);
	const name = await answer(terminal, "Name of this host", enter);
	t.regex(name, /Lab VirtualServer, serial s0,\s+power off/);
	await answer(terminal, "Next BMC", enter);
	await answer(terminal, "DHCP range", enter);
	await answer(terminal, "Its kernel", ramdisk.kernel, enter);
	await answer(terminal, "Its initramfs", enter);
	await answer(terminal, "URL of the disk image", enter);
	const drawing = await answer(terminal, "Write this site", enter);
	fits(t, drawing);
	t.regex(
		drawing,
		/THIS MACHINE\n├─ br-prov ═══ provisioning network 172\.22\.0\.0\/24\n│ {2}├─ 172\.22\.0\.1 /,
	);
	t.is(await terminal.ended(), 0);
	t.regex(await terminal.transcript(), new RegExp(`ironstrap up -f ${site}`));
	t.false((await terminal.transcript()).includes(here.bmc.password));

	const linted = await ironstrap(here.sandbox, ["lint", "-f", site]);
	t.is(linted.exitCode, 0, faultsIn(linted));
	t.like(linted.result, { site: "metal3", hosts: 1, warnings: [] });
	const up = await ironstrap(here.sandbox, ["up", "-f", site, "--no-hosts"]);
	t.is(up.exitCode, 0, faultsIn(up));
	const loaded = await loadSite([here.sandbox.path(site)]);
	t.is(String(loaded.site.hosts[0]?.spec.bootMACAddress), "52:54:00:ab:00:01");
	const down = await ironstrap(here.sandbox, ["down", "--purge", "--yes"]);
	t.is(down.exitCode, 0, faultsIn(down));
});

test("a foreign DHCP server: virtual media is proposed with the reason, and no DHCP is written", async (t) => {
	t.timeout(5 * 60_000);
	const here = await lab(t, { imageStores: [await imageStore()], neighbour: true });
	await startDnsmasq(here.sandbox, { ...NEIGHBOUR, ...FOREIGN_DHCP });
	const terminal = await start(here, plain);
	await answer(terminal, "Provisioning interface", enter);
	const boot = await answer(terminal, "How the servers boot", enter);
	t.regex(boot, /172\.22\.0\.200 already gives out addresses on br-prov/);
	t.regex(boot, /^> from virtual media$/m);
	t.regex(await answer(terminal, "Where the servers", enter), /^> the DHCP server of this network$/m);
	await answerBmc(terminal, here);
	await answer(terminal, "Name of this host", "master", enter);
	await answer(terminal, "Next BMC", enter);
	await answer(terminal, "Its kernel", enter);
	await answer(terminal, "URL of the disk image", enter);
	const drawing = await answer(terminal, "Write this site", enter);
	fits(t, drawing);
	t.regex(drawing, /^\| {2}\+- 172\.22\.0\.200 +DHCP server of this network$/m);
	t.is(await terminal.ended(), 0);
	const transcript = await terminal.transcript();
	t.regex(transcript, /^[\x20-\x7e\n]*$/, "ASCII alone");
	t.false(await terminal.isColoured());
	const { site: loaded } = await loadSite([here.sandbox.path(site)]);
	t.is(loaded.ironic.spec.networking.dhcp, undefined);
	t.is(loaded.hosts[0]?.metadata.name, "master");
	t.regex(loaded.hosts[0]?.spec.bmc?.address ?? "", /^redfish-virtualmedia:\/\/192\.168\.222\.1:8000\//);

	// the same without a person: what is left open is decided the same way
	const [answers, password] = ["/run/ironstrap-lab/answers.yaml", "/run/ironstrap-lab/password"];
	writeFileSync(here.sandbox.path(password), here.bmc.password, { mode: 0o600 });
	writeFileSync(
		here.sandbox.path(answers),
		`hosts: [{ name: cp-0, bmc: "192.168.222.1:8000", username: admin, passwordFile: ${password} }]\n`,
	);
	const unattended = await ironstrap(here.sandbox, ["init", `${site}-2`, "--answers", answers]);
	t.is(unattended.exitCode, 0, faultsIn(unattended));
	t.like(unattended.result?.plan, { boot: "virtual-media", addresses: "existing-dhcp" });
	t.like(unattended.result?.plan, {
		interface: "br-prov",
		address: FOREIGN_DHCP.server.replace(/200$/, "1"),
	});
	const again = await ironstrap(here.sandbox, ["init", `${site}-2`, "--answers", answers]);
	t.is(again.exitCode, 2, "never over an existing site");

	// who serves DHCP there all the same is warned by the wizard, and refused by lint as by `up`
	writeFileSync(here.sandbox.path(answers), `boot: network\nramdisk: ${JSON.stringify(ramdisk)}\n`);
	const insisting = await ironstrap(here.sandbox, ["init", `${site}-3`, "--answers", answers]);
	t.true(warnings(insisting).some((text) => text.startsWith(`${FOREIGN_DHCP.server} gives out addresses`)));
	const linted = await ironstrap(here.sandbox, ["lint", "--here", "-f", `${site}-3`]);
	t.is(linted.exitCode, 2, faultsIn(linted));
	const found = linted.result?.errors as { code: string; seen: string }[] | undefined;
	t.like(found, [{ code: "dhcp-foreign", where: { file: `${site}-3/ironic.yaml`, line: 13, column: 5 } }]);
	t.true(found?.[0]?.seen.startsWith(`DHCPv4 server ${FOREIGN_DHCP.server},`));
});

test("a laptop with Wi-Fi alone: virtual media is proposed, lint passes and up accepts", async (t) => {
	t.timeout(5 * 60_000);
	const here = await lab(t, { imageStores: [await imageStore()], laptop: true });
	await startDnsmasq(here.sandbox, {
		...{ namespace: HOME.namespace, interface: HOME.routerInterface, router: HOME.router },
		...{ begin: "192.168.178.20", end: "192.168.178.40" },
	});
	const terminal = await start(here);
	const first = await answer(terminal, "Provisioning interface", enter);
	t.regex(first, /^❯ wlp2s0 {5}192\.168\.178\.57\/24 {2}Wi-Fi$/m);
	t.regex(first, /Wi-Fi: servers cannot network-boot over it, virtual media can work/);
	const boot = await answer(terminal, "How the servers boot", enter);
	t.regex(boot, /wlp2s0 is Wi-Fi, and firmware boots over a cable/);
	t.regex(boot, /^❯ from virtual media$/m);
	// the router answered, over a radio as over a cable
	t.regex(await answer(terminal, "Where the servers", enter), /^❯ the DHCP server of this network$/m);
	await answerBmc(terminal, here);
	await answer(terminal, "Name of this host", enter);
	await answer(terminal, "Next BMC", enter);
	await answer(terminal, "Its kernel", ramdisk.kernel, enter);
	await answer(terminal, "Its initramfs", enter);
	await answer(terminal, "URL of the disk image", enter);
	const drawing = await answer(terminal, "Write this site", enter);
	fits(t, drawing);
	t.regex(drawing, /├─ wlp2s0 ═══ provisioning network 192\.168\.178\.0\/24/);
	t.regex(drawing, /├─ 192\.168\.178\.1 +the router\n│ {2}├─ 192\.168\.178\.1 +DHCP server, too/);
	t.is(await terminal.ended(), 0);

	const linted = await ironstrap(here.sandbox, ["lint", "-f", site]);
	t.is(linted.exitCode, 0, faultsIn(linted));
	t.like(linted.result, { site: "metal3", hosts: 1, warnings: [] });
	const { site: loaded } = await loadSite([here.sandbox.path(site)]);
	t.like(loaded.ironic.spec.networking, { interface: "wlp2s0", ipAddress: HOME.address, dhcp: undefined });
	t.regex(loaded.hosts[0]?.spec.bmc?.address ?? "", /^redfish-virtualmedia:\/\/192\.168\.178\.60:8000\//);
	const up = await ironstrap(here.sandbox, ["up", "-f", site, "--no-hosts"]);
	t.is(up.exitCode, 0, faultsIn(up));
	const down = await ironstrap(here.sandbox, ["down", "--purge", "--yes"]);
	t.is(down.exitCode, 0, faultsIn(down));
});

test("Ctrl-C loses nothing but passwords; without a terminal it says what it needs", async (t) => {
	t.timeout(2 * 60_000);
	const here = await lab(t, { podman: false });
	const first = await start(here);
	await answer(first, "Provisioning interface", enter);
	await answer(first, "How the servers boot", enter);
	await answerBmc(first, here);
	await answer(first, "Name of this host", "master-0", enter);
	await answer(first, "Next BMC", "<C-c>");
	t.true(await first.isColoured(), "where nobody says NO_COLOR");
	t.is(await first.ended(), 130);
	const directory = here.sandbox.path(site);
	t.deepEqual(readdirSync(directory), [".ironstrap-answers.yaml"]);
	const saved = readFileSync(`${directory}/.ironstrap-answers.yaml`, "utf8");
	t.regex(saved, /name: master-0/);
	t.false(saved.includes(here.bmc.password));

	const second = await start(here);
	await answer(second, "Go on from there", enter);
	await answer(second, "Password of admin at", here.bmc.password, enter);
	await answer(second, "Next BMC", enter);
	await answer(second, "DHCP range", "172.22.0.20-172.22.0.30", enter);
	await answer(second, "Its kernel", "/nowhere", enter);
	await second.sees(/cannot be read on this machine/);
	await second.press("C-u", "Enter");
	await answer(second, "URL of the disk image", enter);
	await answer(second, "Write this site", enter);
	t.is(await second.ended(), 0);
	const { site: loaded } = await loadSite([directory]);
	t.is(loaded.hosts[0]?.metadata.name, "master-0");
	t.is(loaded.secrets[0]?.data.password, here.bmc.password);
	t.false(readdirSync(directory).includes(".ironstrap-answers.yaml"));

	const pipe = await here.sandbox.run(process.execPath, [launcher, "init", `${site}-2`], { reject: false });
	t.is(pipe.exitCode, 2);
	t.regex(pipe.stderr, /no terminal to ask questions on[\s\S]*--answers FILE/);
});
