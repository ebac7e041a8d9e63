import type { BareMetalHost } from "../../resources/bare-metal-host.ts";
import { parseBmcAddress } from "../../resources/bmc-address.ts";
import {
	cidrContains,
	type IpAddress,
	parseCidr,
	parseIpAddress,
	rangeContains,
} from "../../resources/ip.ts";
import type { Draft } from "../draft.ts";
import type { Finding } from "../finding.ts";
import { poolsOf } from "./dhcp-pools.ts";
import { attempt } from "./ironic-rule.ts";
import { on, type SiteRule } from "./site-rule.ts";

const PATH = ["spec", "bmc", "address"] as const;

/** A BMC's address must be its own: neither this machine's, nor one that DHCP gives away, nor one behind our bridge. */
export const hostNetworks: SiteRule = function* (draft) {
	for (const host of draft.hosts) {
		const ip = bmcIp(host);
		if (ip) yield* placeOf(draft, host, ip);
	}
};

function* placeOf(draft: Draft, host: BareMetalHost, ip: IpAddress): Iterable<Finding> {
	const networking = draft.ironics[0]?.spec.networking;
	const pool = networking?.dhcp && poolsOf(networking.dhcp).find(({ range }) => rangeContains(range, ip));
	if (pool)
		yield on(draft, host, PATH, "bmc-address-in-pool", {
			message: "the BMC's address lies in the DHCP range: a server could be given the same one",
			seen: `${ip.text} in ${pool.range.begin.text} - ${pool.range.end.text}`,
			fix: "move the range, or give the BMC an address outside it",
		});
	const text = draft.bootstraps[0]?.spec.bridgeSubnet;
	const bridge = text === undefined ? undefined : attempt(() => parseCidr(text));
	if (bridge && cidrContains(bridge, ip))
		yield on(draft, host, PATH, "bmc-address-in-bridge", {
			message: "the BMC's address lies in `bridgeSubnet`, so the stack would look for it on its own bridge",
			seen: `${ip.text} in ${bridge.text}`,
			fix: "choose another `bridgeSubnet`, or remove it to have a free one chosen",
		});
	for (const field of ["ipAddress", "externalIP"] as const) {
		const own = networking?.[field];
		if (own && attempt(() => parseIpAddress(own))?.text === ip.text && !isEmulated(host))
			yield on(draft, host, PATH, "bmc-address-is-ours", {
				message: `the BMC's address is that of this machine, \`networking.${field}\``,
				seen: ip.text,
				fix: "correct one of the two",
			});
	}
}

function bmcIp(host: BareMetalHost): IpAddress | undefined {
	const text = host.spec.bmc?.address;
	if (!text) return undefined;
	return attempt(() => parseIpAddress(parseBmcAddress(text).host));
}

/** An emulator (vbmc, sushy-tools) may well run on this machine: on a port of its own. */
function isEmulated(host: BareMetalHost): boolean {
	return attempt(() => parseBmcAddress(host.spec.bmc?.address ?? ""))?.port !== undefined;
}
