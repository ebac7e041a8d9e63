import test from "ava";
import { type DesiredProject, desiredProject } from "../../../src/converge/desired.ts";
import { conditionMet } from "../../../src/engine/conditions.ts";
import type { ContainerState, Engine } from "../../../src/engine/engine.ts";
import { readyStep, type StackContext } from "../../../src/lifecycle/stack-steps.ts";
import { renderStack } from "../../../src/stack/render.ts";
import { waitFor } from "../../../src/steps/wait.ts";
import { inputsOf, siteOf } from "../stack/fixture.ts";

const stack = renderStack(siteOf(), inputsOf());
const desired: DesiredProject = desiredProject(stack, Buffer.from("key"));
const never = new AbortController().signal;
const [running, succeeded] = [
	{ status: "running", exitCode: 0, pid: 7 },
	{ status: "exited", exitCode: 0, pid: 0 },
] as const;

/** An engine whose containers are in these states by service; health checks are noted and answered by `health`. */
function engineWith(
	states: Readonly<Record<string, ContainerState>>,
	health: (service: string) => number = () => 0,
): Engine {
	const serviceOf = (name: string) => /-([a-z]+)-1$/.exec(name)?.[1] ?? name;
	const engine: Pick<Engine, "containerState" | "runHealthCheck" | "logTail"> = {
		containerState: async (name) => states[serviceOf(name)],
		runHealthCheck: async (name) => ({ exitCode: health(serviceOf(name)), stdout: "", stderr: "" }),
		logTail: async (name) => `log of ${serviceOf(name)}`,
	};
	return engine as Engine;
}

test("tables that are being made wait no longer for a database server that has ended: its log is told", async (t) => {
	const schema = { service: "schema", condition: "service_completed_successfully" } as const;
	const engine = engineWith({ schema: running, mariadb: { status: "exited", exitCode: 78, pid: 0 } });
	const error = await t.throwsAsync(conditionMet(engine, desired, schema, never));
	t.like(error, {
		code: "service-ended",
		message: "mariadb ended with exit code 78",
		seen: "log of mariadb",
	});
	const alive = engineWith({ schema: running, mariadb: running });
	t.deepEqual(await conditionMet(alive, desired, schema, never), { met: false, seen: "schema is at work" });
});

test("httpd is not asked whether it is healthy before Ironic is, which it stands on", async (t) => {
	const asked: string[] = [];
	const services = { mariadb: running, dnsmasq: running, ironic: running, httpd: running };
	const engine = engineWith({ ...services, schema: succeeded, prepare: succeeded }, (service) => {
		asked.push(service);
		return service === "ironic" && asked.filter((each) => each === service).length < 3 ? 1 : 0;
	});
	const context: StackContext = { engine, stack, desired, deadlineMs: 5000, engineDeadlineMs: 5000 };
	const emit = () => undefined;
	await readyStep().do(context, {
		signal: never,
		emit,
		waitFor: (wait, look) => waitFor(wait, look, emit, never),
	});
	t.deepEqual(asked.slice().sort(), ["dnsmasq", "httpd", "ironic", "ironic", "ironic", "mariadb"]);
	t.is(asked.at(-1), "httpd");
});

test("what never becomes ready is told once, and the others' waits end with it", async (t) => {
	const services = { mariadb: running, dnsmasq: running, httpd: running };
	const ended: ContainerState = { status: "exited", exitCode: 1, pid: 0 };
	const engine = engineWith(
		{ ...services, ironic: ended, schema: succeeded, prepare: succeeded },
		(service) => (service === "dnsmasq" ? 1 : 0),
	);
	const context: StackContext = { engine, stack, desired, deadlineMs: 60_000, engineDeadlineMs: 5000 };
	const emit = () => undefined;
	const work = readyStep().do(context, {
		signal: never,
		emit,
		waitFor: (wait, look) => waitFor(wait, look, emit, never),
	});
	t.like(await t.throwsAsync(work), { code: "service-ended", message: "ironic ended with exit code 1" });
});
