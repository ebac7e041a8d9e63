import type { Site } from "../resources/site.ts";
import { namesToResolve } from "./egress.ts";
import { egressChain } from "./egress-chain.ts";
import { entryChains } from "./entry-chains.ts";
import { forwardChain } from "./forward-chain.ts";
import { knownMacs } from "./known-macs.ts";
import { type FenceInputs, planFence } from "./plan.ts";
import { type OpenPort, portTable } from "./port-table.ts";
import { refusalChain, refusalCounter, refusalNames } from "./refusals.ts";
import { serviceChains } from "./service-chains.ts";
import { fenceSets } from "./sets.ts";
import { block, type FenceSet, quoted, setText } from "./text.ts";

/** A site's fence: one nftables table, complete. */
export interface Fence {
	/** Its name, in the family `inet`. */
	readonly table: string;
	/** For `nft -f`: replaces the table as a whole, in one transaction. */
	readonly text: string;
	readonly sets: readonly FenceSet[];
	readonly ports: readonly OpenPort[];
	/** What it cannot do as the site asks; for a person. */
	readonly notes: readonly string[];
}

/**
 * Renders the fence of a site; `undefined` if the site says that it wants none. Pure. Throws
 * `interface-name-invalid` for a link that nftables cannot name, and what `endpointsOf` throws.
 */
export function renderFence(site: Site, inputs: FenceInputs): Fence | undefined {
	const { dhcp, egress, gateway, mode } = site.bootstrap.spec.fence;
	if (mode === "none") return undefined;
	const plan = planFence(site, inputs);
	const { macs } = knownMacs(site, inputs.learntMacs);
	const chains = [
		...entryChains(plan),
		...serviceChains(plan, dhcp === "closed"),
		...(egress === "limited" ? [egressChain(plan)] : []),
		...forwardChain(plan, inputs, { gateway, mode }),
	];
	const used = refusalNames.filter((name) => chains.some((text) => text.includes(`goto refuse_${name}\n`)));
	const sets = fenceSets(site, inputs, plan);
	const ports = portTable(site, plan);
	const body = [
		`comment ${quoted(`the fence of site ${site.name}, made by ironstrap`)}`,
		...used.map(refusalCounter),
		...sets.map(setText),
		...used.map((name) => refusalChain(site.name, name)),
		...chains,
	];
	return {
		table: plan.table,
		text: [
			...headerLines(site, ports, macs.length),
			`table inet ${plan.table}`,
			`delete table inet ${plan.table}`,
			block(
				`table inet ${plan.table}`,
				body.flatMap((part, index) => (index === 0 ? [part] : ["", part])),
			),
			"",
		].join("\n"),
		sets,
		ports,
		notes: notesOf(site, inputs),
	};
}

function headerLines(site: Site, ports: readonly OpenPort[], known: number): readonly string[] {
	const { dhcp, egress, mode } = site.bootstrap.spec.fence;
	return [
		"#!/usr/sbin/nft -f",
		`# The fence of site ${site.name}: mode ${mode}, DHCP ${dhcp} (${known} known addresses), egress ${egress}.`,
		"# Written by ironstrap; changes are overwritten. It stands beside everybody else's tables and edits none.",
		"#",
		...ports.map(
			({ address, from, port, protocol, what }) => `#   ${address} ${port}/${protocol}  ${what}; ${from}`,
		),
		"",
		"# Replaced as a whole, in one transaction: there is no moment without it.",
	];
}

function notesOf(site: Site, inputs: FenceInputs): readonly string[] {
	const { dhcp, egress } = site.bootstrap.spec.fence;
	const { unmatched } = knownMacs(site, inputs.learntMacs);
	const lost =
		egress === "open"
			? []
			: namesToResolve(site, inputs.further).filter((name) => !inputs.resolved.get(name)?.length);
	return [
		...(dhcp === "closed"
			? unmatched.map(
					(entry) =>
						`the fence cannot let in the dhcp.hosts entry ${JSON.stringify(entry)}: it names no MAC address; add one, or set Bootstrap.spec.fence.dhcp to open`,
				)
			: []),
		...lost.map(
			(name) => `${JSON.stringify(name)} does not resolve, so containers cannot reach it through the fence`,
		),
		...(egress === "open" ? ["fence.egress is open: containers may reach every address"] : []),
	];
}
