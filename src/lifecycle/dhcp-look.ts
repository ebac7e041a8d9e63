import { lookAll } from "../checks/check.ts";
import { dhcpServers } from "../checks/dhcp-servers.ts";
import type { Action } from "../converge/actions.ts";
import { label } from "../converge/labels.ts";
import type { ObservedProject } from "../converge/observed.ts";
import { lookForServers } from "../linux/network-servers.ts";
import type { Site } from "../resources/site.ts";
import { failOnErrors } from "../site/finding.ts";
import type { RunOptions } from "../steps/run.ts";
import type { Step } from "../steps/step.ts";

const service = "dnsmasq";
/** The look itself takes a few seconds; a machine under load takes longer. */
const deadlineMs = 60_000;

/**
 * Begins to look for other DHCP servers, which takes seconds, while the rest is prepared. The step belongs before the
 * start of dnsmasq: nothing answers anybody until it is over. No step where dnsmasq is not started, or runs already.
 */
export function dhcpLookStep(
	site: Site,
	link: string,
	observed: ObservedProject,
	{ emit, signal }: Pick<RunOptions, "emit" | "signal">,
): Step<unknown> | undefined {
	const runs = observed.containers.some(
		({ labels, state }) => labels[label.service] === service && state === "running",
	);
	if (runs) return undefined;
	const look = lookForServers(link, signal);
	// told by the step
	look.catch(() => undefined);
	return {
		id: "dhcp:look",
		title: `look for other DHCP servers on ${link}`,
		async do(_context, { waitFor }) {
			const seen = await waitFor({ what: "other DHCP servers to answer", deadlineMs }, () => look);
			const found = await lookAll([dhcpServers(site, link, async () => seen)], signal);
			for (const { fix, message, severity } of found)
				if (severity === "warning") emit({ type: "note", level: "warning", message: `${message}; ${fix}` });
			failOnErrors(found);
		},
	};
}

export function startsDnsmasq(action: Action): boolean {
	return "container" in action && action.container.service === service;
}
