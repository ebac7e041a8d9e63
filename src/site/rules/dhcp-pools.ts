import { type Cidr, cidrContains, type IpRange, parseCidr, parseIpAddress } from "../../resources/ip.ts";
import type { Dhcp } from "../../resources/ironic.ts";
import type { Path } from "../document.ts";
import { attempt, given } from "./ironic-rule.ts";

/** The pools of a site whose text is right, main pool first; wrong ones are left out. */
export function poolsOf(dhcp: Dhcp): readonly Pool[] {
	return poolTexts(dhcp).flatMap((text) => readPool(text) ?? []);
}

export interface Pool {
	readonly cidr: Cidr;
	readonly range: IpRange;
	/** Of its fields, below `spec`. */
	readonly path: Path;
}

/** A pool as it was written. */
export interface PoolText {
	readonly path: Path;
	readonly cidr: string;
	readonly begin: string;
	readonly end: string;
	readonly gateway: string | undefined;
	readonly isExtra: boolean;
}

/** Of `dhcp`, below `spec`. */
export const DHCP_PATH = ["networking", "dhcp"] as const;

/** The pools that are written out in full, main pool first. */
export function poolTexts(dhcp: Dhcp): PoolText[] {
	const {
		networkCIDR: cidr = "",
		rangeBegin: begin = "",
		rangeEnd: end = "",
		gatewayAddress: gateway,
	} = dhcp;
	const main =
		given(cidr) && given(begin) && given(end)
			? [{ path: DHCP_PATH, cidr, begin, end, gateway, isExtra: false }]
			: [];
	const extra = (dhcp.extraRanges ?? []).map((range, index) => ({
		path: [...DHCP_PATH, "extraRanges", index],
		cidr: range.networkCIDR,
		begin: range.rangeBegin,
		end: range.rangeEnd,
		gateway: range.gatewayAddress,
		isExtra: true,
	}));
	return [...main, ...extra];
}

function readPool({ cidr, begin, end, path }: PoolText): Pool | undefined {
	const parsed = attempt(() => ({
		cidr: parseCidr(cidr),
		begin: parseIpAddress(begin),
		end: parseIpAddress(end),
	}));
	if (!parsed || !cidrContains(parsed.cidr, parsed.begin) || !cidrContains(parsed.cidr, parsed.end))
		return undefined;
	if (parsed.begin.value > parsed.end.value) return undefined;
	return {
		cidr: parsed.cidr,
		range: { family: parsed.cidr.family, begin: parsed.begin, end: parsed.end },
		path,
	};
}
