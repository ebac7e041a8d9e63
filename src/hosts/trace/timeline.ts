import { withoutUserinfo } from "../userinfo.ts";
import type { LineParser, TraceEvent } from "./event.ts";
import { parseDnsmasq } from "./parse-dnsmasq.ts";
import { parseHttpd } from "./parse-httpd.ts";
import { parseIronic } from "./parse-ironic.ts";

export type TracedService = TraceEvent["service"];

/** In the order in which a boot meets them. */
const PARSERS: Readonly<Record<TracedService, LineParser>> = {
	dnsmasq: parseDnsmasq,
	httpd: parseHttpd,
	ironic: parseIronic,
};

const ORDER = Object.keys(PARSERS);

/** A line of a container's log with the engine's RFC 3339 time before it; `undefined` if it tells nothing. */
export function parseLine(service: TracedService, line: string): TraceEvent | undefined {
	const space = line.indexOf(" ");
	const time = Date.parse(line.slice(0, space));
	if (space < 0 || Number.isNaN(time)) return undefined;
	const event = PARSERS[service](line.slice(space + 1).trimEnd());
	return event && { time, service, ...event, text: withoutUserinfo(event.text) };
}

/** What is known of a server whose events are wanted. */
export interface Traced {
	/** Lower case. */
	readonly macs: readonly string[];
	/** UUID of its Ironic node. */
	readonly node: string | undefined;
}

/**
 * The events of one server in the order of time; those of one moment in the order of a boot, because Podman tells whole
 * seconds. An event that carries an IP address only is the server's while dnsmasq
 * has given that address to one of its MAC addresses.
 */
export function timeline(events: readonly TraceEvent[], { macs, node }: Traced): readonly TraceEvent[] {
	const addresses = new Set<string>();
	return [...events]
		.sort((a, b) => a.time - b.time || ORDER.indexOf(a.service) - ORDER.indexOf(b.service))
		.filter((event) => {
			const own = event.mac !== undefined && macs.includes(event.mac);
			if (event.address !== undefined && event.mac !== undefined) {
				if (own) addresses.add(event.address);
				else if (event.service === "dnsmasq") addresses.delete(event.address);
			}
			if (own || (event.node !== undefined && event.node === node)) return true;
			// somebody else's by name
			if (event.mac !== undefined || event.node !== undefined) return false;
			return event.address !== undefined && addresses.has(event.address);
		});
}
