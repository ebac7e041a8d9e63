import { createHash } from "node:crypto";

/** A one-to-one form of a site's name that Compose takes: site names have no `_`. */
export function projectName(site: string): string {
	return `ironstrap-${site.replaceAll(".", "_")}`;
}

/**
 * The interface of the site's private bridge on this machine. Known before the bridge exists, because the fence
 * names it first; at most 15 characters, the kernel's limit.
 */
export function bridgeInterfaceName(site: string): string {
	return `is-${createHash("sha256").update(site).digest("hex").slice(0, 8)}`;
}
