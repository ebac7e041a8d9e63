import { setTimeout as sleep } from "node:timers/promises";
import type { IronicClient } from "../ironic/client.ts";
import { atLeast, SINCE } from "../ironic/microversion.ts";
import type { IronicNode, IronicPort } from "../ironic/node.ts";

/** All nodes and ports of an Ironic, at one moment. */
export interface Watch {
	/** As a list tells that was asked for at `since` (of `performance.now`) or later. */
	nodes(since: number, signal: AbortSignal): Promise<Nodes>;
	ports(since: number, signal: AbortSignal): Promise<ReadonlyMap<string, IronicPort>>;
}

export interface Nodes {
	readonly byUuid: ReadonlyMap<string, IronicNode>;
	readonly byName: ReadonlyMap<string, IronicNode>;
}

/** What decisions are made from. Lists of whole nodes are four times as long. */
const FIELDS = [
	...["uuid", "name", "driver", "instance_info", "provision_state", "target_provision_state"],
	...["power_state", "target_power_state", "maintenance", "maintenance_reason", "fault", "reservation"],
	...[
		"last_error",
		"deploy_step",
		"clean_step",
		"automated_clean",
		"inspection_finished_at",
		"deploy_interface",
	],
] as const;

/** What a list costs is what the fastest of the last ones took: the others waited for something else. */
const LAST = 5;

/** Lists may take this part of the time at most, whatever the number of nodes. */
const REST = 5;

const watches = new WeakMap<IronicClient, Watch>();

/**
 * The watch of an Ironic, shared by all its hosts: one list serves everybody who waits at that moment, and lists are
 * `everyMs` apart or more, so that it costs the same for one host and for a thousand.
 */
export function watchOf(ironic: IronicClient, everyMs: number): Watch {
	const known = watches.get(ironic);
	if (known !== undefined) return known;
	const nodes = shared(async () => {
		const guarded = atLeast(await ironic.version(), SINCE.disablePowerOff) ? ["disable_power_off"] : [];
		return indexed(await ironic.listNodes({ fields: [...FIELDS, ...guarded] }));
	}, everyMs);
	const ports = shared(async () => {
		const all = await ironic.listPorts();
		return new Map(all.map((port) => [port.address.toLowerCase(), port]));
	}, everyMs);
	const watch = { nodes, ports };
	watches.set(ironic, watch);
	return watch;
}

function indexed(nodes: readonly IronicNode[]): Nodes {
	return {
		byUuid: new Map(nodes.map((node) => [node.uuid, node])),
		byName: new Map(nodes.flatMap((node) => (node.name === null ? [] : [[node.name, node] as const]))),
	};
}

/** A fetch that everybody shares who asked before it began. */
function shared<T>(fetch: () => Promise<T>, everyMs: number) {
	let times: readonly number[] = [];
	let ended = Number.NEGATIVE_INFINITY;
	let last: { readonly started: number; readonly value: Promise<T> } | undefined;
	let next: Promise<void> | undefined;

	const start = async () => {
		await last?.value.catch(() => undefined);
		const pause = everyMs === 0 || times.length === 0 ? 0 : Math.max(everyMs, REST * Math.min(...times));
		const rest = ended + pause - performance.now();
		if (rest > 0) await sleep(rest);
		const started = performance.now();
		const value = fetch().finally(() => {
			ended = performance.now();
			times = [...times, ended - started].slice(-LAST);
		});
		last = { started, value };
		next = undefined;
	};

	return async (since: number, signal: AbortSignal): Promise<T> => {
		while (last === undefined || last.started < since) {
			signal.throwIfAborted();
			next ??= start();
			await next;
		}
		return last.value;
	};
}
