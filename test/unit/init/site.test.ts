import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { type Answers, formatAnswers, parseAnswers } from "../../../src/init/answers.ts";
import { checkSite } from "../../../src/init/check-site.ts";
import { nextSteps } from "../../../src/init/next-steps.ts";
import { planSite } from "../../../src/init/plan.ts";
import { readSavedAnswers, saveAnswers } from "../../../src/init/saved-answers.ts";
import { siteFiles } from "../../../src/init/site-text.ts";
import { refuseExistingSite, writeSite } from "../../../src/init/write-site.ts";
import { faultsOf, type IronstrapError } from "../../../src/lib/errors.ts";
import { loadSite } from "../../../src/site/load.ts";
import { jumpHost, machine, machineLink } from "./_machine.ts";

const hosts: Answers["hosts"] = [
	{
		name: "cp-0",
		bmc: "redfish://10.0.0.20/redfish/v1/Systems/1",
		username: "admin",
		bootMAC: "52-54-00-AB-00-01",
		disableCertificateVerification: true,
	},
	{ name: "cp-1", bmc: "ipmi://10.0.0.21", username: "ADMIN", bootMAC: "52:54:00:ab:00:02" },
];
const network: Answers = {
	interface: "eno2",
	boot: "network",
	range: { begin: "172.22.0.100", end: "172.22.0.150" },
	ramdisk: { kernel: "/srv/ipa/kernel", initramfs: "/srv/ipa/initramfs" },
	image: { url: "http://10.0.0.9/a.qcow2", checksum: "http://10.0.0.9/a.qcow2.sha256" },
	hosts,
};
/** Means something to YAML, to JSON and to a shell. */
const password = `"quo'te: #\\n$x%{{y}}\tß`;
const passwords = new Map(hosts.map(({ name }) => [name, password]));

function folder(t: ExecutionContext): string {
	const directory = mkdtempSync(join(tmpdir(), "ironstrap-init-"));
	t.teardown(() => rmSync(directory, { recursive: true }));
	return join(directory, "site");
}

