import type { BareMetalHost } from "./bare-metal-host.ts";

/** Our annotation for a host whose BMC cannot fetch an image over HTTPS, or not with a certificate of our CA. */
export const virtualMediaAnnotation = "ironstrap.io/virtual-media";

/** Whether this host's virtual media is handed out over plain HTTP: `ironstrap.io/virtual-media: http`. */
export function wantsPlainMedia({ metadata }: BareMetalHost): boolean {
	return metadata.annotations?.[virtualMediaAnnotation] === "http";
}
