import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import { parseBmcAddress } from "../resources/bmc-address.ts";
import { describe } from "../resources/site.ts";
import type { StepTools } from "../steps/step.ts";
import type { HostAction } from "./action.ts";
import type { HostContext } from "./context.ts";
import { refOf } from "./host-name.ts";

export interface Turn {
	/** Waits for a turn before an action that makes hardware work; gives it back before one that does not. */
	take(action: HostAction): Promise<void>;
	release(): void;
}

/** A host's turn: one at a time, kept until what it was taken for is over. */
export function turnOf({ site, turns }: HostContext, { waitFor }: StepTools, host: BareMetalHost): Turn {
	let held: { readonly release: () => void } | undefined;
	const release = () => {
		held?.release();
		held = undefined;
	};
	return {
		release,
		async take(action) {
			// what is only written down happens in the middle of things
			if (action.kind === "record" || action.kind === "configure") return;
			release();
			if (turns === undefined || !works(host, action)) return;
			const bmc = addressOf(host);
			let ahead = 0;
			const { namespace, name } = host.metadata;
			held = await waitFor(
				{
					what: `the turn of ${namespace}/${name}`,
					why: () => `${ahead} other servers are being worked on`,
					// the last of all hosts waits for all others, each of which has its own deadline
					deadlineMs: Math.min(2 ** 31 - 1, site.hosts.length * site.bootstrap.spec.deadlines.provision),
					subject: describe(refOf(host)),
					fix: "Bootstrap.spec.limits says how many servers are worked on at the same time",
				},
				async () => {
					const taken = turns.tryTake(bmc);
					if ("release" in taken) return taken;
					ahead = taken.ahead;
					return undefined;
				},
			);
		},
	};
}

/** Actions that switch a server on or have it boot. */
function works({ spec }: BareMetalHost, action: HostAction): boolean {
	if (action.kind === "deploy") return true;
	if (action.kind === "power") return action.target === "power on" || action.target === "rebooting";
	if (action.kind !== "change") return false;
	const cleans = spec.automatedCleaningMode !== "disabled";
	return (
		action.target === "inspect" || ((action.target === "provide" || action.target === "deleted") && cleans)
	);
}

/** Host and port of the BMC, which several servers may have in common. */
function addressOf({ spec }: BareMetalHost): string {
	const { host, port } = parseBmcAddress(spec.bmc?.address ?? "");
	return `${host}:${port ?? ""}`;
}
