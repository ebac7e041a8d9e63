import type { TraceEvent } from "../../hosts/trace/event.ts";
import { type Trace, traceHost } from "../../lifecycle/host-trace.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { durationOf } from "../duration-option.ts";
import { runCommand } from "../run.ts";

export interface TraceFlags extends SiteOptions {
	readonly follow?: boolean;
	readonly since: string;
}

export function runTrace(host: string, { follow = false, json, since, site }: TraceFlags): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const backMs = durationOf("--since", since);
		const options = { site, host, backMs, follow, roots: defaultRoots, signal };
		const trace = await traceHost(options, (event) => {
			const { kind, service, text } = event;
			const time = new Date(event.time).toISOString();
			report.line({ type: "trace", time, service, kind, text }, line(event));
		});
		report.result(trace, conclusion(trace));
		return undefined;
	});
}

/** `12:05:31  dnsmasq  offered 172.22.0.101`, in UTC as the logs are. */
function line({ service, text, time }: TraceEvent): string {
	return `${new Date(time).toISOString().slice(11, 19)}  ${service.padEnd(7)}  ${text}`;
}

/** Exported for its test. */
export function conclusion({ events, host, power, provisionState, stall }: Trace): string {
	const now = [provisionState ?? "not known to Ironic", ...(power === undefined ? [] : [power])].join(", ");
	if (stall !== undefined) return `${host}: ${now}; the boot stalls: ${stall.message}\n  fix: ${stall.fix}`;
	return `${host}: ${now}${events.length === 0 ? "; nothing was seen of it" : ""}`;
}
