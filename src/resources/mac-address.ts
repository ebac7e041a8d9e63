import { z } from "zod";

/** A MAC address (48 bit) in lower-case colon form: `52:54:00:ab:00:01`. */
export type MacAddress = string & { readonly __brand: "MacAddress" };

const COLON_FORM = /^[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}$/;

/** What people and vendors write: `52-54-00-AB-00-01`, `5254.00ab.0001`, `525400ab0001`. */
const OTHER_FORMS = [
	/^[0-9a-f]{2}(-[0-9a-f]{2}){5}$/i,
	/^[0-9a-f]{4}(\.[0-9a-f]{4}){2}$/i,
	/^[0-9a-f]{12}$/i,
];

/** Takes any usual spelling; throws a `RangeError` that says what was wrong. */
export function parseMacAddress(text: string): MacAddress {
	const trimmed = text.trim();
	if (!COLON_FORM.test(trimmed) && !OTHER_FORMS.some((form) => form.test(trimmed)))
		throw new RangeError(`${JSON.stringify(text)} is not a MAC address such as 52:54:00:ab:00:01`);
	const digits = trimmed.replace(/[^0-9a-f]/gi, "").toLowerCase();
	return (digits.match(/../g) ?? []).join(":") as MacAddress;
}

/** For manifests: the CRD takes the colon form only; the letter case does not matter. */
export const macAddressSchema = z
	.string()
	.regex(COLON_FORM, "must be a MAC address in colon form, such as 52:54:00:ab:00:01")
	.transform((text) => text.toLowerCase() as MacAddress);

/** True for an address that no single server can have: multicast (this includes broadcast) or all zero. */
export function isNotAServer(mac: MacAddress): boolean {
	return (Number.parseInt(mac.slice(0, 2), 16) & 1) === 1 || mac === "00:00:00:00:00:00";
}
