import type { IronicNode } from "../ironic/node.ts";
import type { HostContext } from "./context.ts";
import type { Sight } from "./observe.ts";

/** Logs are read no sooner, and no more often (milliseconds). */
const FIRST_MS = 30_000;
const EVERY_MS = 10_000;

export interface StallWatch {
	look(sight: Sight, signal: AbortSignal): Promise<void>;
	/** `no DHCP request for 45 s`; empty while nothing is wrong. */
	told(): readonly string[];
}

/** Finds out during one wait, now and then, why a ramdisk does not call. */
export function stallWatch({ stall }: HostContext): StallWatch {
	let next = Date.now() + FIRST_MS;
	let message: string | undefined;
	return {
		told: () => (message === undefined ? [] : [message]),
		async look({ host, node }, signal) {
			if (!isAwaited(node)) message = undefined;
			else if (stall !== undefined && Date.now() >= next) {
				next = Date.now() + EVERY_MS;
				message = (await stall(host, node, signal))?.message;
			}
		},
	};
}

/** Ironic waits for the node's ramdisk. */
export function isAwaited(node: IronicNode | undefined): node is IronicNode {
	return (
		node !== undefined && ["inspect wait", "wait call-back", "clean wait"].includes(node.provision_state)
	);
}
