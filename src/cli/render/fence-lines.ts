import { refusals } from "../../fence/refusals.ts";
import type { FenceStatus } from "../../lifecycle/fence-status.ts";

/** How a fence stands, what it refused, and whom it saw. */
export function fenceLines({
	dhcp,
	egress,
	heard,
	mode,
	refused,
	state,
	unknownServers,
}: FenceStatus): readonly string[] {
	const words = {
		intact: `intact (${mode}; DHCP for ${dhcp === "closed" ? "known" : "all"} servers; egress ${egress})`,
		altered: "ALTERED by somebody: `ironstrap up` or `ironstrap fence watch` puts it back",
		missing: "MISSING: `ironstrap up` or `ironstrap fence watch` puts it back",
		down: "down",
		none: "none, as the site asks (fence.mode: none)",
		unknown: "unknown: nftables cannot be asked",
	}[state];
	return [
		`fence ${words}`,
		...Object.entries(refused).map(
			([name, packets]) => `  refused ${packets} packets ${refusals[name as keyof typeof refusals]}`,
		),
		...unknownServers.map(
			({ mac, protocol, secondsAgo }) => `  unknown server seen: ${mac} (${protocol}, ${secondsAgo} s ago)`,
		),
		...heard.map(
			({ address, kind, mac, secondsAgo }) =>
				`  another ${kind} heard: ${address} (${mac}), ${secondsAgo} s ago`,
		),
	];
}
