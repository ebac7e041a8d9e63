import type { IronicClient } from "../ironic/client.ts";
import type { Site } from "../resources/site.ts";
import type { HostStore } from "../state/host-store.ts";

/** What the life cycle of hosts works with. */
export interface HostContext {
	readonly site: Site;
	readonly ironic: IronicClient;
	readonly store: HostStore;
	/** Where BMCs of hosts with `ironstrap.io/virtual-media: http` fetch their media. */
	readonly plainMediaUrl?: string | undefined;
	/** Bytes that an image takes on a disk, where that can be found out beforehand. */
	readonly imageSize?: ((url: string, signal: AbortSignal) => Promise<number | undefined>) | undefined;
	/** A keyed hash, which tells whether a secret has changed without keeping it. */
	readonly fingerprint?: ((text: string) => string) | undefined;
	/** The clock of status times; the machine's when absent. */
	readonly now?: (() => Date) | undefined;
}

/** RFC 3339 to the second, UTC: `metav1.Time`. */
export function timestamp(context: HostContext): string {
	return (context.now?.() ?? new Date()).toISOString().replace(/\.\d+Z$/, "Z");
}
