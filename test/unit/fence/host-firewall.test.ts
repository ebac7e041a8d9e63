import test from "ava";
import { type FirewallFacts, firewallAdvice } from "../../../src/fence/host-firewall.ts";

const nothing: FirewallFacts = { firewalld: undefined, ufw: undefined, ruleset: [], bridgeNetfilter: false };
const advice = (facts: Partial<FirewallFacts>, services: readonly number[] = [67, 69]) =>
	firewallAdvice({ ...nothing, ...facts }, { provisioning: "br-prov", services }).map((each) =>
		each.manager === undefined
			? each.fix
			: [each.open, each.close].map((commands) => commands.map((command) => command.join(" "))),
	);
const chain = (hook: string, policy: string, family = "inet") => ({
	chain: { family, table: "filter", name: hook.toUpperCase(), hook, policy },
});

for (const [title, facts, expected] of [
	["nothing in the way", {}, []],
	[
		"firewalld without the ports",
		{ firewalld: { zone: "public", ports: ["22/tcp", "69/udp"] } },
		[
			[
				[
					"firewall-cmd --zone=public --add-port=67/udp",
					"firewall-cmd --permanent --zone=public --add-port=67/udp",
				],
				[
					"firewall-cmd --zone=public --remove-port=67/udp",
					"firewall-cmd --permanent --zone=public --remove-port=67/udp",
				],
			],
		],
	],
	["firewalld that has them", { firewalld: { zone: "public", ports: ["67/udp", "69/udp"] } }, []],
	["firewalld's zone that accepts all", { firewalld: { zone: "trusted", ports: [] } }, []],
	[
		"ufw with a rule for another interface",
		{
			ufw: [
				"Status: active",
				"67/udp on eth9              ALLOW       Anywhere",
				"69/udp on br-prov           ALLOW       Anywhere",
			],
		},
		[
			[
				["ufw allow in on br-prov to any port 67 proto udp"],
				["ufw delete allow in on br-prov to any port 67 proto udp"],
			],
		],
	],
	[
		"ufw that lets them in everywhere",
		{
			ufw: [
				"67/udp                     ALLOW       Anywhere",
				"69                         ALLOW       Anywhere",
			],
		},
		[],
	],
	[
		"a table of nobody that drops by default",
		{ ruleset: [chain("input", "drop"), chain("input", "accept"), chain("output", "drop")] },
		["nft insert rule inet filter INPUT iifname br-prov udp dport '{ 67, 69 }' accept"],
	],
	["a forward policy alone, which a bridge does not see", { ruleset: [chain("forward", "drop", "ip")] }, []],
	[
		"the same where bridged frames pass it",
		{ ruleset: [chain("forward", "drop", "ip")], bridgeNetfilter: true },
		["iptables -I FORWARD -i br-prov -o br-prov -j ACCEPT (with Docker: into the chain DOCKER-USER)"],
	],
] satisfies [string, Partial<FirewallFacts>, unknown[]][])
	test(title, (t) => {
		t.deepEqual(advice(facts), expected);
	});

test("without DHCP there is nothing to open", (t) => {
	t.deepEqual(advice({ ruleset: [chain("input", "drop")] }, []), []);
});
