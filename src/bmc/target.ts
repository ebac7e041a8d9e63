import { isIPv6 } from "node:net";
import { IronstrapError } from "../lib/errors.ts";
import { BmcAddressError, parseBmcAddress } from "../resources/bmc-address.ts";

/** What to probe, as far as the person said it. */
export interface ProbeTarget {
	/** A name or an address; IPv6 without brackets. */
	readonly host: string;
	readonly port: number | undefined;
	/** `undefined`: to be found out. */
	readonly transport: "https" | "http" | "ipmi" | undefined;
	/** The System that was named, without a slash at the end. */
	readonly systemPath: string | undefined;
}

/**
 * Takes what people have: `10.0.0.5`, `bmc-1:8443`, `fd00::5`, `https://10.0.0.5/redfish/v1/Systems/1`, or a
 * `bmc.address`. `redfish://` means HTTPS to BMO, but people write it for HTTP too, so both are tried.
 * Errors: `bmc-address-invalid`.
 */
export function parseProbeTarget(text: string): ProbeTarget {
	const trimmed = text.trim();
	const address = isIPv6(trimmed) ? `[${trimmed}]` : trimmed;
	const web = /^(https?):\/\//i.exec(address);
	const written = web
		? `redfish+${web[1]?.toLowerCase()}://${address.slice(web[0].length)}`
		: address.includes("://")
			? address
			: `redfish://${address}`;
	try {
		const parsed = parseBmcAddress(written);
		const said = parsed.transport === "ipmi" || parsed.scheme.includes("+");
		return {
			host: parsed.host,
			port: parsed.port,
			transport: said ? parsed.transport : undefined,
			systemPath: parsed.systemId?.replace(/\/+$/, ""),
		};
	} catch (error) {
		if (!(error instanceof BmcAddressError)) throw error;
		throw new IronstrapError({
			code: "bmc-address-invalid",
			// the address itself is not repeated: people write passwords into it
			message: `the address ${error.message}`,
			fix:
				error.reason === "userinfo"
					? "leave the user name out of the address: --username and --password-file take the log-in"
					: "give an address such as 10.0.0.5, bmc-1:8443 or https://10.0.0.5",
		});
	}
}
