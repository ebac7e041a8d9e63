import { type Check, lookAll } from "../checks/check.ts";
import { dhcpServers } from "../checks/dhcp-servers.ts";
import { virtualRouters } from "../checks/virtual-routers.ts";
import type { Action } from "../converge/actions.ts";
import { label } from "../converge/labels.ts";
import type { ObservedProject } from "../converge/observed.ts";
import { lookForServers } from "../linux/network-servers.ts";
import { lookForVirtualRouters } from "../linux/virtual-routers.ts";
import { dhcpModeOf } from "../resources/dhcp-mode.ts";
import type { Site } from "../resources/site.ts";
import { failOnErrors } from "../site/finding.ts";
import type { RunOptions } from "../steps/run.ts";
import type { Step } from "../steps/step.ts";
import type { Machine } from "./machine.ts";

/** The look itself takes a few seconds; a machine under load takes longer. */
const deadlineMs = 60_000;

type Here = Pick<Machine, "local" | "provisioning">;

/** Who else is on the provisioning network. Each takes seconds; a DHCP server of ours that runs would only hear itself. */
export function networkChecks(
	site: Site,
	{ local, provisioning }: Here,
	observed: ObservedProject,
	signal: AbortSignal,
): readonly Check[] {
	const link = provisioning.interface;
	const addresses = local.flatMap((each) => (each.interface === link ? [each.address] : []));
	return [
		...(dhcpModeOf(site) === "off" || runs(observed, "dnsmasq")
			? []
			: [dhcpServers(site, link, () => lookForServers(link, signal))]),
		virtualRouters(site, { interface: link, addresses }, () =>
			lookForVirtualRouters(link, addresses, signal),
		),
	];
}

/** Whether a service of the stack runs. */
export function runs({ containers }: ObservedProject, service: string): boolean {
	return containers.some(({ labels, state }) => state === "running" && labels[label.service] === service);
}

/**
 * Begins to look for whoever else serves the provisioning network, which takes seconds, while the rest is prepared. The step
 * belongs before the start of {@link servesFirst}: nothing answers anybody until it is over. No step where that is
 * not started, or runs already.
 */
export function networkLookStep(
	site: Site,
	here: Here,
	observed: ObservedProject,
	{ emit, signal }: Pick<RunOptions, "emit" | "signal">,
): Step<unknown> | undefined {
	if (runs(observed, firstService(site))) return undefined;
	const looking = lookAll(networkChecks(site, here, observed, signal), signal);
	// told by the step
	looking.catch(() => undefined);
	return {
		id: "network:look",
		title: `look for others who serve ${here.provisioning.interface}`,
		async do(_context, { waitFor }) {
			const found = await waitFor(
				{ what: "others on the provisioning network to be heard", deadlineMs },
				() => looking,
			);
			for (const { fix, message, severity } of found)
				if (severity === "warning") emit({ type: "note", level: "warning", message: `${message}; ${fix}` });
			failOnErrors(found);
		},
	};
}

/** Whether an action starts the service by which servers notice the stack first. */
export function servesFirst(site: Site, action: Action): boolean {
	return "container" in action && action.container.service === firstService(site);
}

function firstService(site: Site): string {
	return dhcpModeOf(site) === "off" ? "httpd" : "dnsmasq";
}
