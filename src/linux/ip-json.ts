/** What `ip -json -details address show` prints of a link, as far as we look at it. */
export interface IpLink {
	readonly ifindex: number;
	readonly ifname: string;
	readonly flags: readonly string[];
	readonly link_type?: string;
	readonly address?: string;
	/** The bridge or bond that it is a port of. */
	readonly master?: string;
	/** The interface below it (VLAN), or its other end (veth). */
	readonly link?: string | null;
	readonly linkinfo?: {
		readonly info_kind?: string;
		readonly info_slave_kind?: string;
		readonly info_data?: { readonly id?: number };
	};
	readonly addr_info?: readonly {
		readonly family: string;
		readonly local?: string;
		readonly prefixlen?: number;
		readonly scope?: string;
		readonly dynamic?: boolean;
		readonly temporary?: boolean;
	}[];
}

/** What `ip -json route show` prints of a route. */
export interface IpRoute {
	readonly dst: string;
	readonly gateway?: string;
	readonly dev?: string;
	readonly metric?: number;
}

/** What /sys/class/net/NAME tells besides. */
export interface SysLink {
	readonly wireless: boolean;
	/** Megabit a second; absent where there is no link or no such notion. */
	readonly speedMbps?: number | undefined;
	readonly carrier?: boolean | undefined;
	/** It has a device on a bus: hardware, or what a virtual machine sees as such. */
	readonly hardware: boolean;
}

export interface InterfaceAddress {
	readonly family: 4 | 6;
	readonly address: string;
	/** `172.22.0.1/24`. */
	readonly cidr: string;
	/** It came from DHCP or a router's announcement, and can go again. */
	readonly dynamic: boolean;
}

export type InterfaceKind = "ethernet" | "wireless" | "bridge" | "bond" | "vlan" | "tunnel" | "virtual";

/** A network interface of this machine, loopback left out. */
export interface MachineInterface {
	readonly name: string;
	readonly mac: string | undefined;
	readonly kind: InterfaceKind;
	/** The hardware or virtual interfaces that belong to it: ports of a bridge or bond, a VLAN's parent. */
	readonly over: readonly string[];
	/** The bridge or bond that it belongs to; addresses are that one's then. */
	readonly memberOf: string | undefined;
	readonly vlan: number | undefined;
	/** A cable (or radio) is connected at the other end. `undefined`: it is switched off, so nobody knows. */
	readonly link: boolean | undefined;
	readonly speedMbps: number | undefined;
	/** Without IPv6 link-local ones. */
	readonly addresses: readonly InterfaceAddress[];
	/** The gateway, if the default route goes this way. */
	readonly gateway: string | undefined;
	/** Container engines and hypervisors make interfaces for themselves. */
	readonly managedBy: string | undefined;
}

/** Interfaces that belong to somebody, by the names they give. */
const OWNERS: readonly (readonly [RegExp, string])[] = [
	[/^(?:docker\d|docker_gwbridge$|br-[0-9a-f]{12}$)/, "Docker"],
	[/^(?:podman|cni-podman)\d/, "Podman"],
	[/^(?:cni|flannel|cali|cilium|kube-)/, "Kubernetes"],
	[/^(?:virbr|vnet)\d/, "libvirt"],
	[/^(?:lxcbr|lxdbr|incusbr)\d/, "LXC"],
	[/^(?:tailscale|wg|zt)/, "a VPN"],
];

/** The answers of `ip` and /sys, put together. Pure. */
export function interpretLinks(
	links: readonly IpLink[],
	routes: readonly IpRoute[],
	sys: Readonly<Record<string, SysLink>>,
): readonly MachineInterface[] {
	const defaults = routes
		.filter(({ dst }) => dst === "default" || dst === "0.0.0.0/0")
		.toSorted((a, b) => (a.metric ?? 0) - (b.metric ?? 0));
	return links
		.filter(({ flags }) => !flags.includes("LOOPBACK"))
		.map((link) => {
			const facts = sys[link.ifname];
			const isUp = link.flags.includes("UP");
			return {
				name: link.ifname,
				mac: link.link_type === "ether" ? link.address : undefined,
				kind: kindOf(link, facts),
				over: overOf(link, links),
				memberOf: link.master,
				vlan: link.linkinfo?.info_kind === "vlan" ? link.linkinfo.info_data?.id : undefined,
				link: isUp ? (facts?.carrier ?? link.flags.includes("LOWER_UP")) : undefined,
				speedMbps: facts?.speedMbps,
				addresses: addressesOf(link),
				gateway: defaults.find(({ dev }) => dev === link.ifname)?.gateway,
				managedBy: OWNERS.find(([pattern]) => pattern.test(link.ifname))?.[1],
			};
		});
}

function kindOf(link: IpLink, sys: SysLink | undefined): InterfaceKind {
	if (sys?.wireless === true) return "wireless";
	const kind = link.linkinfo?.info_kind;
	if (kind === "bridge" || kind === "bond" || kind === "vlan") return kind;
	if (kind === "team") return "bond";
	if (kind === "wireguard" || kind === "tun" || link.link_type !== "ether") return "tunnel";
	return kind === undefined || sys?.hardware === true ? "ethernet" : "virtual";
}

function overOf(link: IpLink, all: readonly IpLink[]): readonly string[] {
	const kind = link.linkinfo?.info_kind;
	if ((kind === "vlan" || kind === "macvlan") && typeof link.link === "string") return [link.link];
	return all.filter(({ master }) => master === link.ifname).map(({ ifname }) => ifname);
}

function addressesOf(link: IpLink): readonly InterfaceAddress[] {
	return (link.addr_info ?? []).flatMap(({ family, local, prefixlen, scope, dynamic, temporary }) =>
		local === undefined || prefixlen === undefined || scope === "link" || temporary === true
			? []
			: [
					{
						family: family === "inet6" ? 6 : 4,
						address: local,
						cidr: `${local}/${prefixlen}`,
						dynamic: dynamic === true,
					} as const,
				],
	);
}
