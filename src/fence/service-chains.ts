import type { FencePlan } from "./plan.ts";
import { clientAddress, firmwareAt } from "./sets.ts";
import { chainText, link } from "./text.ts";

/** Firmware puts its architecture within the first of its options; iPXE comes latest, behind its list of wishes. */
const firmwarePlaces = 64;

const unknownMac = ["update @unknown_macs { ether saddr }", "add @unknown_macs_since { ether saddr }"];

/**
 * dnsmasq's doors, in the input hook: with `br_netfilter` a rule in prerouting would also see, and drop, what servers
 * on a bridge say to other DHCP servers. Only the provisioning interface is looked at: other networks of this machine
 * may have DHCP servers of their own.
 */
export function serviceChains(plan: FencePlan, closed: boolean): readonly string[] {
	if (plan.services.length === 0) return [];
	const on = `iifname ${link(plan.provisioning)}`;
	return [
		chainText("dhcp4", [
			"# The client's own address, also behind a relay.",
			`${clientAddress} @known_clients accept`,
			`update @unknown_clients { ${clientAddress} }`,
			`add @unknown_clients_since { ${clientAddress} }`,
			"jump firmware",
			closed ? "goto refuse_dhcp" : "accept",
		]),
		chainText("firmware", [
			"# Options have no fixed places, and nothing here can walk them: one line for each place.",
			...Array.from({ length: firmwarePlaces }, (_, byte) => {
				const { architecture, head } = firmwareAt(byte);
				return `${head} update @unknown_firmware { ${clientAddress} . ${architecture} } return`;
			}),
		]),
		chainText("dhcp6", [
			"# What a relay forwards (message type 12) has the relay's MAC address.",
			"ip6 saddr @relayed6 @th,64,8 12 accept",
			"ether saddr @known_macs accept",
			...unknownMac,
			closed ? "goto refuse_dhcp" : "accept",
		]),
		chainText("tftp", [
			"ip saddr @relayed accept",
			"ip6 saddr @relayed6 accept",
			"ether saddr @known_macs accept",
			...(closed
				? [...unknownMac, "goto refuse_tftp"]
				: ["ip saddr @servers accept", "ip6 saddr @servers6 accept", "goto refuse_tftp"]),
		]),
		...(plan.dns
			? [
					chainText("dns", [
						"ip saddr @servers accept",
						"ip6 saddr @servers6 accept",
						"ip6 saddr fe80::/10 accept",
						"goto refuse_dns",
					]),
				]
			: []),
		chainText(
			"services",
			[
				"# What dnsmasq announces comes back to this machine, which would take an address of it.",
				`${on} icmpv6 type nd-router-advert fib saddr . iif type local drop`,
				"# Nor is this machine, when it asks who else serves DHCP, a server that nobody knows.",
				`${on} udp dport { 67, 547 } fib saddr . iif type local accept`,
				"# Who else serves this network; nobody is hindered.",
				`${on} icmpv6 type nd-router-advert update @routers { ether saddr . ip6 saddr } accept`,
				`${on} udp sport 67 udp dport 68 fib saddr . iif type != local update @dhcp_servers { ether saddr . ip saddr } accept`,
				`${on} udp dport { 67, 4011 } goto dhcp4`,
				`${on} udp dport 547 goto dhcp6`,
				`${on} udp dport 69 goto tftp`,
				...(plan.dns ? [`${on} udp dport 53 goto dns`, `${on} tcp dport 53 goto dns`] : []),
			],
			"filter hook input priority filter - 10",
		),
	];
}
