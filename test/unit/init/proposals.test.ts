import test from "ava";
import { freeRange } from "../../../src/init/address-range.ts";
import { proposeBoot } from "../../../src/init/boot-method.ts";
import { interfaceChoices, interfaceTitle } from "../../../src/init/interface-choice.ts";
import { completeAnswers, planWarnings, proposeAddress } from "../../../src/init/proposals.ts";
import type { DhcpLook } from "../../../src/linux/dhcp-look.ts";
import { parseCidr } from "../../../src/resources/ip.ts";
import { jumpHost, laptop, machine, machineLink } from "./_machine.ts";

const nobody: DhcpLook = { outcome: "looked", servers: [] };
const blind: DhcpLook = { outcome: "could-not-look", why: "it needs root" };
const foreign: DhcpLook = {
	outcome: "looked",
	servers: [
		{ address: "172.22.0.254", offered: "172.22.0.31", router: undefined, bootFile: undefined, own: false },
	],
};
const own: DhcpLook = {
	outcome: "looked",
	servers: [{ address: "172.22.0.1", offered: undefined, router: undefined, bootFile: undefined, own: true }],
};

test("a jump host: the interface that nothing else uses comes first, engines' own are not offered", (t) => {
	t.deepEqual(
		interfaceChoices(jumpHost).map(({ link, shared, note }) => [link.name, shared, note]),
		[
			["eno2", false, "nothing else uses it: a dedicated network"],
			["eno1", true, "your own connection comes in here; it is shared, and left as it is"],
		],
	);
});

test("a wired interface without an address is better than the one that is shared; Wi-Fi is last", (t) => {
	const facts = machine([
		machineLink("wlan0", { kind: "wireless", ip: "192.168.1.5/24" }),
		machineLink("eth0", { ip: "10.0.0.5/24", gateway: "10.0.0.1" }),
		machineLink("eth1"),
		machineLink("eth2", { link: false }),
	]);
	t.deepEqual(
		interfaceChoices(facts).map(({ link }) => link.name),
		["eth1", "eth2", "eth0", "wlan0"],
	);
});

test("an interface's line fits a list", (t) => {
	t.is(
		interfaceTitle(machineLink("eno2", { ip: "172.22.0.1/24", speedMbps: 10_000 })),
		"eno2       172.22.0.1/24      10 Gb/s",
	);
	t.is(
		interfaceTitle(machineLink("bond0.40", { kind: "vlan", vlan: 40, over: ["bond0"] })),
		"bond0.40   no IPv4 address    VLAN 40 on bond0 1 Gb/s",
	);
});

test("how servers boot: network where it hurts nobody, virtual media elsewhere, and why", (t) => {
	const dedicated = { link: machineLink("eno2", { ip: "172.22.0.1/24" }), shared: false, note: "" };
	const shared = { link: machineLink("eno1", { ip: "10.0.0.5/24" }), shared: true, note: "" };
	const leased = {
		...shared,
		link: machineLink("eno1", {
			addresses: [{ family: 4, address: "10.0.0.5", cidr: "10.0.0.5/24", dynamic: true }],
		}),
	};
	const [wifi] = interfaceChoices(laptop);
	if (wifi === undefined) return t.fail();
	const table = [
		[dedicated, nobody, "network", /^no other DHCP server answers on eno2/],
		[dedicated, own, "network", /^no other DHCP server answers on eno2/],
		[dedicated, foreign, "virtual-media", /^172\.22\.0\.254 already gives out addresses on eno2/],
		[dedicated, blind, "network", /could not be seen \(it needs root\)/],
		[shared, nobody, "network", /^no other DHCP server/],
		[shared, blind, "virtual-media", /^eno1 is shared, and whether/],
		[leased, blind, "virtual-media", /^eno1 got its own address by DHCP/],
		[wifi, nobody, "virtual-media", /^wlp3s0 is Wi-Fi/],
	] as const;
	for (const [choice, dhcp, boot, reason] of table) {
		const proposal = proposeBoot(choice, dhcp);
		t.is(proposal.boot, boot, String(reason));
		t.regex(proposal.reasons[0] ?? "", reason);
		t.is(proposal.instead !== undefined, boot === "virtual-media");
	}
});

test("a laptop on Wi-Fi: virtual media, addresses from the network's own DHCP server", (t) => {
	const hosts = [{ name: "cp-0", bmc: "redfish-virtualmedia://192.168.1.9", username: "admin" }];
	t.deepEqual(completeAnswers({ interface: "wlp3s0", hosts }, laptop, blind), {
		interface: "wlp3s0",
		boot: "virtual-media",
		addresses: "existing-dhcp",
		hosts,
	});
});

test("a jump host: network boot, a pool away from everything that is taken", (t) => {
	t.deepEqual(completeAnswers({ interface: "eno2", hosts: [] }, jumpHost, nobody), {
		interface: "eno2",
		boot: "network",
		range: { begin: "172.22.0.100", end: "172.22.0.199" },
		hosts: [],
	});
});

test("what a person said is not proposed away, but warned about", (t) => {
	const answers = { interface: "eno2", boot: "network", hosts: [] } as const;
	t.is(completeAnswers({ ...answers, hosts: [] }, jumpHost, foreign).boot, "network");
	t.regex(
		planWarnings({ ...answers, hosts: [] }, foreign)[0] ?? "",
		/^172\.22\.0\.254 gives out addresses on eno2, too/,
	);
	t.deepEqual(planWarnings({ ...answers, hosts: [] }, own), []);
});

test("ranges: from .100 on, else the later half of the largest gap, else nothing", (t) => {
	const range = (network: string, ...taken: string[]) => {
		const found = freeRange(parseCidr(network), taken);
		return found && `${found.begin}-${found.end}`;
	};
	t.is(range("172.22.0.0/24", "172.22.0.1"), "172.22.0.100-172.22.0.199");
	t.is(range("172.22.0.0/24", "172.22.0.1", "172.22.0.150"), "172.22.0.100-172.22.0.149");
	t.is(range("10.0.0.0/28", "10.0.0.1"), "10.0.0.8-10.0.0.14");
	t.is(range("10.0.0.0/8", "10.0.0.1"), "10.0.0.100-10.0.0.199");
	t.is(range("10.0.0.0/30", "10.0.0.1", "10.0.0.2"), undefined);
	t.is(range("10.0.0.0/31"), undefined);
	t.is(range("fd00::/64"), undefined);
});

test("an address for an interface without one: in a network that this machine is not in", (t) => {
	t.is(proposeAddress([]), "172.22.0.1/24");
	t.is(proposeAddress([machineLink("br-x", { ip: "172.22.0.9/16" })]), "172.23.0.1/24");
});
