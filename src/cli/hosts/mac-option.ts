import { IronstrapError } from "../../lib/errors.ts";
import { type MacAddress, parseMacAddress } from "../../resources/mac-address.ts";

/** What `--mac` says. Errors: `usage`. */
export function macOf(text: string): MacAddress {
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
