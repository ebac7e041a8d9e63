import type { PowerTarget } from "../ironic/node.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { ErrorType } from "../resources/bare-metal-host-status.ts";
import type { Deadlines } from "../resources/bootstrap.ts";
import { describe } from "../resources/site.ts";
import type { Step, StepTools } from "../steps/step.ts";
import type { HostAction, HostRequest, Operation, RunMemory } from "./action.ts";
import type { HostContext } from "./context.ts";
import { decide } from "./decide.ts";
import { execute, type Learnt, tell } from "./execute.ts";
import { refOf } from "./host-name.ts";
import { type Looks, observe, type Sight } from "./observe.ts";
import { type Phase, reached } from "./phase.ts";
import { isAwaited, stallWatch } from "./stall-watch.ts";
import { turnOf } from "./turn.ts";

const PHASES: readonly { readonly phase: Phase; readonly title: string }[] = [
	{ phase: "register", title: "register" },
	{ phase: "deprovision", title: "deprovision" },
	{ phase: "inspect", title: "inspect" },
	{ phase: "prepare", title: "make available" },
	{ phase: "provision", title: "provision" },
];

/**
 * A host's way from its manifest to its final state, in five steps: `host:metal3/cp-0:register`, `…:deprovision`,
 * `…:inspect`, `…:prepare`, `…:provision`. All decisions come from `decide`; a step only says how far to go. A host
 * without BMC is unmanaged and has no steps. Call it once per run: what this run has tried is remembered across them.
 */
export function hostSteps(host: BareMetalHost, request: HostRequest = { kind: "none" }): Step<HostContext>[] {
	if (host.spec.bmc === undefined) return [];
	const name = `${host.metadata.namespace}/${host.metadata.name}`;
	const run = newRun(host, request);
	return PHASES.map(({ phase, title }) => ({
		id: `host:${name}:${phase}`,
		title: `${title} ${name}`,
		async done(context, tools) {
			const sight = await observe(context, host, run, tools.signal);
			return reached(phase, sight, decide(sight, run));
		},
		do: (context, tools) => advance(context, tools, host, phase, run),
	}));
}

/** Takes a host out of Ironic and out of our store, as BMO deletes one: one step, `host:metal3/cp-0:remove`. */
export function removalStep(host: BareMetalHost): Step<HostContext> {
	const name = `${host.metadata.namespace}/${host.metadata.name}`;
	// the site may have no credentials of it any more, and Ironic has them
	const run = { ...newRun(host, { kind: "remove" }), configured: true };
	return {
		id: `host:${name}:remove`,
		title: `remove ${name}`,
		do: (context, tools) => advance(context, tools, host, "remove", run),
	};
}

interface Run extends RunMemory, Looks {
	request: HostRequest;
	started: Set<Operation>;
	powered: Set<PowerTarget>;
	configured: boolean;
	/** As the manifest wants it. */
	readonly online: boolean;
}

function newRun({ spec }: BareMetalHost, request: HostRequest): Run {
	const { online } = spec;
	return {
		...{ request, online, configured: false, started: new Set<Operation>(), powered: new Set<PowerTarget>() },
		...{ node: undefined, stored: undefined, portSeen: false, since: performance.now() },
	};
}

async function advance(
	context: HostContext,
	tools: StepTools,
	host: BareMetalHost,
	phase: Phase,
	run: Run,
): Promise<void> {
	const watch = watcher(tools);
	const turn = turnOf(context, tools, host);
	try {
		for (;;) {
			tools.signal.throwIfAborted();
			const sight = await observe(context, host, run, tools.signal);
			watch(sight);
			const action = decide(sight, run);
			if (reached(phase, sight, action) || action.kind === "settled") return;
			if (action.kind === "wait") {
				await waitUntilOver(context, tools, sight, action.operation, run, watch);
				continue;
			}
			await turn.take(action);
			remember(run, action);
			learn(run, action, await execute(context, sight, action, tools.signal));
			if (action.kind === "delete") return;
		}
	} finally {
		turn.release();
	}
}

