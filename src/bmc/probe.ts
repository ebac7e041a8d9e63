import { IronstrapError } from "../lib/errors.ts";
import type { Credentials } from "../resources/credentials.ts";
import { wantsNewPassword } from "./client.ts";
import { readDocuments } from "./documents.ts";
import type { Authentication, BmcProbe, Endpoint, RedfishFacts } from "./facts.ts";
import { type FoundRedfish, findRedfish, type Miss } from "./find.ts";
import { interpretDocuments } from "./interpret.ts";
import { askIpmi, IPMI_PORT } from "./ipmi.ts";
import { linkIn } from "./json.ts";
import { proposeAddresses, type Wish } from "./propose.ts";
import type { ProbeTarget } from "./target.ts";
import { probeWarnings } from "./warnings.ts";

export interface ProbeOptions extends Wish {
	readonly credentials: Credentials | undefined;
	readonly signal: AbortSignal;
	/** How long a TCP or TLS connection, or an answer over UDP, may take. Default 5000. */
	readonly connectMs?: number | undefined;
	/** How long one request may take; BMCs are slow. Default 15 000. */
	readonly requestMs?: number | undefined;
	/** How long the whole probe may take. Default 60 000. */
	readonly totalMs?: number | undefined;
}

/**
 * Finds out what is at an address and how a host of it would be written. Reads only: GETs, and a session that is ended.
 * Errors: `bmc-unreachable`, `bmc-tls-refused`, `bmc-not-found` (something else answers), `bmc-system-unknown`,
 * `bmc-slow`, or the signal's reason.
 */
export async function probeBmc(target: ProbeTarget, options: ProbeOptions): Promise<BmcProbe> {
	const { connectMs = 5000, requestMs = 15_000, totalMs = 60_000, credentials } = options;
	const overdue = AbortSignal.timeout(totalMs);
	const signal = AbortSignal.any([options.signal, overdue]);
	try {
		const limits = { signal, connectMs, requestMs, now: Date.now };
		const onlyIpmi = target.transport === "ipmi";
		const port = onlyIpmi ? (target.port ?? IPMI_PORT) : IPMI_PORT;
		const asking = askIpmi(target.host, { port, deadlineMs: Math.min(connectMs, 3000), signal });
		const { found, misses } = onlyIpmi ? { found: undefined, misses: [] } : await findRedfish(target, limits);
		const service = found === undefined ? undefined : await readService(found, credentials);
		const ipmi = await asking;
		signal.throwIfAborted();
		if (found === undefined && ipmi === undefined) throw nothingFound(target, misses);
		const endpoint: Endpoint = found?.endpoint ?? {
			...{ transport: "ipmi", host: target.host, port, localAddress: undefined },
		};
		const tls = found?.tls;
		const redfish = service?.redfish;
		const systemPath = options.systemPath ?? target.systemPath;
		if (redfish !== undefined) refuseUnknownSystem(redfish, systemPath);
		const seen = { endpoint, tls, redfish, ipmi };
		const facts = {
			...seen,
			authentication: service?.authentication ?? (credentials === undefined ? "none-given" : "unknown"),
			clockSkewSeconds: service?.clockSkewSeconds,
			proposals: proposeAddresses(seen, { boot: options.boot, systemPath }),
		} as const;
		return { ...facts, warnings: probeWarnings(facts, misses, service?.unreadable ?? []) };
	} catch (error) {
		options.signal.throwIfAborted();
		if (!overdue.aborted) throw error;
		throw new IronstrapError({
			code: "bmc-slow",
			message: `the BMC at ${target.host} did not tell everything within ${totalMs / 1000} s`,
			fix: "try again; if it stays so slow, restart the BMC (not the server) in its web interface",
		});
	}
}

interface Service {
	readonly redfish: RedfishFacts;
	readonly authentication: Authentication;
	readonly clockSkewSeconds: number | undefined;
	readonly unreadable: readonly string[];
}