test("the site for network boot is accepted as it stands, secrets for their owner alone", async (t) => {
	const directory = folder(t);
	const files = siteFiles(planSite(network, jumpHost, "answers"), passwords);
	t.deepEqual(checkSite(files), []);
	await writeSite(directory, files);
	const { site, warnings } = await loadSite([directory]);
	t.deepEqual(warnings, []);
	t.like(site.ironic.spec.networking, {
		interface: "eno2",
		ipAddress: "172.22.0.1",
		dhcp: { networkCIDR: "172.22.0.0/24", rangeBegin: "172.22.0.100", rangeEnd: "172.22.0.150" },
	});
	t.deepEqual(site.bootstrap.spec.deployRamdisk, {
		kernel: "/srv/ipa/kernel",
		initramfs: "/srv/ipa/initramfs",
	});
	t.like(site.hosts[0]?.spec, {
		bootMACAddress: "52:54:00:ab:00:01",
		bmc: {
			address: "redfish://10.0.0.20/redfish/v1/Systems/1",
			credentialsName: "cp-0-bmc",
			disableCertificateVerification: true,
		},
		image: {
			url: "http://10.0.0.9/a.qcow2",
			checksum: "http://10.0.0.9/a.qcow2.sha256",
			checksumType: "sha256",
		},
	});
	t.is(site.secrets.find(({ metadata }) => metadata.name === "cp-1-bmc")?.data.password, password);
	for (const name of readdirSync(directory)) {
		const isSecret = name.startsWith("secret-");
		t.is((statSync(join(directory, name)).mode & 0o777).toString(8), isSecret ? "600" : "644", name);
		t.is(readFileSync(join(directory, name), "utf8").includes("quo'te"), isSecret, name);
		t.regex(readFileSync(join(directory, name), "utf8"), isSecret ? /kind: Secret/ : /^# /);
	}
	t.is((statSync(directory).mode & 0o777).toString(8), "700");
});

test("virtual media with fixed addresses: no DHCP, a network Secret for each host", async (t) => {
	const answers: Answers = {
		...network,
		boot: "virtual-media",
		addresses: "static",
		hosts: [
			{
				...hosts[0],
				name: "cp-0",
				bmc: "redfish-virtualmedia://10.0.0.20/redfish/v1/Systems/1",
				username: "a",
			},
			{
				...hosts[1],
				name: "cp-1",
				bmc: "idrac-virtualmedia://10.0.0.21/redfish/v1/Systems/System.Embedded.1",
				username: "a",
				address: "172.22.0.100",
			},
		],
	};
	const plan = planSite(answers, jumpHost, "answers");
	t.deepEqual(
		plan.hosts.map(({ address }) => address),
		["172.22.0.101", "172.22.0.100"],
		"the one that was asked for is not given to another",
	);
	const directory = folder(t);
	await writeSite(directory, siteFiles(plan, passwords));
	const { site, warnings } = await loadSite([directory]);
	t.deepEqual(warnings, []);
	t.is(site.ironic.spec.networking.dhcp, undefined);
	t.is(site.hosts[0]?.spec.preprovisioningNetworkDataName, "cp-0-network");
	const data =
		site.secrets.find(({ metadata }) => metadata.name === "cp-0-network")?.data.networkData ?? "{}";
	t.deepEqual(JSON.parse(data), {
		links: [{ id: "nic0", type: "phy", ethernet_mac_address: "52:54:00:ab:00:01", mtu: 1500 }],
		networks: [
			{
				id: "provisioning",
				link: "nic0",
				type: "ipv4",
				ip_address: "172.22.0.101",
				netmask: "255.255.255.0",
				network_id: "provisioning",
				routes: [],
			},
		],
		services: [],
	});
});

test("a site without ramdisk, image and hosts is accepted, too", async (t) => {
	const directory = folder(t);
	const answers: Answers = { ...network, ramdisk: false, image: false, hosts: [] };
	await writeSite(directory, siteFiles(planSite(answers, jumpHost, "a"), passwords));
	t.deepEqual((await loadSite([directory])).warnings, []);
});

test("everything that is missing or wrong in the answers is told at once, without a password", (t) => {
	const answers: Answers = {
		name: "Metal 3",
		interface: "eno9",
		image: { url: "https://me:hunter2@x/y", checksum: "xyz" },
		hosts: [
			{ name: "cp-0", bmc: "10.0.0.300", username: "", bootMAC: "52:54:00:ab:00:01" },
			{ name: "cp-0", bmc: "10.0.0.21", username: "a", bootMAC: "52-54-00-ab-00-01" },
		],
	};
	const faults = faultsOf(t.throws(() => planSite(answers, jumpHost, "my.yaml")));
	t.deepEqual(
		faults.map(({ message }) => message.split("`")[1]),
		[
			"name",
			"interface",
			"boot",
			"address",
			"image.url",
			"image.checksum",
			"hosts.0.bmc",
			"hosts.0.username",
			"hosts.1.name",
			"hosts.1.bootMAC",
		],
	);
	t.true(faults.every(({ where }) => where?.file === "my.yaml"));
	t.false(faults.some(({ seen }) => seen?.includes("hunter2")));
});

test("an interface without an address gets the one that was chosen, and the command is told first", (t) => {
	const facts = machine([machineLink("eno2")], { engine: { found: false, why: "" } });
	const plan = planSite({ ...network, address: "172.22.0.1/24", ramdisk: false, hosts: [] }, facts, "a");
	t.false(plan.addressPresent);
	t.deepEqual(
		nextSteps(plan, facts.engine, "my site").map(({ command }) => command),
		[
			"ip address add 172.22.0.1/24 dev eno2",
			"systemctl enable --now podman.socket",
			"edit 'my site'/bootstrap.yaml",
			"ironstrap lint -f 'my site'",
			"ironstrap images build",
			"ironstrap up -f 'my site'",
		],
	);
});

test("nothing is overwritten: neither a folder with manifests nor a file that appears meanwhile", async (t) => {
	const directory = folder(t);
	await refuseExistingSite(directory);
	await saveAnswers(directory, network);
	await refuseExistingSite(directory);
	writeFileSync(join(directory, "ironic.yaml"), "mine");
	t.is((await t.throwsAsync<IronstrapError>(refuseExistingSite(directory)))?.code, "site-exists");
	const file = (name: string) => ({ name, text: "new", mode: 0o644 }) as const;
	const error = await t.throwsAsync<IronstrapError>(
		writeSite(directory, [file("a.yaml"), file("ironic.yaml")]),
	);
	t.is(error?.code, "site-exists");
	t.is(readFileSync(join(directory, "ironic.yaml"), "utf8"), "mine");
	t.deepEqual(readdirSync(directory).toSorted(), [".ironstrap-answers.yaml", "ironic.yaml"]);
});

test("answers survive a round trip; unknown fields and YAML faults are refused with the file's name", async (t) => {
	t.deepEqual(parseAnswers(formatAnswers(network), "a"), network);
	const directory = folder(t);
	await saveAnswers(directory, network);
	t.deepEqual(await readSavedAnswers(directory), network);
	t.is((statSync(join(directory, ".ironstrap-answers.yaml")).mode & 0o777).toString(8), "600");
	for (const text of ["password: x", "hosts: 7", "a: [", "- 1"]) {
		const [fault] = faultsOf(t.throws(() => parseAnswers(text, "my.yaml")));
		t.is(fault?.code, "answers-invalid", text);
		t.is(fault?.where?.file, "my.yaml");
	}
});
