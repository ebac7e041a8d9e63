import { IronstrapError } from "../lib/errors.ts";
import type { NetworkServer, ServersLook } from "../linux/network-servers.ts";
import { dhcpModeOf } from "../resources/dhcp-mode.ts";
import { describe as nameOf, type Site } from "../resources/site.ts";
import type { Finding } from "../site/finding.ts";
import { servesFamily } from "../stack/dnsmasq-ranges.ts";
import type { Check } from "./check.ts";
import { refOf } from "./site-objects.ts";

/**
 * Nobody else gives out addresses where our DHCP server will: of two the faster one wins, a server that hears the wrong
 * one does not boot, and somebody else's machine might boot ours. `look` takes seconds, so it may have been begun before.
 * Codes: `dhcp-foreign`, `dhcp-proxy-alone`, `dhcp-look-failed`.
 */
export function dhcpServers(site: Site, link: string, look: () => Promise<ServersLook>): Check {
	return {
		id: "dhcp-servers",
		why: "two DHCP servers on one network answer each other's clients",
		look: async () => (dhcpModeOf(site) === "off" ? [] : judgeServers(site, link, await look())),
	};
}

/** What was seen on the provisioning interface, judged by what the site wants. Pure; exported for its test. */
export function judgeServers(
	site: Site,
	link: string,
	{ servers, unseen }: ServersLook,
): readonly (IronstrapError | Finding)[] {
	const mode = dhcpModeOf(site);
	const foreign = servers.filter(({ own }) => !own);
	const givers = foreign.filter(({ kind }) => kind === "DHCPv4");
	const blind = unseen.find(({ kind }) => kind === "DHCPv4");
	return [
		...foreign.map((server) => judgeServer(site, link, server)),
		...(mode === "proxy" && blind === undefined && !givers.some(({ offered }) => offered !== undefined)
			? [
					warning(
						site,
						"dhcp-proxy-alone",
						`nobody gives out addresses on ${link}, and the site leaves that to another DHCP server (dhcp.mode: proxy)`,
						"start that server, or let ironstrap give out addresses: dhcp.mode `full` and networking.dhcp of the Ironic",
					),
				]
			: []),
		...(blind === undefined
			? []
			: [
					warning(
						site,
						"dhcp-look-failed",
						`whether another DHCP server is on ${link} could not be seen: ${blind.why}`,
						"make sure that there is none, or set Bootstrap.spec.dhcp.mode",
					),
				]),
	];
}

function judgeServer(site: Site, link: string, server: NetworkServer): IronstrapError | Finding {
	const what = `${describe(server)} on ${link}`;
	if (server.kind === "router")
		return warning(site, "dhcp-foreign", what, "nothing, if that is the provisioning network's router");
	const collides =
		dhcpModeOf(site) === "full" &&
		servesFamily(site.ironic.spec.networking.dhcp, server.kind === "DHCPv4" ? 4 : 6);
	if (!collides || site.bootstrap.spec.dhcp.mode === "full")
		return warning(
			site,
			"dhcp-foreign",
			what,
			dhcpModeOf(site) === "proxy"
				? "nothing, if it is the one that is to give out addresses"
				: "see to it that it does not answer the site's servers",
		);
	return new IronstrapError({
		code: "dhcp-foreign",
		message: `${what}: a server that hears it first takes its address, and does not boot`,
		...placeOf(site),
		seen: seenOf(server),
		fix: "switch it off on this network; or leave the addresses to it (Bootstrap.spec.dhcp.mode: proxy), or give out reserved ones only (`reservations`, with networking.dhcp.hosts of the Ironic); `full` goes on as it is, for a server that leaves ours alone",
	});
}

function describe({ address, kind, mac, offered }: NetworkServer): string {
	const who = mac === undefined ? address : `${address} (${mac})`;
	if (kind === "router") return `${who} announces itself as a router`;
	return offered === undefined
		? `${who} tells servers what to boot by ${kind}`
		: `${who} gives out addresses by ${kind}`;
}

function seenOf({ address, kind, mac, offered }: NetworkServer): string {
	return [
		`${kind} server ${address}`,
		mac === undefined ? "behind a router" : `MAC address ${mac}`,
		offered === undefined ? "no address offered" : `offered ${offered}`,
	].join(", ");
}

function warning(site: Site, code: string, message: string, fix: string): Finding {
	return { code, severity: "warning", message, ...placeOf(site), fix };
}

/** What the site says about DHCP: the mode that it names, or the ranges. */
function placeOf(site: Site): Pick<Finding, "where" | "subject"> {
	const mode = site.bootstrap.spec.dhcp.mode;
	const ref = refOf(site, mode === "auto" ? "Ironic" : "Bootstrap");
	const path = mode === "auto" ? ["networking", "dhcp"] : ["dhcp", "mode"];
	return { subject: nameOf(ref), where: site.locate(ref, ["spec", ...path]) };
}
