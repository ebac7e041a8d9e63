import { discoverEngine } from "../engine/discover.ts";
import { IronstrapError } from "../lib/errors.ts";
import { lookAtClock } from "../linux/clock.ts";
import { lookAtInterfaces } from "../linux/interfaces.ts";
import { findLogin } from "../linux/login.ts";
import type { EngineFact, MachineFacts } from "./facts.ts";

/** Looks at this machine: interfaces, log-in, engine, time. Changes nothing, and needs root for the engine alone. */
export async function lookForInit({
	signal,
	environment,
}: {
	signal: AbortSignal;
	environment: Readonly<Record<string, string | undefined>>;
}): Promise<MachineFacts> {
	const [interfaces, login, engine, time] = await Promise.all([
		lookAtInterfaces({ signal }),
		findLogin(environment),
		lookAtEngine(environment, signal),
		lookAtClock({ signal }),
	]);
	return { interfaces, login, engine, time };
}

/** A site can be written without an engine: its absence is a fact like others. */
async function lookAtEngine(
	environment: Readonly<Record<string, string | undefined>>,
	signal: AbortSignal,
): Promise<EngineFact> {
	try {
		const { info, socket } = await discoverEngine({ kind: "auto", environment }, signal);
		return { found: true, name: `${info.kind === "podman" ? "Podman" : "Docker"} ${info.version}`, socket };
	} catch (error) {
		signal.throwIfAborted();
		if (!(error instanceof IronstrapError)) throw error;
		return { found: false, why: error.seen ?? error.message };
	}
}
