import type { FenceInputs, FencePlan } from "./plan.ts";
import { anyOf, chainText, link } from "./text.ts";

/** What this machine must not route. Nothing is here for a shared network on a machine that routed before. */
export function forwardChain(
	plan: FencePlan,
	{ apart }: FenceInputs,
	{ gateway, mode }: { readonly gateway: boolean; readonly mode: "shared" | "dedicated" | "none" },
): readonly string[] {
	const on = link(plan.provisioning);
	const links = apart.links.filter((name) => name !== plan.bridge);
	const families = [...(apart.v4 ? ["ipv4"] : []), ...(apart.v6 ? ["ipv6"] : [])];
	const crossing = links.length > 1 && families.length > 0;
	if (mode !== "dedicated" && !crossing) return [];
	return [
		chainText(
			"forward",
			[
				"# With br_netfilter, frames between servers of one bridge come by here: they are none of our business.",
				`iifname ${on} oifname ${on} accept`,
				"ct state established,related accept",
				"# To the stack: the chain entry has let it in. From the stack: the chain egress has.",
				`oifname ${link(plan.bridge)} accept`,
				`iifname ${link(plan.bridge)} accept`,
				...(gateway ? ["# The site makes this machine the servers' gateway.", `iifname ${on} accept`] : []),
				...(mode === "dedicated"
					? [
							"# A provisioning network of its own.",
							`iifname ${on} goto refuse_routed`,
							`oifname ${on} goto refuse_routed`,
						]
					: []),
				...(crossing
					? [
							"# An engine switched forwarding on; it was off, and these networks stay apart.",
							...links
								.filter((name) => name !== plan.provisioning)
								.map((name) => `iifname ${link(name)} oifname ${link(name)} accept`),
							`meta nfproto ${anyOf(families)} iifname ${names(links)} oifname ${names(links)} goto refuse_crossing`,
						]
					: []),
			],
			"filter hook forward priority filter - 10",
		),
	];
}

function names(links: readonly string[]): string {
	return anyOf(links.map(link));
}