/** What is known after a deed need not be asked for. */
function learn(run: Run, action: HostAction, learnt: Learnt): void {
	if (action.kind === "create-port") run.portSeen = true;
	run.stored = undefined;
	if (learnt === "unchanged") return;
	run.node = learnt === "changed" ? undefined : { value: learnt };
	run.since = performance.now();
}

/** Before the deed: if it is killed or fails half-way, the same run must not try it for ever. */
function remember(run: Run, action: HostAction): void {
	if (action.kind === "change" && action.operation !== undefined) run.started.add(action.operation);
	if (action.kind === "deploy") run.started.add("provision");
	if (action.kind === "power") run.powered.add(action.target);
	// answered: from here on the server only stays as it is
	if (action.kind === "record" && action.answers === run.request.kind)
		run.request = { kind: "power", on: run.online };
	if (action.kind === "clear-maintenance") run.started.add("recover");
	if (action.kind === "configure" || action.kind === "enrol") run.configured = true;
}

async function waitUntilOver(
	context: HostContext,
	tools: StepTools,
	first: Sight,
	operation: Operation,
	run: Run,
	watch: (sight: Sight) => string,
): Promise<void> {
	let last = first;
	const ref = refOf(first.host);
	const stall = stallWatch(context);
	try {
		await tools.waitFor(
			{
				what: `${ref.namespace}/${ref.name} to ${VERBS[operation]}`,
				why: () => [detailOf(last), ...stall.told()].join("; "),
				deadlineMs: context.site.bootstrap.spec.deadlines[DEADLINES[operation]],
				everyMs: 1000,
				subject: describe(ref),
			},
			async (signal) => {
				run.node = undefined;
				run.since = performance.now();
				last = await observe(context, first.host, run, signal);
				watch(last);
				await stall.look(last, signal);
				const action = decide(last, run);
				return action.kind === "wait" && action.operation === operation ? undefined : action;
			},
		);
	} catch (error) {
		if (!(error instanceof IronstrapError) || error.code !== "deadline-passed") throw error;
		const waited = isAwaited(last.node) ? ["(waiting for the ramdisk)"] : [];
		const words = [`${error.message}; last seen: ${detailOf(last)}`, ...waited].join(" ");
		await tell(context, last, ERRORS[operation], operation, [words, ...stall.told()].join("; "));
	}
}

/** Emits what is seen of the host whenever it changes; returns it. */
function watcher(tools: StepTools): (sight: Sight) => string {
	let told: string | undefined;
	return (sight) => {
		const detail = detailOf(sight);
		const { namespace, name } = sight.host.metadata;
		const state = sight.state === "" ? "registering" : sight.state;
		if (`${state} ${detail}` !== told)
			tools.emit({ type: "host", host: `${namespace}/${name}`, state, detail });
		told = `${state} ${detail}`;
		return detail;
	};
}

/** `wait call-back, deploy.write_image, power on`. */
function detailOf({ node }: Sight): string {
	if (node === undefined) return "not enrolled";
	const step = node.deploy_step?.step === undefined ? node.clean_step : node.deploy_step;
	return [
		node.provision_state,
		...(step?.step === undefined ? [] : [`${step.interface ?? "deploy"}.${step.step}`]),
		node.power_state ?? "power unknown",
		...(node.last_error === null ? [] : [`last error: ${node.last_error}`]),
	].join(", ");
}

const VERBS: Readonly<Record<Operation, string>> = {
	register: "answer through its BMC",
	inspect: "be inspected",
	prepare: "be cleaned",
	provision: "be deployed",
	deprovision: "be undeployed",
	adopt: "be adopted",
	power: "change its power state",
	recover: "leave maintenance",
	abort: "end what an earlier run began",
};

const DEADLINES: Readonly<Record<Operation, keyof Deadlines>> = {
	register: "register",
	inspect: "inspect",
	prepare: "prepare",
	provision: "provision",
	deprovision: "deprovision",
	adopt: "register",
	power: "power",
	recover: "power",
	abort: "power",
};

const ERRORS: Readonly<Record<Operation, ErrorType>> = {
	register: "registration error",
	inspect: "inspection error",
	prepare: "preparation error",
	provision: "provisioning error",
	deprovision: "provisioning error",
	adopt: "provisioned registration error",
	power: "power management error",
	recover: "power management error",
	abort: "provisioning error",
};
