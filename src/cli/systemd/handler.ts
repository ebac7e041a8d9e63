import type { LifecycleOptions } from "../../lifecycle/session.ts";
import { installUnits, removeInstalled, showUnits } from "../../lifecycle/systemd.ts";
import { prepareForUnits, releaseFromUnits } from "../../lifecycle/systemd-prepare.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { type CommandTools, runCommand } from "../run.ts";

export interface InstallFlags extends SiteOptions {
	readonly now?: boolean;
}

export function runSystemdShow({ json, site }: SiteOptions): Promise<number> {
	return runCommand(json, async (tools) => {
		const shown = await showUnits({ site, ...common(tools) });
		const text = shown.units.map(({ content, path }) => `# ${path}\n${content}`).join("\n");
		tools.report.result(shown, text.trimEnd());
		return undefined;
	});
}

export function runSystemdInstall({ json, now = false, site }: InstallFlags): Promise<number> {
	return runCommand(json, async (tools) => {
		const installed = await installUnits({ site, now, ...common(tools) });
		const { target } = installed;
		tools.report.result(
			installed,
			now
				? `systemd runs the stack of ${installed.site}: \`systemctl status ${target}\``
				: `from the next start of this machine systemd runs the stack of ${installed.site}; \`systemctl start ${target}\` starts it now`,
		);
		return undefined;
	});
}

export function runSystemdRemove({ json, site }: SiteOptions): Promise<number> {
	return runCommand(json, async (tools) => {
		const removed = await removeInstalled({ site, ...common(tools) });
		tools.report.result(
			removed,
			removed.wasManaged
				? `the units of ${removed.site} are gone and its stack is stopped; \`ironstrap up\` starts it without systemd`
				: `${removed.site} has no units: nothing to do`,
		);
		return undefined;
	});
}

export function runSystemdPrepare({ json, site }: SiteOptions): Promise<number> {
	return runCommand(json, async (tools) => {
		const prepared = await prepareForUnits({ site, ...common(tools) });
		tools.report.result(prepared, `${prepared.site}: configuration, networks and fence are ready`);
		return undefined;
	});
}

export function runSystemdRelease({ json, site }: SiteOptions): Promise<number> {
	return runCommand(json, async (tools) => {
		const released = await releaseFromUnits({ site, ...common(tools) });
		tools.report.result(released, `${released.site}: the fence is down`);
		return undefined;
	});
}

function common({ report, signal }: CommandTools): LifecycleOptions {
	return { roots: defaultRoots, emit: report.emit, signal };
}
