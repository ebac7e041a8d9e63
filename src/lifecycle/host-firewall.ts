import { rm } from "node:fs/promises";
import { type Command, firewallAdvice } from "../fence/host-firewall.ts";
import { servicePorts } from "../fence/plan.ts";
import { firewallFacts, runFirewallCommand } from "../linux/firewall-facts.ts";
import type { Site } from "../resources/site.ts";
import type { SitePaths } from "../state/layout.ts";
import { readVersioned, writeVersioned } from "../state/versioned.ts";
import type { RunOptions } from "../steps/run.ts";
import type { Step } from "../steps/step.ts";

/** What was opened; written before it is, so that it is closed whatever happens in between. */
interface Opened {
	readonly formatVersion: 1;
	/** In the order to run them. */
	readonly close: readonly Command[];
}

/**
 * Steps that open the machine's own firewall for DHCP, TFTP and DNS through its manager. What has no manager is told
 * as a warning with the command that opens it: nobody's rules are edited.
 */
export async function hostFirewallSteps(
	site: Site,
	provisioning: string,
	paths: SitePaths,
	{ emit, signal }: Pick<RunOptions, "emit" | "signal">,
): Promise<readonly Step<unknown>[]> {
	const services = servicePorts(site);
	if (services.length === 0) return [];
	const advice = firewallAdvice(await firewallFacts(provisioning, signal), { provisioning, services });
	return advice.flatMap((each): readonly Step<unknown>[] => {
		if (each.manager === undefined) {
			emit({ type: "note", level: "warning", message: `${each.message}; open it with: ${each.fix}` });
			return [];
		}
		const { close, manager, open, what } = each;
		return [
			{
				id: `firewall:open-${manager}`,
				title: `open ${what} in ${manager}`,
				async do(_context, tools) {
					const before = await readVersioned<Opened>(paths.firewall, 1);
					await writeVersioned(paths.firewall, {
						formatVersion: 1,
						close: [...close, ...(before?.close ?? [])],
					} as Opened);
					for (const command of open) await runFirewallCommand(command, tools.signal);
				},
				undo: (_context, tools) => closeAll(paths, tools.signal),
			},
		];
	});
}

/** Closes what was opened, the last thing first. A manager that is gone has nothing open. */
export function closeHostFirewallStep(paths: SitePaths): Step<unknown> {
	return {
		id: "firewall:close",
		title: "close what was opened in this machine's own firewall",
		do: (_context, { signal }) => closeAll(paths, signal),
	};
}

async function closeAll(paths: SitePaths, signal: AbortSignal): Promise<void> {
	const opened = await readVersioned<Opened>(paths.firewall, 1);
	for (const command of opened?.close ?? []) await runFirewallCommand(command, signal);
	await rm(paths.firewall, { force: true });
}
