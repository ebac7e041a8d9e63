import { type Cidr, cidrContains, parseCidr, parseIpAddress } from "./ip.ts";
import type { Site } from "./site.ts";

/** The proxy by which this machine and its containers fetch a URL; `undefined` where they go themselves. */
export function proxyFor({ bootstrap }: Site, url: string): string | undefined {
	const { proxy } = bootstrap.spec;
	if (proxy === undefined || !URL.canParse(url)) return undefined;
	const { hostname, protocol } = new URL(url);
	const host = hostname.replace(/^\[|\]$/g, "");
	if (proxy.noProxy.some((entry) => excepts(entry, host))) return undefined;
	return protocol === "https:" ? proxy.https : proxy.http;
}

/** As Python's requests reads an entry, so that this machine and Ironic agree: a name's end, an address, a network. */
function excepts(entry: string, host: string): boolean {
	const network = attempt(() => parseCidr(entry));
	if (network !== undefined) return isWithin(host, network);
	return host === entry || host.endsWith(entry.startsWith(".") ? entry : `.${entry}`);
}

function isWithin(host: string, network: Cidr): boolean {
	const address = attempt(() => parseIpAddress(host));
	return address !== undefined && cidrContains(network, address);
}

function attempt<T>(parse: () => T): T | undefined {
	try {
		return parse();
	} catch {
		return undefined;
	}
}
