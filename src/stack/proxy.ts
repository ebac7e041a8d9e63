import { bmcDestinations } from "../fence/egress.ts";
import { IronstrapError } from "../lib/errors.ts";
import { parseCidr } from "../resources/ip.ts";
import type { Site } from "../resources/site.ts";
import { isIPv6 } from "./addresses.ts";
import type { StackInputs } from "./inputs.ts";

/** What decides whom a proxy must not be asked for. */
export type ProxyInputs = Pick<StackInputs, "provisioning"> & Partial<Pick<StackInputs, "bridgeSubnet">>;

/** Variables of Ironic's process, by which it downloads images; empty without a proxy. */
export function proxyEnvironment(site: Site, inputs: ProxyInputs): Readonly<Record<string, string>> {
	const { proxy } = site.bootstrap.spec;
	if (proxy === undefined) return {};
	return {
		...(proxy.http === undefined ? {} : { http_proxy: proxy.http }),
		...(proxy.https === undefined ? {} : { https_proxy: proxy.https }),
		no_proxy: noProxy(site, inputs),
	};
}

/** `driver_info` for ramdisks that download images themselves. */
export function ramdiskProxy(site: Site, inputs: ProxyInputs): Readonly<Record<string, string>> {
	const { imageDownload, proxy } = site.bootstrap.spec;
	if (proxy === undefined || imageDownload === "conductor") return {};
	return {
		...(proxy.http === undefined ? {} : { image_http_proxy: proxy.http }),
		...(proxy.https === undefined ? {} : { image_https_proxy: proxy.https }),
		image_no_proxy: noProxy(site, inputs),
	};
}

/**
 * Whom Ironic talks to directly: this machine, deploy ramdisks, BMCs, and what the site adds. Networks are understood by
 * Python's requests for IPv4 only.
 */
function noProxy(site: Site, { bridgeSubnet, provisioning }: ProxyInputs): string {
	if (isIPv6(provisioning.address)) throw ipv6(site, provisioning.address);
	const { dhcp, externalIP } = site.ironic.spec.networking;
	const networks = [
		provisioning.cidr,
		dhcp?.networkCIDR,
		...(dhcp?.extraRanges ?? []).map(({ networkCIDR }) => networkCIDR),
		bridgeSubnet,
	].flatMap((network) => (network === undefined ? [] : [parseCidr(network).text]));
	const own = [
		"localhost",
		"127.0.0.1",
		provisioning.address,
		...(externalIP === undefined ? [] : [externalIP]),
	];
	const bmcs = bmcDestinations(site).map(({ host }) => host);
	const { noProxy: added = [] } = site.bootstrap.spec.proxy ?? {};
	return [...new Set([...own, ...networks, ...bmcs, ...added])].join(",");
}

function ipv6(site: Site, address: string): IronstrapError {
	const { name, namespace } = site.bootstrap.metadata;
	return new IronstrapError({
		code: "proxy-ipv6",
		message:
			"Bootstrap.spec.proxy needs an IPv4 provisioning network: Ironic cannot except an IPv6 network from a proxy",
		where: site.locate({ kind: "Bootstrap", namespace, name }, ["spec", "proxy"]),
		seen: address,
		fix: "provision over IPv4, or serve the images from a machine that needs no proxy",
	});
}
