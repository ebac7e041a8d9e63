import { createInterface } from "node:readline";
import { label } from "../converge/labels.ts";
import type { Engine } from "../engine/engine.ts";
import type { HostContext } from "../hosts/context.ts";
import { bootBegan, diagnose } from "../hosts/trace/diagnose.ts";
import type { TraceEvent } from "../hosts/trace/event.ts";
import { parseLine, type Traced, type TracedService, timeline } from "../hosts/trace/timeline.ts";
import type { IronicNode } from "../ironic/node.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import { parseBmcAddress } from "../resources/bmc-address.ts";
import { projectName } from "../stack/names.ts";

const SERVICES: readonly TracedService[] = ["dnsmasq", "httpd", "ironic"];

export interface ReadOptions {
	/** ISO 8601. */
	readonly since: string;
	/** Until the signal. */
	readonly follow?: boolean;
	readonly signal: AbortSignal;
}

/** Reads what the services of a site logged about servers, of each service in its own order; returns which there are. */
export async function readServiceLogs(
	engine: Engine,
	site: string,
	{ follow = false, signal, since }: ReadOptions,
	onEvent: (event: TraceEvent) => void,
): Promise<readonly TracedService[]> {
	const { containers } = await engine.observe(projectName(site), signal);
	const traced = containers.flatMap(({ labels, name }) => {
		const service = SERVICES.find((candidate) => candidate === labels[label.service]);
		return service === undefined ? [] : [{ name, service }];
	});
	await Promise.all(
		traced.map(async ({ name, service }) => {
			const stream = await engine.logs(name, { follow, since, signal, timestamps: true });
			for await (const line of createInterface({ input: stream })) {
				const event = parseLine(service, line);
				if (event !== undefined) onEvent(event);
			}
		}),
	);
	return traced.map(({ service }) => service);
}

/** How a host is recognised in the logs. */
export function tracedOf(host: BareMetalHost, node: string | undefined): Traced {
	const ports = [
		host.spec.bootMACAddress,
		...(host.spec.networkInterfaces ?? []).map((nic) => nic.macAddress),
	];
	return { node, macs: ports.flatMap((mac) => (mac === undefined ? [] : [mac.toLowerCase()])) };
}

export function bootOf(host: BareMetalHost): "network" | "media" {
	const { bootInterface } = parseBmcAddress(host.spec.bmc?.address ?? "");
	return /virtual-media/.test(bootInterface) ? "media" : "network";
}

/** How far back a boot may have begun, and how long one reading serves all hosts (milliseconds). */
const BACK_MS = 3_600_000;
const FRESH_MS = 5_000;

/** Diagnoses stalls from the logs, which are read once for all hosts that ask at the same time. */
export function stallReader(engine: Engine, site: string): NonNullable<HostContext["stall"]> {
	const began = Date.now();
	let last: { readonly at: number; readonly read: ReturnType<typeof all> } | undefined;
	const reading = (now: number) => {
		if (last === undefined || now - last.at > FRESH_MS) last = { at: now, read: all(now) };
		return last.read;
	};
	const all = async (now: number) => {
		const found: TraceEvent[] = [];
		let services: readonly TracedService[] = [];
		const options = { since: new Date(now - BACK_MS).toISOString(), signal: AbortSignal.timeout(20_000) };
		// a log that cannot be read is no reason to give up what is waited for
		await readServiceLogs(engine, site, options, (event) => found.push(event)).then(
			(read) => {
				services = read;
			},
			() => undefined,
		);
		return { found, services };
	};
	return async (host: BareMetalHost, node: IronicNode, signal: AbortSignal) => {
		signal.throwIfAborted();
		const now = Date.now();
		const { found, services } = await reading(now);
		const boot = bootOf(host);
		// somebody else's DHCP server keeps its own log
		if (!services.includes(boot === "network" ? "dnsmasq" : "httpd")) return undefined;
		const own = timeline(found, tracedOf(host, node.uuid));
		return diagnose({ boot, events: own, now, since: bootBegan(own, began) });
	};
}