async function readService(found: FoundRedfish, credentials: Credentials | undefined): Promise<Service> {
	const { client, root, maySendPassword, reply } = found;
	try {
		const readAt = Date.now();
		const mayLogIn = credentials !== undefined && maySendPassword;
		const login = mayLogIn ? await client.logIn(root, credentials) : undefined;
		const systems = await client.get(linkIn(root.Systems) ?? "/redfish/v1/Systems");
		const authentication = judge(systems, login, credentials !== undefined && !maySendPassword);
		const unreadable: string[] = [];
		let clockRead = readAt;
		const documents =
			authentication === "accepted" || systems.status === 200
				? await readDocuments(root, async (path) => {
						const { status, json, failure } = await client.get(path);
						if (status === 200 && json !== undefined) {
							if ("DateTime" in json) clockRead = Date.now();
							return json;
						}
						if (status !== 404) unreadable.push(`${path}: ${failure ?? status}`);
						return undefined;
					})
				: { root, systems: [], managers: [] };
		const redfish = interpretDocuments(documents);
		const dateHeader = Date.parse(String(reply.headers.date));
		const skew =
			redfish.clock !== undefined
				? redfish.clock - clockRead
				: Number.isNaN(dateHeader)
					? undefined
					: dateHeader - readAt;
		return {
			...{ redfish, unreadable, authentication: rightsSeen(authentication, unreadable, redfish) },
			clockSkewSeconds: skew === undefined ? undefined : Math.round(skew / 1000),
		};
	} finally {
		await client.close();
	}
}

function judge(
	systems: Awaited<ReturnType<FoundRedfish["client"]["get"]>>,
	login: Awaited<ReturnType<FoundRedfish["client"]["logIn"]>> | undefined,
	notSent: boolean,
): Authentication {
	if (notSent) return "not-sent";
	if (login === undefined) return "none-given";
	if (login !== "accepted") return login;
	if (systems.status === 200) return "accepted";
	if (wantsNewPassword(systems.json)) return "must-change-password";
	if (systems.status === 401) return "refused";
	return systems.status === 403 ? "lacking-rights" : "unknown";
}

/** Some BMCs show the list of systems to everybody and the systems to those who may. */
function rightsSeen(
	authentication: Authentication,
	unreadable: readonly string[],
	{ systems }: RedfishFacts,
): Authentication {
	const forbidden = systems.length === 0 && unreadable.some((each) => each.endsWith(": 403"));
	return authentication === "accepted" && forbidden ? "lacking-rights" : authentication;
}

function refuseUnknownSystem({ systems }: RedfishFacts, path: string | undefined): void {
	if (path === undefined || systems.length === 0 || systems.some((system) => system.path === path)) return;
	throw new IronstrapError({
		code: "bmc-system-unknown",
		message: `the BMC has no system ${path}`,
		seen: `it has ${systems.map((system) => system.path).join(", ")}`,
		fix: "name one of these, or leave the path out",
	});
}

function nothingFound(target: ProbeTarget, misses: readonly Miss[]): IronstrapError {
	const seen = [
		...misses.map(({ place, seen }) => `${place}: ${seen}`),
		"UDP port 623 (IPMI): no answer",
	].join("; ");
	const has = (kind: Miss["kind"]) => misses.some((miss) => miss.kind === kind);
	if (has("tls-refused"))
		return new IronstrapError({
			code: "bmc-tls-refused",
			message: `${target.host} speaks only a TLS that is refused today, by Ironic too`,
			seen,
			fix: "update the BMC's firmware, or renew its certificate (RSA 2048 or better) and allow TLS 1.2 in its web interface",
		});
	if (has("not-redfish") || has("no-tls"))
		return new IronstrapError({
			code: "bmc-not-found",
			message: `${target.host} answers, but not as a BMC`,
			seen,
			fix: "check that this is the BMC's own address and not the server's; enable Redfish (or IPMI over LAN) in its web interface; a port other than 443 must be given",
		});
	return new IronstrapError({
		code: "bmc-unreachable",
		message: has("unknown-name")
			? `the name ${target.host} is not known`
			: `nothing answers at ${target.host}`,
		seen,
		fix: has("unknown-name")
			? "check the spelling, or give the IP address"
			: `check the address, the BMC's cable, and that this machine has a way there: \`ip route get ${target.host}\``,
	});
}
