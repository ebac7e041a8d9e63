import type { Await, DesiredContainer, DesiredProject } from "../converge/desired.ts";
import { seconds } from "../converge/duration.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { Engine } from "./engine.ts";

export interface ConditionState {
	readonly met: boolean;
	/** What was seen last, for a status line. */
	readonly seen: string;
}

/**
 * Whether a condition of `depends_on` holds now. Throws when it never will: a one-shot that failed, a service that
 * gave up restarting; with the end of its log.
 */
export async function conditionMet(
	engine: Engine,
	desired: DesiredProject,
	{ service, condition }: Await,
	signal: AbortSignal,
): Promise<ConditionState> {
	const container = desired.containers.find((each) => each.service === service);
	if (container === undefined) throw new Error(`${service} is no service of ${desired.name}`);
	const state = await engine.containerState(container.name, signal);
	if (state === undefined || state.status === "created")
		return { met: false, seen: `${service} is not started yet` };
	if (condition === "service_completed_successfully") {
		if (state.status !== "exited") {
			await mustGoOn(engine, desired, container, signal);
			return { met: false, seen: `${service} is at work` };
		}
		if (state.exitCode === 0) return { met: true, seen: `${service} succeeded` };
		throw await ended(engine, container, state.exitCode, signal);
	}
	if (state.status === "exited" || state.status === "dead")
		throw await ended(engine, container, state.exitCode, signal);
	if (condition === "service_started") return { met: true, seen: `${service} is ${state.status}` };
	return healthOf(engine, container, signal);
}

/** What a one-shot at work needs has not ended: then that is what is told, and at once. */
async function mustGoOn(
	engine: Engine,
	desired: DesiredProject,
	{ awaits }: DesiredContainer,
	signal: AbortSignal,
): Promise<void> {
	const servers = awaits.filter(({ condition }) => condition === "service_started");
	await Promise.all(servers.map((each) => conditionMet(engine, desired, each, signal)));
}

/** Runs the service's own health check in it: Podman's are run by systemd, which is not everywhere. */
export async function healthOf(
	engine: Engine,
	container: DesiredContainer,
	signal: AbortSignal,
): Promise<ConditionState> {
	const { service, spec, name } = container;
	if (spec.healthcheck === undefined) return { met: true, seen: `${service} has no health check` };
	const [kind, ...test] = spec.healthcheck.test;
	const command = kind === "CMD-SHELL" ? ["/bin/sh", "-c", ...test] : test;
	const limit = AbortSignal.timeout((seconds(spec.healthcheck.timeout) ?? 30) * 1000);
	try {
		const check = AbortSignal.any([signal, limit]);
		const { exitCode, stdout, stderr } = await engine.runHealthCheck(name, command, check);
		const said = lastLine(stderr) || lastLine(stdout);
		return { met: exitCode === 0, seen: `${service}: ${said || `exit code ${exitCode}`}` };
	} catch (error) {
		signal.throwIfAborted();
		if (limit.aborted)
			return {
				met: false,
				seen: `${service}: the health check took longer than ${spec.healthcheck.timeout}`,
			};
		// Between two restarts there is nothing to run a command in.
		if (error instanceof IronstrapError)
			return { met: false, seen: `${service}: ${error.seen ?? error.message}` };
		throw error;
	}
}

async function ended(
	engine: Engine,
	{ service, name, oneShot }: DesiredContainer,
	exitCode: number,
	signal: AbortSignal,
) {
	return new IronstrapError({
		code: oneShot ? "one-shot-failed" : "service-ended",
		message: `${service} ${oneShot ? "failed" : "ended"} with exit code ${exitCode}`,
		seen: await engine.logTail(name, 20, signal),
		fix: `see its whole log (\`ironstrap logs ${service}\`), correct the cause, then run this again`,
	});
}

function lastLine(text: string): string {
	return text.trim().split("\n").at(-1) ?? "";
}
