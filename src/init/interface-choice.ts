import type { MachineInterface } from "../linux/ip-json.ts";
import { loginInterface, type MachineFacts } from "./facts.ts";

/** An interface as a candidate for the provisioning network. */
export interface InterfaceChoice {
	readonly link: MachineInterface;
	/** Something else runs over it: the person's connection, or the way to everywhere. */
	readonly shared: boolean;
	/** One line: what it is, and what choosing it means. */
	readonly note: string;
}

/**
 * The interfaces that could be the provisioning one, the best first: wired, with a link, with an address, and used for
 * nothing else. Left out is what cannot be: ports of a bridge or bond (their bridge has the address), tunnels, and
 * what container engines and hypervisors made for themselves.
 */
export function interfaceChoices(facts: MachineFacts): readonly InterfaceChoice[] {
	const login = loginInterface(facts);
	return facts.interfaces
		.filter(isCandidate)
		.map((link) => {
			const isLogin = link.name === login?.name;
			return {
				link,
				shared: isLogin || link.gateway !== undefined,
				note: noteOf(link, isLogin),
				rank: rankOf(link, isLogin),
			};
		})
		.toSorted((a, b) => b.rank - a.rank)
		.map(({ link, shared, note }) => ({ link, shared, note }));
}

function isCandidate({ memberOf, kind, managedBy, addresses, mac }: MachineInterface): boolean {
	if (memberOf !== undefined || managedBy !== undefined || kind === "tunnel" || mac === undefined)
		return false;
	return kind !== "virtual" || addresses.length > 0;
}

function rankOf(link: MachineInterface, isLogin: boolean): number {
	const points: readonly (readonly [boolean, number])[] = [
		[link.kind !== "wireless", 32],
		[link.gateway === undefined && !isLogin, 16],
		[link.link === true, 8],
		[link.kind !== "virtual", 4],
		[hasIpv4(link), 2],
		[(link.speedMbps ?? 0) >= 1000, 1],
	];
	return points.reduce((sum, [holds, weight]) => sum + (holds ? weight : 0), 0);
}

function noteOf(link: MachineInterface, isLogin: boolean): string {
	if (link.kind === "wireless") return "Wi-Fi: servers cannot network-boot over it, virtual media can work";
	if (isLogin) return "your own connection comes in here; it is shared, and left as it is";
	if (link.gateway !== undefined) return "the default route goes this way; it is shared, and left as it is";
	if (link.link === false) return "no cable is connected";
	if (link.link === undefined) return "switched off";
	return hasIpv4(link)
		? "nothing else uses it: a dedicated network"
		: "has no address yet; you would add one";
}

/** `enp3s0  172.22.0.1/24  1 Gb/s`: an interface in a list. */
export function interfaceTitle(link: MachineInterface): string {
	const { name, kind, speedMbps, vlan, over } = link;
	const address = link.addresses.find(({ family }) => family === 4)?.cidr ?? "no IPv4 address";
	const speed =
		speedMbps === undefined || kind === "wireless" || kind === "bridge"
			? []
			: [speedMbps >= 1000 ? `${speedMbps / 1000} Gb/s` : `${speedMbps} Mb/s`];
	const what = {
		ethernet: [],
		wireless: ["Wi-Fi"],
		bridge: [over.length === 0 ? "bridge without ports" : "bridge"],
		bond: [`bond of ${over.join(", ")}`],
		vlan: [`VLAN ${vlan ?? "?"} on ${over.join(", ")}`],
		tunnel: ["tunnel"],
		virtual: ["virtual"],
	}[kind];
	return [name.padEnd(10), address.padEnd(18), ...what, ...speed].join(" ").trimEnd();
}

export function hasIpv4({ addresses }: MachineInterface): boolean {
	return addresses.some(({ family }) => family === 4);
}
