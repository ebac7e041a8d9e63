import type { DhcpLook } from "../linux/dhcp-look.ts";
import type { InterfaceChoice } from "./interface-choice.ts";

export type BootMethod = "network" | "virtual-media";

/** How servers come to boot, and why so. */
export interface BootProposal {
	readonly boot: BootMethod;
	/** One sentence each, the decisive one first. */
	readonly reasons: readonly string[];
	/** What would make network boot safe, where it is not. */
	readonly instead: string | undefined;
}

const DEDICATED =
	"for network boot, put the servers' boot cards and a second wired interface of this machine on a network (or VLAN) of their own";

/**
 * Network boot needs a DHCP server of ours on the servers' network, so it is proposed only where that can hurt nobody.
 * `dhcp` is what was seen on that interface. Pure.
 */
export function proposeBoot({ link, shared }: InterfaceChoice, dhcp: DhcpLook): BootProposal {
	const media = (...reasons: string[]): BootProposal => ({
		boot: "virtual-media",
		reasons,
		instead: DEDICATED,
	});
	if (link.kind === "wireless")
		return media(
			`${link.name} is Wi-Fi, and firmware boots over a cable: this machine's DHCP would not reach it dependably`,
			"with virtual media the BMC itself fetches the deploy ramdisk from this machine",
		);
	const foreign = foreignServers(dhcp);
	if (foreign.length > 0)
		return media(
			`${foreign.join(" and ")} already gives out addresses on ${link.name}: of two DHCP servers the faster one wins, and a server that hears the wrong one does not boot`,
		);
	if (dhcp.outcome === "could-not-look" && addressCameByDhcp(link))
		return media(`${link.name} got its own address by DHCP, so a DHCP server is on this network`);
	if (dhcp.outcome === "could-not-look" && shared)
		return media(`${link.name} is shared, and whether it has a DHCP server could not be seen (${dhcp.why})`);
	const seen =
		dhcp.outcome === "looked"
			? `no other DHCP server answers on ${link.name}`
			: `whether ${link.name} has a DHCP server could not be seen (${dhcp.why})`;
	return {
		boot: "network",
		reasons: [seen, "it works with every BMC, and this machine's DHCP answers known servers only"],
		instead: undefined,
	};
}

/** The servers that are not this machine's own, by address. */
export function foreignServers(dhcp: DhcpLook): readonly string[] {
	if (dhcp.outcome === "could-not-look") return [];
	return dhcp.servers.filter(({ own }) => !own).map(({ address }) => address);
}

/** Whether addresses are given out on this network by somebody else. */
export function hasForeignDhcp({ link }: InterfaceChoice, dhcp: DhcpLook): boolean {
	return foreignServers(dhcp).length > 0 || (dhcp.outcome === "could-not-look" && addressCameByDhcp(link));
}

function addressCameByDhcp({ addresses }: InterfaceChoice["link"]): boolean {
	return addresses.some(({ family, dynamic }) => family === 4 && dynamic);
}
