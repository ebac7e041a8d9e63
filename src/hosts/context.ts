import type { IronicClient } from "../ironic/client.ts";
import type { IronicNode } from "../ironic/node.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { Site } from "../resources/site.ts";
import type { HostStore } from "../state/host-store.ts";
import type { Stall } from "./trace/diagnose.ts";
import type { Turns } from "./turns.ts";

/** What the life cycle of hosts works with. */
export interface HostContext {
	readonly site: Site;
	readonly ironic: IronicClient;
	readonly store: HostStore;
	/** Where BMCs of hosts with `ironstrap.io/virtual-media: http` fetch their media. */
	readonly plainMediaUrl?: string | undefined;
	/** What this machine's stack adds to a node's `driver_info`. */
	readonly driverInfo?: ((host: BareMetalHost) => Readonly<Record<string, string>>) | undefined;
	/** Bytes that an image takes on a disk, where that can be found out beforehand. */
	readonly imageSize?: ((url: string, signal: AbortSignal) => Promise<number | undefined>) | undefined;
	/** Why a host that is to boot the ramdisk does not; reads what the services logged. */
	readonly stall?:
		| ((host: BareMetalHost, node: IronicNode, signal: AbortSignal) => Promise<Stall | undefined>)
		| undefined;
	/** Has those of the servers that are deployed keep the addresses that they have. */
	readonly keepAddresses?:
		| ((hosts: readonly BareMetalHost[], signal: AbortSignal) => Promise<void>)
		| undefined;
	/** Milliseconds between two lists of all nodes at least; 0 when absent. */
	readonly watchEveryMs?: number | undefined;
	/** Whose turn it is to make hardware work; everybody's when absent. */
	readonly turns?: Turns | undefined;
	/** A keyed hash, which tells whether a secret has changed without keeping it. */
	readonly fingerprint?: ((text: string) => string) | undefined;
	/** The clock of status times; the machine's when absent. */
	readonly now?: (() => Date) | undefined;
}

/** RFC 3339 to the second, UTC: `metav1.Time`. */
export function timestamp(context: HostContext): string {
	return (context.now?.() ?? new Date()).toISOString().replace(/\.\d+Z$/, "Z");
}
