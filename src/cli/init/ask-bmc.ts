import type { BmcProbe } from "../../bmc/facts.ts";
import { probeBmc } from "../../bmc/probe.ts";
import { parseProbeTarget } from "../../bmc/target.ts";
import type { BootMethod } from "../../init/boot-method.ts";
import { faultsOf } from "../../lib/errors.ts";
import type { Credentials } from "../../resources/credentials.ts";
import { urlHost } from "../../resources/ip.ts";
import { faultText } from "../render/fault.ts";
import type { Interview } from "./context.ts";

/** A BMC that told what it is, and the log-in that it took. */
export interface FoundBmc {
	readonly probe: BmcProbe;
	readonly username: string;
	readonly password: string;
}

/** Log-in and probe, again and again until it works or is given up (`undefined`). */
export async function askBmc(
	{ bmc, username: usual, boot }: { bmc: string; username: string; boot: BootMethod | undefined },
	context: Interview,
): Promise<FoundBmc | undefined> {
	const { terminal } = context;
	let address = bmc;
	let username = usual;
	for (;;) {
		username = await terminal.text({
			message: "User name there",
			proposal: username,
			faultOf: (text) => (text === "" ? "is empty" : undefined),
		});
		const password = await terminal.password("Password");
		terminal.say(`Asking the BMC at ${address} (it is only read) ...`);
		const credentials = { username, password };
		let probe = await tryProbe(address, { credentials, boot }, context);
		if (probe?.authentication === "not-sent") {
			const mayGo = await terminal.confirm(
				"It speaks only unencrypted HTTP. Send the password all the same?",
				false,
			);
			if (!mayGo) return undefined;
			address = `http://${urlHost(probe.endpoint.host)}:${probe.endpoint.port}`;
			probe = await tryProbe(address, { credentials, boot }, context);
		}
		for (const warning of probe?.warnings ?? []) terminal.say(`  warning: ${warning}`);
		if (probe !== undefined && isUsable(probe)) return { probe, username, password };
		const next = await terminal.choose("This BMC cannot be used so", [
			{ value: "again", name: "try again, with the same or another log-in" },
			{ value: "leave", name: "leave this server out" },
		]);
		if (next === "leave") return undefined;
	}
}

/** IPMI is taken without a trial log-in; Redfish must have shown its systems. */
function isUsable({ redfish, authentication, proposals }: BmcProbe): boolean {
	return proposals.length > 0 && (redfish === undefined || authentication === "accepted");
}

async function tryProbe(
	address: string,
	how: { readonly credentials: Credentials; readonly boot: BootMethod | undefined },
	{ terminal, signal }: Interview,
): Promise<BmcProbe | undefined> {
	try {
		return await probeBmc(parseProbeTarget(address), { ...how, signal });
	} catch (error) {
		signal.throwIfAborted();
		for (const fault of faultsOf(error)) terminal.say(faultText(fault, false));
		return undefined;
	}
}
