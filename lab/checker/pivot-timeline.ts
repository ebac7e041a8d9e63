/**
 * Judges a hand-over by what others recorded of it: the API server's audit log, the container engine's events, the BMC's
 * request log and what the target's operators did. Shares nothing with the product, not even names of its code.
 */

/** An engine's event about the container that is the source's conductor. Times are milliseconds since 1970. */
export interface ConductorEvent {
	readonly at: number;
	readonly what: "start" | "end";
}

export interface Recorded {
	/** Audit events as JSON lines; BareMetalHosts with their responses. */
	readonly audit: string;
	readonly conductor: readonly ConductorEvent[];
	readonly bmc: readonly { readonly method: string; readonly path: string }[];
	/** What the target's operators did to servers. */
	readonly operators: readonly { readonly event: string; readonly host: string }[];
	/** `NAMESPACE/NAME` of every server. */
	readonly hosts: readonly string[];
	/** Who is to have them at the end. */
	readonly end: "source" | "target";
}

export interface Judgement {
	/** Times at which the source's conductor ran and the target managed a host. */
	readonly doubleManagers: readonly string[];
	/** Hosts that nobody, or not the right one, manages at the end, or that were touched on the way. */
	readonly lostHosts: readonly string[];
	/** Requests that changed a BMC or its server. */
	readonly bmcWrites: readonly string[];
	/** Hosts that were created without the brake, or without anything that tells BMO what they are. */
	readonly unsafeCreations: readonly string[];
}

export function judge(recorded: Recorded): Judgement {
	const writes = parseAudit(recorded.audit);
	const managed = managedTimes(writes);
	const ran = ranTimes(recorded.conductor);
	return {
		doubleManagers: managed.flatMap((target) =>
			ran
				.filter((source) => source.from < target.to && target.from < source.to)
				.map((source) => `${target.host}: ${moment(Math.max(source.from, target.from))}`),
		),
		lostHosts: lost(recorded, managed, ran),
		bmcWrites: recorded.bmc
			.filter(({ method, path }) => method !== "GET" && !/\/SessionService\/Sessions/.test(path))
			.map(({ method, path }) => `${method} ${path}`),
		unsafeCreations: writes.filter(isUnsafeCreation).map(({ host }) => host),
	};
}

const PAUSED = "baremetalhost.metal3.io/paused";
const STATUS = "baremetalhost.metal3.io/status";

/** A write of a BareMetalHost, and what the API server then had. */
interface Write {
	readonly at: number;
	readonly host: string;
	readonly verb: string;
	readonly created: boolean;
	readonly object: HostObject | undefined;
}

interface HostObject {
	readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
	readonly spec?: { readonly externallyProvisioned?: boolean };
	readonly status?: { readonly operationalStatus?: string };
	readonly kind?: string;
}

interface AuditEvent {
	readonly stage: string;
	readonly verb: string;
	readonly requestURI: string;
	readonly stageTimestamp: string;
	readonly objectRef?: {
		readonly resource?: string;
		readonly namespace?: string;
		readonly name?: string;
	};
	readonly responseStatus?: { readonly code?: number };
	readonly responseObject?: HostObject;
}

function parseAudit(text: string): readonly Write[] {
	return text
		.split("\n")
		.filter((line) => line.startsWith("{") && line.endsWith("}"))
		.map((line) => JSON.parse(line) as AuditEvent)
		.filter(
			({ objectRef, requestURI, responseStatus, stage }) =>
				stage === "ResponseComplete" &&
				objectRef?.resource === "baremetalhosts" &&
				!requestURI.includes("dryRun=") &&
				(responseStatus?.code ?? 500) < 300,
		)
		.map(({ objectRef, responseObject, responseStatus, stageTimestamp, verb }) => ({
			at: Date.parse(stageTimestamp),
			host: `${objectRef?.namespace}/${objectRef?.name}`,
			verb,
			created: responseStatus?.code === 201,
			object: responseObject,
		}));
}

interface Span {
	readonly from: number;
	readonly to: number;
}

/** From the moment at which nothing kept BMO from acting until it had let go, or the object was gone. */
function managedTimes(writes: readonly Write[]): readonly (Span & { readonly host: string })[] {
	const since = new Map<string, number>();
	const spans: (Span & { readonly host: string })[] = [];
	for (const { at, host, object, verb } of writes) {
		const free =
			verb !== "delete" &&
			object?.kind === "BareMetalHost" &&
			object.metadata?.annotations?.[PAUSED] === undefined &&
			object.status?.operationalStatus !== "detached";
		const from = since.get(host);
		if (free && from === undefined) since.set(host, at);
		if (!free && from !== undefined) {
			spans.push({ host, from, to: at });
			since.delete(host);
		}
	}
	for (const [host, from] of since) spans.push({ host, from, to: Number.POSITIVE_INFINITY });
	return spans;
}

function ranTimes(events: readonly ConductorEvent[]): readonly Span[] {
	const spans: Span[] = [];
	let from: number | undefined;
	for (const { at, what } of [...events].sort((a, b) => a.at - b.at)) {
		if (what === "start") from ??= at;
		if (what === "end" && from !== undefined) {
			spans.push({ from, to: at });
			from = undefined;
		}
	}
	if (from !== undefined) spans.push({ from, to: Number.POSITIVE_INFINITY });
	return spans;
}

function lost(
	{ end, hosts, operators }: Recorded,
	managed: readonly (Span & { readonly host: string })[],
	ran: readonly Span[],
): readonly string[] {
	const sourceRuns = ran.some(({ to }) => to === Number.POSITIVE_INFINITY);
	const harmed = operators.filter(({ event }) => !["registered", "detached"].includes(event));
	return [
		...harmed.map(({ event, host }) => `${host} was ${event}`),
		...hosts.flatMap((host) => {
			const targetHas = managed.some((span) => span.host === host && span.to === Number.POSITIVE_INFINITY);
			if (targetHas === (end === "target") && sourceRuns === (end === "source")) return [];
			return `${host}: managed by the target: ${targetHas}, source runs: ${sourceRuns}, wanted: ${end}`;
		}),
	];
}

function isUnsafeCreation({ created, object }: Write): boolean {
	if (!created) return false;
	const { [PAUSED]: paused, [STATUS]: status } = object?.metadata?.annotations ?? {};
	return paused === undefined || (status === undefined && object?.spec?.externallyProvisioned !== true);
}

function moment(at: number): string {
	return new Date(at).toISOString();
}
