import { type BmcAddress, parseBmcAddress } from "../resources/bmc-address.ts";
import { proxyFor } from "../resources/proxy.ts";
import type { Site } from "../resources/site.ts";
import { networkOf } from "./networks.ts";

/** One service that a container must reach. */
export interface Destination {
	/** A host name or an address, IPv6 without brackets. */
	readonly host: string;
	readonly protocol: "tcp" | "udp";
	readonly port: number;
}

/** Host name → its addresses. Names are resolved beforehand, so that rendering is pure. */
export type Resolved = ReadonlyMap<string, readonly string[]>;

/** The BMCs of the site's hosts. */
export function bmcDestinations(site: Site): readonly Destination[] {
	return bmcsOf(site).map(({ host, port, transport }) => ({
		host,
		protocol: transport === "ipmi" ? "udp" : "tcp",
		port: port ?? { ipmi: 623, http: 80, https: 443 }[transport],
	}));
}

/** Names or addresses of the BMCs that fetch virtual media from us. */
export function mediaBmcs(site: Site): readonly string[] {
	return bmcsOf(site)
		.filter(({ bootInterface }) => bootInterface.endsWith("virtual-media"))
		.map(({ host }) => host);
}

/** Where images and their checksums come from, or the proxy they come by: Ironic looks at both before a server does. */
export function imageDestinations(site: Site): readonly Destination[] {
	const { proxy } = site.bootstrap.spec;
	const images = site.hosts.flatMap(({ spec }) => [spec.image?.url, spec.image?.checksum]);
	const urls = [...images, proxy?.http, proxy?.https];
	return urls.flatMap((url) => (url === undefined ? [] : destinationOf(url)));
}

/** URLs of images and checksums that containers fetch themselves, not by a proxy. */
export function imageUrls(site: Site): readonly string[] {
	const urls = site.hosts.flatMap(({ spec }) => [spec.image?.url, spec.image?.checksum]);
	const remote = urls.flatMap((url) => (url === undefined || destinationOf(url).length === 0 ? [] : [url]));
	return [...new Set(remote)].filter((url) => proxyFor(site, url) === undefined).sort();
}

/** What URLs name that an image source led on to. */
export function urlDestinations(urls: readonly string[]): readonly Destination[] {
	return urls.flatMap(destinationOf);
}

/** Every host name that must be resolved for a fence of this site. `further`: where image sources lead on to. */
export function namesToResolve(site: Site, further: readonly Destination[] = []): readonly string[] {
	const hosts = [...bmcDestinations(site), ...imageDestinations(site), ...further].map(({ host }) => host);
	const names = [...hosts, ...site.bootstrap.spec.fence.allow].filter(
		(host) => networkOf(host) === undefined,
	);
	return [...new Set(names)].sort();
}

/** The addresses of a host name, or of an address or network itself. */
export function addressesOf(host: string, resolved: Resolved): readonly string[] {
	return networkOf(host) === undefined ? (resolved.get(host) ?? []) : [host];
}

function bmcsOf(site: Site): readonly BmcAddress[] {
	return site.hosts.flatMap(({ spec }) => {
		try {
			return spec.bmc === undefined ? [] : [parseBmcAddress(spec.bmc.address)];
		} catch {
			return []; // the linter has told about it
		}
	});
}

function destinationOf(url: string): readonly Destination[] {
	if (!/^(?:https?|oci):\/\//i.test(url) || !URL.canParse(url)) return []; // a checksum itself, or file://
	const { hostname, port, protocol } = new URL(url.replace(/^oci:/i, "https:"));
	const standard = protocol === "http:" ? 80 : 443;
	const host = hostname.replace(/^\[|\]$/g, "");
	return [{ host, protocol: "tcp", port: port === "" ? standard : Number(port) }];
}
