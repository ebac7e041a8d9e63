import { IronstrapError } from "../../lib/errors.ts";
import { admitServers } from "../../lifecycle/admit.ts";
import { type MacAddress, parseMacAddress } from "../../resources/mac-address.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { runCommand } from "../run.ts";

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

function macOf(text: string): MacAddress {
	try {
		return parseMacAddress(text);
	} catch {
		throw new IronstrapError({
			code: "usage",
			message: `${JSON.stringify(text)} is no MAC address`,
			fix: "give six pairs of hexadecimal digits, such as 52:54:00:ab:00:01",
		});
	}
}
