import type { VirtualRoutersLook } from "../linux/virtual-routers.ts";
import type { VirtualRouter } from "../linux/vrrp-listener.ts";
import { dhcpModeOf } from "../resources/dhcp-mode.ts";
import { parseIpAddress, rangeContains } from "../resources/ip.ts";
import { describe, type Site } from "../resources/site.ts";
import type { Finding } from "../site/finding.ts";
import { poolsOf } from "../site/rules/dhcp-pools.ts";
import type { Check } from "./check.ts";
import { refOf } from "./site-objects.ts";

/** `virtual_router_id` of metal3's keepalived image, which the operator cannot change. */
const METAL3_ROUTER_ID = 1;

/** What of this machine a virtual router would be in the way of. */
export interface ProvisioningPlace {
	readonly interface: string;
	/** Its addresses, of either family. */
	readonly addresses: readonly string[];
}

/**
 * Nobody on the provisioning network answers for this machine's address, for one that our DHCP gives out, or as the virtual
 * router that the target's keepalived will be. `look` takes seconds. Codes: `vrrp-address`, `vrrp-pool`,
 * `vrrp-router-id`, `vrrp-foreign`, `vrrp-look-failed`.
 */
export function virtualRouters(
	site: Site,
	place: ProvisioningPlace,
	look: () => Promise<VirtualRoutersLook>,
): Check {
	return {
		id: "virtual-routers",
		why: "of two machines that answer for one address, servers reach now this and now that",
		look: async () => judgeVirtualRouters(site, place, await look()),
	};
}

/** Pure; exported for its test. */
export function judgeVirtualRouters(
	site: Site,
	place: ProvisioningPlace,
	look: VirtualRoutersLook,
): readonly Finding[] {
	if (look.outcome === "looked") return look.routers.flatMap((router) => judge(site, place, router));
	return [
		{
			code: "vrrp-look-failed",
			severity: "warning",
			message: `whether virtual routers (VRRP) are on ${place.interface} could not be heard: ${look.why}`,
			...at(site, ["networking", "interface"]),
			fix: "make sure that nobody else answers for the provisioning address",
		},
	];
}

function judge(site: Site, place: ProvisioningPlace, router: VirtualRouter): readonly Finding[] {
	const { networking } = site.ironic.spec;
	const { routerId, virtualAddresses } = router;
	const who = `${router.address} (virtual router ${routerId} of VRRP on ${place.interface})`;
	const seen = `answers for ${virtualAddresses.join(", ")}`;
	const ours = virtualAddresses.find((address) => place.addresses.includes(address));
	const pooled = virtualAddresses.find((address) => isGivenOut(site, address));
	const keepalived = networking.keepalived?.enabled === true || networking.ipAddressManager === "keepalived";
	const found: Finding[] = [];
	if (ours !== undefined)
		found.push({
			code: "vrrp-address",
			severity: "error",
			message: `${who} answers for ${ours}, which is this machine's`,
			...at(site, ["networking", "ipAddress"]),
			seen,
			fix: "switch its keepalived off (an Ironic that still runs in a cluster?), or give one of the two another address",
		});
	if (pooled !== undefined)
		found.push({
			code: "vrrp-pool",
			severity: "warning",
			message: `${who} answers for ${pooled}, which lies in a DHCP range of the site`,
			...at(site, ["networking", "dhcp"]),
			seen,
			fix: "choose a range without it",
		});
	if (keepalived && routerId === METAL3_ROUTER_ID)
		found.push({
			code: "vrrp-router-id",
			severity: "warning",
			message: `${who} is in the way of the target's keepalived, whose virtual_router_id is ${METAL3_ROUTER_ID}, too`,
			...at(site, [
				"networking",
				networking.keepalived?.enabled === true ? "keepalived" : "ipAddressManager",
			]),
			seen,
			fix: "give that router another virtual_router_id before the hand-over: metal3's cannot be changed",
		});
	if (found.length > 0) return found;
	return [
		{
			code: "vrrp-foreign",
			severity: "warning",
			message: `${who} shares addresses with other machines`,
			...at(site, ["networking", "interface"]),
			seen,
			fix: "nothing, if that is the provisioning network's router",
		},
	];
}

/** Of reservations, the ranges give nothing out. */
function isGivenOut(site: Site, address: string): boolean {
	const { dhcp } = site.ironic.spec.networking;
	if (dhcp === undefined || dhcpModeOf(site) !== "full") return false;
	return poolsOf(dhcp).some(({ range }) => rangeContains(range, parseIpAddress(address)));
}

function at(site: Site, path: readonly string[]): Pick<Finding, "where" | "subject"> {
	const ref = refOf(site, "Ironic");
	return { subject: describe(ref), where: site.locate(ref, ["spec", ...path]) };
}
