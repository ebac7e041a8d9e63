import type { Door, FencePlan } from "./plan.ts";
import { anyOf, chainText, header, link } from "./text.ts";

/**
 * Prerouting before connection tracking and before any engine's DNAT: the only place where a packet still carries the
 * address that its sender used. Whatever an engine publishes behind it, a drop here is final.
 */
export function entryChains(plan: FencePlan): readonly string[] {
	const { bridge, containers, doors } = plan;
	const lines = [
		'iifname "lo" accept',
		"# An engine may open 127.0.0.0/8 to its bridge (route_localnet) for ports that it publishes there.",
		`iifname ${link(bridge)} ip daddr 127.0.0.0/8 goto refuse_loopback`,
		"# What containers may reach is decided in the chain egress.",
		`iifname ${link(bridge)} accept`,
		"# Nobody else knows that containers have addresses.",
		`ip daddr ${containers} goto refuse_container`,
		`ip saddr ${containers} goto refuse_spoofed`,
		...doors.map((door, index) => doorLine(door, index)),
		...serviceLines(plan),
	];
	return [
		...doors.flatMap((door, index) => doorChain(door, index, plan)),
		chainText("entry", lines, "filter hook prerouting priority raw"),
	];
}

/** `::` and `0.0.0.0` publish on every address: there is nothing to tell apart then. */
function doorLine({ address, ports, who }: Door, index: number): string {
	const unspecified = address === "0.0.0.0" || address === "::";
	const match = unspecified ? "" : `${header(address, "daddr")} ${address} `;
	return `${match}tcp dport ${anyOf(ports)} goto ${who === "machine" ? "refuse_loopback" : doorName(who, index)}`;
}

function doorChain({ address, link: carrier, who }: Door, index: number, plan: FencePlan): readonly string[] {
	if (who === "machine") return [];
	const by = carrier === undefined ? "" : `iifname ${link(carrier)} `;
	const name = doorName(who, index);
	if (who === "operators")
		return [
			chainText(name, [
				...(address === "0.0.0.0" || address === "::" ? ["accept"] : [`${by}accept`]),
				"goto refuse_operator",
			]),
		];
	const six = address.includes(":") ? "6" : "";
	const from = (set: string) => `${header(address, "saddr")} @${set}${six}`;
	if (who === "bmcs") return [chainText(name, [`${from("media_bmcs")} accept`, "goto refuse_published"])];
	const anywhere = who === "external" || plan.anySource;
	return [
		chainText(name, [
			anywhere ? `${by}accept` : `${by}${from("servers")} accept`,
			`${from("elsewhere")} accept`,
			"# BMCs are often in a network of their own, which may be routed to us by any interface.",
			`${from("media_bmcs")} tcp dport ${plan.media.port} accept`,
			"goto refuse_published",
		]),
	];
}

/** dnsmasq binds the provisioning interface's addresses; the kernel would deliver to them from any interface. */
function serviceLines({ doors, provisioning, services }: FencePlan): readonly string[] {
	const door = doors.find(({ who }) => who === "servers");
	if (door === undefined || services.length === 0) return [];
	const elsewhere = `iifname != ${link(provisioning)} ${header(door.address, "daddr")} ${door.address}`;
	return [
		"# DHCP, TFTP and DNS are for the provisioning interface alone; there, the chain services decides.",
		`${elsewhere} udp dport ${anyOf(services)} goto refuse_service`,
		...(services.includes(53) ? [`${elsewhere} tcp dport 53 goto refuse_service`] : []),
	];
}

function doorName(who: Door["who"], index: number): string {
	return `door_${index}_${who}`;
}
