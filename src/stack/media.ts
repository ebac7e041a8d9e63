import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import { parseBmcAddress } from "../resources/bmc-address.ts";
import type { Site } from "../resources/site.ts";
import { wantsPlainMedia } from "../resources/virtual-media.ts";
import type { StackInputs } from "./inputs.ts";

/** BMCs that fetch virtual media, by the host part of their addresses; none where the site itself says where from. */
export function routedBmcs(site: Site): readonly string[] {
	const { externalIP, imageServerExternalURL } = site.ironic.spec.networking;
	if (externalIP !== undefined || imageServerExternalURL !== undefined) return [];
	return [...new Set(site.hosts.flatMap((host) => mediaBmcOf(host) ?? []))].sort();
}

/** Addresses of this machine, besides the provisioning one, by which BMCs fetch virtual media. */
export function mediaAddresses({ address, media = {} }: StackInputs["provisioning"]): readonly string[] {
	return [...new Set(Object.values(media))].filter((each) => each !== address).sort();
}

/** Whether some virtual media is handed out over plain HTTP. */
export function hasPlainMedia(site: Site): boolean {
	return site.ironic.spec.tls.disableVirtualMediaTLS === true || site.hosts.some(wantsPlainMedia);
}

/** `driver_info` of a host whose BMC is not on the provisioning network: where it fetches its media from. */
export function mediaDriverInfo(
	site: Site,
	{ address, media = {} }: StackInputs["provisioning"],
	host: BareMetalHost,
): Readonly<Record<string, string>> {
	const local = media[mediaBmcOf(host) ?? ""];
	if (local === undefined || local === address) return {};
	const { imageServerPort, imageServerTLSPort } = site.ironic.spec.networking;
	const isPlain = site.ironic.spec.tls.disableVirtualMediaTLS === true || wantsPlainMedia(host);
	const url = isPlain ? `http://${local}:${imageServerPort}` : `https://${local}:${imageServerTLSPort}`;
	return { external_http_url: url };
}

function mediaBmcOf({ spec }: BareMetalHost): string | undefined {
	try {
		const bmc = parseBmcAddress(spec.bmc?.address ?? "");
		return bmc.bootInterface.endsWith("virtual-media") ? bmc.host : undefined;
	} catch {
		return undefined; // the linter has told about it
	}
}
