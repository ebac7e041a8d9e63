import { connectEngine } from "../engine/connect.ts";
import { chooseHosts } from "../hosts/choose.ts";
import { nodeNameOf } from "../hosts/host-name.ts";
import { isAwaited } from "../hosts/stall-watch.ts";
import { bootBegan, diagnose, type Stall } from "../hosts/trace/diagnose.ts";
import type { TraceEvent } from "../hosts/trace/event.ts";
import { timeline } from "../hosts/trace/timeline.ts";
import { createIronicClient } from "../ironic/client.ts";
import type { IronicNode } from "../ironic/node.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import { apiAccess } from "../state/api-access.ts";
import { engineOf, readApplied } from "../state/applied.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { hostsOf } from "./host-verbs.ts";
import { bootOf, readServiceLogs, tracedOf } from "./service-logs.ts";

export interface TraceOptions {
	readonly site: string | undefined;
	/** As a person names it. */
	readonly host: string;
	/** How far back, in milliseconds. */
	readonly backMs: number;
	/** Goes on until the signal; each event is told as it comes. */
	readonly follow: boolean;
	readonly roots: StateRoots;
	readonly signal: AbortSignal;
}

export interface Trace {
	readonly host: string;
	/** `inspect wait`; absent when Ironic cannot be asked or has no node. */
	readonly provisionState: string | undefined;
	readonly power: string | undefined;
	readonly stall: Stall | undefined;
	readonly events: readonly TraceEvent[];
}

/** One time-line of what a host's boot looked like from dnsmasq, httpd and Ironic, and where it stalls. Changes nothing. */
export async function traceHost(options: TraceOptions, onEvent: (event: TraceEvent) => void): Promise<Trace> {
	const { follow, roots, signal } = options;
	const { hosts, site: name } = await hostsOf(options.site, roots);
	const [candidate] = chooseHosts(hosts, [options.host]);
	const host = candidate?.host;
	if (host === undefined)
		throw new IronstrapError({
			code: "host-undeclared",
			message: `${options.host} is not in the manifests any more`,
			fix: "declare it again, or look at `ironstrap logs`",
		});
	const paths = sitePaths(name, roots);
	const secrets = openSecretStore(paths.secretsDirectory);
	const site = await readApplied(paths, secrets);
	const engine = await connectEngine({ ...engineOf(site), environment: process.env }, signal);
	const node = await nodeOf(host, await apiAccess(secrets, site.ironic.spec.networking.apiPort), signal);
	const traced = tracedOf(host, node?.uuid ?? candidate?.stored?.status.provisioning.ID);
	const now = Date.now();
	const all: TraceEvent[] = [];
	const told = new Set<TraceEvent>();
	const tell = () => {
		for (const event of timeline(all, traced)) if (!told.has(event)) onEvent(event);
		for (const event of all) told.add(event);
	};
	const since = new Date(now - options.backMs).toISOString();
	await readServiceLogs(engine, name, { follow, since, signal }, (event) => {
		all.push(event);
		if (follow) tell();
	});
	if (!follow) tell();
	const events = timeline(all, traced);
	const inputs = { boot: bootOf(host), events, now, since: bootBegan(events, now - options.backMs) };
	return {
		host: `${host.metadata.namespace}/${host.metadata.name}`,
		provisionState: node?.provision_state,
		power: node?.power_state ?? undefined,
		stall: isAwaited(node) ? diagnose(inputs) : undefined,
		events,
	};
}

/** The node as Ironic has it, or `undefined` when it gives no answer: the logs tell the most of it. */
async function nodeOf(
	host: BareMetalHost,
	access: Awaited<ReturnType<typeof apiAccess>>,
	signal: AbortSignal,
): Promise<IronicNode | undefined> {
	const limit = AbortSignal.any([signal, AbortSignal.timeout(5000)]);
	const ironic = createIronicClient({ ...access, signal: limit, retryMs: 0 });
	try {
		return await ironic.findNode(nodeNameOf(host));
	} catch {
		signal.throwIfAborted();
		return undefined;
	} finally {
		await ironic.close();
	}
}
