import { IronstrapError } from "../lib/errors.ts";
import { urlHost } from "../resources/ip.ts";
import type { Site } from "../resources/site.ts";
import type { StackInputs } from "./inputs.ts";
import { hasPlainMedia, mediaAddresses } from "./media.ts";
import type { ComposePort } from "./project.ts";

/** Ports inside the httpd container; all above 1024, so that it needs no capability. */
export const containerPorts = { ramdiskApi: 6385, operatorApi: 6386, files: 6180, media: 6183 } as const;

/** What of the machine decides where the stack answers. */
export type EndpointInputs = Pick<StackInputs, "provisioning" | "localAddresses">;

/** The URLs that Ironic hands out and the addresses on which they are answered. */
export interface Endpoints {
	/** For deploy ramdisks and links in the API: `https://172.22.0.1:6385`. */
	readonly api: string;
	/** For ramdisks booted from virtual media, which may reach the machine by another address. */
	readonly callback: string;
	/** Boot files over plain HTTP. */
	readonly files: string;
	/** Virtual media. */
	readonly media: string;
	/** The whole API, from this machine. */
	readonly operatorApi: string;
	/** False when the site asks for virtual media over plain HTTP. */
	readonly mediaTls: boolean;
	readonly ports: readonly ComposePort[];
}

export function endpointsOf(site: Site, inputs: EndpointInputs): Endpoints {
	const { networking, tls } = site.ironic.spec;
	const { address } = inputs.provisioning;
	const { apiPort, imageServerPort, imageServerTLSPort } = networking;
	const mediaTls = tls.disableVirtualMediaTLS !== true;
	const external = networking.externalIP ?? address;
	const media = mediaTls
		? `https://${urlHost(external)}:${imageServerTLSPort}`
		: plainMediaUrl(site, address);
	const facing = facingAddresses(site, inputs);
	const operator = operatorAddresses(site, facing);
	refuseSharedPorts(site, [apiPort, imageServerPort, ...(mediaTls ? [imageServerTLSPort] : [])]);
	return {
		api: `https://${urlHost(address)}:${apiPort}`,
		callback: withoutSlash(networking.externalCallbackURL) ?? `https://${urlHost(external)}:${apiPort}`,
		files: `http://${urlHost(address)}:${imageServerPort}`,
		media: withoutSlash(networking.imageServerExternalURL) ?? media,
		operatorApi: `https://127.0.0.1:${apiPort}`,
		mediaTls,
		ports: [
			...facing.map((host) => publish(host, apiPort, containerPorts.ramdiskApi)),
			...operator.map((host) => publish(host, apiPort, containerPorts.operatorApi)),
			...facing.map((host) => publish(host, imageServerPort, containerPorts.files)),
			...(mediaTls ? facing.map((host) => publish(host, imageServerTLSPort, containerPorts.media)) : []),
			...mediaPorts(site, inputs).filter(({ host_ip }) => !facing.includes(host_ip)),
		],
	};
}

/** For BMCs that reach this machine by another address: virtual media, and nothing else of what is served. */
function mediaPorts(site: Site, { provisioning }: EndpointInputs): readonly ComposePort[] {
	const { imageServerPort, imageServerTLSPort } = site.ironic.spec.networking;
	const encrypted = site.ironic.spec.tls.disableVirtualMediaTLS !== true;
	return mediaAddresses(provisioning).flatMap((host) => [
		...(encrypted ? [publish(host, imageServerTLSPort, containerPorts.media)] : []),
		...(hasPlainMedia(site) ? [publish(host, imageServerPort, containerPorts.files)] : []),
	]);
}

/** Virtual media for BMCs that cannot take it over HTTPS; `address` is this machine's on the provisioning network. */
export function plainMediaUrl({ ironic }: Site, address: string): string {
	const { externalIP, imageServerPort } = ironic.spec.networking;
	return `http://${urlHost(externalIP ?? address)}:${imageServerPort}`;
}

/** Addresses that servers and BMCs use. */
function facingAddresses(site: Site, inputs: EndpointInputs): readonly string[] {
	const { externalIP } = site.ironic.spec.networking;
	const { address } = inputs.provisioning;
	const external =
		externalIP !== undefined && inputs.localAddresses?.includes(externalIP) ? [externalIP] : [];
	return [...new Set([address, ...external])];
}

/** Addresses with the whole API. One port of one address cannot be both, so the overlap is refused. */
function operatorAddresses(site: Site, facing: readonly string[]): readonly string[] {
	const { listen } = site.bootstrap.spec.api;
	const both = listen.find((address) => facing.includes(address));
	if (both !== undefined)
		throw new IronstrapError({
			code: "api-listen-faces-servers",
			message: `${both} answers servers on the API's port, and can therefore not carry the full API as well`,
			where: site.locate(
				{
					kind: "Bootstrap",
					namespace: site.bootstrap.metadata.namespace,
					name: site.bootstrap.metadata.name,
				},
				["spec", "api", "listen", listen.indexOf(both)],
			),
			fix: "name another address of this machine in Bootstrap.spec.api.listen, or use https://127.0.0.1 here",
		});
	return [...new Set(["127.0.0.1", ...listen])];
}

function refuseSharedPorts(site: Site, ports: readonly number[]): void {
	const twice = ports.find((port, index) => ports.indexOf(port) !== index);
	if (twice === undefined) return;
	const { metadata } = site.ironic;
	throw new IronstrapError({
		code: "ports-collide",
		message: `port ${twice} is asked for twice`,
		where: site.locate({ kind: "Ironic", namespace: metadata.namespace, name: metadata.name }, [
			"spec",
			"networking",
		]),
		fix: "give apiPort, imageServerPort and imageServerTLSPort different numbers",
	});
}

function publish(host: string, published: number, target: number): ComposePort {
	return { target, published: String(published), host_ip: host, protocol: "tcp" };
}

function withoutSlash(url: string | undefined): string | undefined {
	return url?.replace(/\/+$/, "");
}
