import type { FencePlan } from "./plan.ts";
import { anyOf, chainText, header, link } from "./text.ts";

/**
 * What containers may reach: after connection tracking, so that answers pass, and before DNAT, so that the address is
 * the one that the container meant. One chain for what is forwarded and for what is meant for this machine.
 */
export function egressChain(plan: FencePlan): string {
	const { bridge, containers, doors } = plan;
	const service = "ip daddr . meta l4proto . th dport";
	return chainText(
		"egress",
		[
			`iifname != ${link(bridge)} accept`,
			"ct state established,related accept",
			`${service} @bmc_services accept`,
			`${service} @image_services accept`,
			"ip daddr @name_servers meta l4proto { tcp, udp } th dport 53 accept",
			...doors
				.filter(({ who }) => who === "servers" || who === "external")
				.map(
					({ address, ports }) => `${header(address, "daddr")} ${address} tcp dport ${anyOf(ports)} accept`,
				),
			"ip daddr @allowed accept",
			"# Neighbour discovery and group membership: nothing that leaves the bridge.",
			"ip6 daddr { fe80::/10, ff02::/16 } drop",
			"ip daddr 224.0.0.0/4 drop",
			"# Nothing else of this machine itself, by whichever of its addresses.",
			"fib daddr type { local, broadcast } goto refuse_host",
			`ip daddr ${containers} accept`,
			"ip daddr @servers accept",
			"ip daddr @elsewhere accept",
			...(plan.anySource || doors.some(({ who }) => who === "external")
				? ["# Deploy ramdisks may be anywhere; this is where they listen.", "tcp dport 9999 accept"]
				: []),
			"goto refuse_egress",
		],
		"filter hook prerouting priority mangle",
	);
}
