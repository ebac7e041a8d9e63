import { admitServers } from "../../lifecycle/admit.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { runCommand } from "../run.ts";
import { macOf } from "./mac-option.ts";

export interface AdmitFlags extends SiteOptions {
	readonly mac: readonly string[];
}

export function runAdmit({ json, mac, site }: AdmitFlags, admit: boolean): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const macs = mac.map(macOf);
		const result = await admitServers({
			...{ site, macs, admit, roots: defaultRoots, emit: report.emit, signal },
		});
		const when = result.effective ? "from now on" : "when the site is up";
		report.result(
			result,
			admit
				? `${macs.join(", ")} may boot over the network ${when}; a BareMetalHost with this bootMACAddress makes it a host`
				: `${macs.join(", ")} may no longer boot over the network ${when}, unless a manifest names it`,
		);
		return undefined;
	});
}
