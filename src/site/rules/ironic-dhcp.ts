import { parseIpAddress, rangesOverlap } from "../../resources/ip.ts";
import type { Dhcp } from "../../resources/ironic.ts";
import { poolFaults } from "./dhcp-pool-faults.ts";
import { dhcpPoolMembers } from "./dhcp-pool-members.ts";
import { DHCP_PATH, type Pool, poolsOf, poolTexts } from "./dhcp-pools.ts";
import { about, attempt, given, type IronicRule, type IronicUnderTest } from "./ironic-rule.ts";

/** Rule 9 of the operator's webhook, with all its parts, and the faults of a pool that it does not see. */
export const ironicDhcp: IronicRule = function* (ironic) {
	const { dhcp, ...networking } = ironic.spec.networking;
	if (!dhcp) return;
	if (
		!given(networking.ipAddress) &&
		!given(networking.interface) &&
		(networking.macAddresses ?? []).length === 0
	)
		yield about(ironic, ["networking", "dhcp"], "dhcp-without-interface", {
			message: "`networking.dhcp` needs one of `networking.interface`, `ipAddress` or `macAddresses`",
			fix: "give `networking.interface`, the interface of the provisioning network",
		});
	yield* dnsAndGateway(ironic, dhcp);
	yield* mainFields(ironic, dhcp);
	for (const pool of poolTexts(dhcp)) yield* poolFaults(ironic, pool);
	yield* overlaps(ironic, dhcp);
	yield* dhcpPoolMembers(ironic);
};

function* dnsAndGateway(ironic: IronicUnderTest, dhcp: Dhcp) {
	if (dhcp.serveDNS && given(dhcp.dnsAddress))
		yield about(ironic, [...DHCP_PATH, "dnsAddress"], "dhcp-dns-twice", {
			message: "`networking.dhcp.dnsAddress` and `serveDNS` exclude each other",
			fix: "remove one of the two",
		});
	for (const name of ["dnsAddress", "gatewayAddress"] as const) {
		const text = dhcp[name];
		if (given(text) && !attempt(() => parseIpAddress(text)))
			yield about(ironic, [...DHCP_PATH, name], "ip-address-invalid", {
				message: `\`networking.dhcp.${name}\` is not an IP address`,
				seen: text,
				fix: "give one address such as 172.22.0.1",
			});
	}
}

function* mainFields(ironic: IronicUnderTest, dhcp: Dhcp) {
	const names = ["networkCIDR", "rangeBegin", "rangeEnd"] as const;
	const missing = names.filter((name) => !given(dhcp[name]));
	if (missing.length === 3 && (dhcp.extraRanges ?? []).length === 0)
		yield about(ironic, DHCP_PATH, "dhcp-range-missing", {
			message: "`networking.dhcp` has no range of addresses",
			fix: "give `networkCIDR`, `rangeBegin` and `rangeEnd`",
		});
	if (missing.length === 1 || missing.length === 2)
		yield about(ironic, DHCP_PATH, "dhcp-range-incomplete", {
			message: `\`networking.dhcp\` has no ${missing.map((name) => `\`${name}\``).join(" and no ")}`,
			fix: "give `networkCIDR`, `rangeBegin` and `rangeEnd` together",
		});
}

function* overlaps(ironic: IronicUnderTest, dhcp: Dhcp) {
	const pools = poolsOf(dhcp);
	for (const [index, pool] of pools.entries())
		for (const other of pools.slice(0, index))
			if (rangesOverlap(pool.range, other.range))
				yield about(ironic, [...pool.path, "rangeBegin"], "dhcp-ranges-overlap", {
					message: `the range ${rangeText(pool)} overlaps ${rangeText(other)}`,
					fix: "give each address in one range only",
				});
}

function rangeText({ range }: Pool): string {
	return `${range.begin.text} - ${range.end.text}`;
}
