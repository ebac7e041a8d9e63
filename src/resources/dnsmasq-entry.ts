import { parseIpAddress } from "./ip.ts";

/**
 * What is wrong with a raw `dhcp-host` value, as a predicate ("has …"); `undefined` if dnsmasq takes it.
 * https://thekelleys.org.uk/dnsmasq/docs/dnsmasq-man.html, --dhcp-host
 */
export function dhcpHostFault(entry: string): string | undefined {
	const fault = lineFault(entry);
	if (fault !== undefined) return fault;
	for (const part of entry.split(",").map((each) => each.trim())) {
		const wrong = partFault(part);
		if (wrong !== undefined) return wrong;
	}
	return undefined;
}

/** The same for a `dhcp-ignore` value: tags, all of which must be set. */
export function dhcpIgnoreFault(entry: string): string | undefined {
	const fault = lineFault(entry);
	if (fault !== undefined) return fault;
	const bad = entry.split(",").find((part) => !/^\s*(?:(?:tag|net):)?!?[A-Za-z0-9_.-]+\s*$/.test(part));
	return bad === undefined ? undefined : `has ${JSON.stringify(bad.trim())}, which is not a tag`;
}

/** The operator joins entries with `;` and we write one line each: neither may be within an entry. */
function lineFault(entry: string): string | undefined {
	if (entry.trim() === "") return "is empty";
	if (/[\r\n;]/.test(entry)) return "contains a line end or `;`";
	if (/[^ -~]/.test(entry)) return "contains a character that is not printable ASCII";
	return /["#\\]/.test(entry) ? 'contains `"`, `#` or `\\`, which dnsmasq would interpret' : undefined;
}

function partFault(part: string): string | undefined {
	if (/^[0-9a-f*]{1,2}([:-][0-9a-f*]{1,2}){3,7}$/i.test(part))
		return MAC.test(part) ? undefined : `has ${part}, which is not a MAC address`;
	const ip = /^\[(.*)\]$/.exec(part)?.[1] ?? (/^\d+(\.\d+){3}$/.test(part) ? part : undefined);
	if (ip !== undefined)
		return isAddress(ip, part !== ip) ? undefined : `has ${part}, which is not an IP address`;
	if (FORMS.some((form) => form.test(part))) return undefined;
	return `has ${JSON.stringify(part)}, which is neither an address, a name, a tag nor a lease time`;
}

const MAC = /^(?:\d{1,2}-)?(?:[0-9a-f]{2}|\*)(?::(?:[0-9a-f]{2}|\*)){5}$/i;

const FORMS = [
	MAC,
	/^id:(?:\*|[0-9a-f]{1,2}(?::[0-9a-f]{1,2})+|[A-Za-z0-9_.-]+)$/i,
	/^(?:set|net|tag):!?[A-Za-z0-9_.-]+$/,
	/^\d{1,9}[wdhms]?$/i,
	// a host name; `infinite` and `ignore` among them
	/^(?=.*[a-z_])(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*$/i,
];

function isAddress(text: string, bracketed: boolean): boolean {
	try {
		return parseIpAddress(text).family === (bracketed ? 6 : 4);
	} catch {
		return false;
	}
}
