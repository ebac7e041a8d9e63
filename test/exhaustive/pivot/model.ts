import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { type ConductorEvent, judge } from "../../../lab/checker/pivot-timeline.ts";
import { type ClusterApi, clusterApi } from "../../../lab/cluster/api.ts";
import { actOnHost, type OperatorEvent } from "../../../lab/cluster/model-bmo.ts";
import { actOnIronic } from "../../../lab/cluster/model-irso.ts";
import { applyDefinitions, pivotUser } from "../../../lab/cluster/start.ts";
import { type Moment, momentsIn, nameOf } from "../../../lab/story/crash.ts";
import { openCluster, type TestCluster } from "../../engine/kube/_cluster.ts";
import { sharedPath } from "../../support/shared.ts";
import { anyHosts, planOf } from "../../unit/pivot/_hosts.ts";
import { conductorLog, createModelSource, readState } from "./model-source.ts";

export type Way = "forward" | "back";

/** A model of the source, a real API server, and models of the target's operators that act on it all the time. */
export interface ModelScene {
	/** Starts over: nothing in the target, and a source with its nodes. */
	reset(): Promise<void>;
	/** Names of hosts whose BMC the target does not reach from now on. */
	unreachable(names: readonly string[]): void;
	/**
	 * Runs to the end; whether it succeeded, where it could be killed, and what it said. `patienceMs` is how long BMO may
	 * take with a host; default a minute, because the models share the machine with everything else.
	 */
	run(
		way: Way,
		patienceMs?: number,
	): Promise<{ readonly ok: boolean; readonly moments: readonly Moment[]; readonly said: string }>;
	/** Has the run killed at this moment. */
	kill(way: Way, moment: Moment): Promise<void>;
	/** Throws with what the checker found since the last reset, and with nodes that are still frozen after a way back. */
	check(end: "source" | "target"): void;
	/** Of all hosts, in the order in which they are let go. */
	readonly hosts: readonly string[];
	/** Those that the hand-over still holds back in the target. */
	paused(): Promise<readonly string[]>;
	stop(): Promise<void>;
}

export async function openModelScene(directory: string, seed = 20260101): Promise<ModelScene> {
	const cluster = await openCluster();
	try {
		await cluster.cluster.kubectl(["create", "namespace", "metal3"]);
		await applyDefinitions(cluster.cluster, sharedPath("crds"), ["bmo-v0.13.2", "irso-v0.11.0"]);
		const token = await pivotUser(cluster.cluster);
		const [sample = []] = fc.sample(
			anyHosts.filter((hosts) => hosts.length === 3),
			{ seed, numRuns: 1 },
		);
		return await furnish(cluster, token, directory, sample);
	} catch (error) {
		await cluster.stop();
		throw error;
	}
}

type Hosts = Parameters<typeof planOf>[0];

async function furnish(
	cluster: TestCluster,
	token: string,
	directory: string,
	hosts: Hosts,
): Promise<ModelScene> {
	const { admin, ca, door } = cluster;
	const api = clusterApi({ server: door.server, token: admin.token ?? "", ca });
	const operators = actAll(api);
	const audit = cluster.cluster.auditLog;
	const list = join(directory, "moments");
	let auditFrom = 0;
	let runs = 0;

	const start = (way: Way, at?: Moment, patienceMs = 60_000) =>
		new Promise<{ code: number | null; signal: string | null; said: string }>((resolve) => {
			rmSync(list, { force: true });
			const main = fileURLToPath(new URL("./model-run.js", import.meta.url));
			const preload = fileURLToPath(new URL("../../../lab/crash.js", import.meta.url));
			execFile(
				process.execPath,
				["--import", preload, main, directory, way, String(patienceMs)],
				{
					env: {
						...process.env,
						IRONSTRAP_CRASH_LIST: list,
						...(at === undefined ? {} : { IRONSTRAP_CRASH_AT: nameOf(at) }),
					},
				},
				(error, stdout, stderr) =>
					resolve({
						code: error === null ? 0 : typeof error.code === "number" ? error.code : null,
						signal: error?.signal ?? null,
						said: stdout + stderr,
					}),
			);
		});

	return {
		hosts: planOf(hosts).hosts.map(({ name }) => name),
		async paused() {
			const found = await api.list("/apis/metal3.io/v1alpha1/baremetalhosts");
			return found
				.filter(({ metadata }) => metadata.annotations?.["baremetalhost.metal3.io/paused"] !== undefined)
				.map(({ metadata }) => metadata.name);
		},
		unreachable: operators.unreachable,
		async reset() {
			await removeAll(cluster);
			rmSync(directory, { recursive: true, force: true });
			mkdirSync(directory, { recursive: true, mode: 0o700 });
			runs += 1;
			const plan = planOf(hosts, { runId: `run-${runs}` });
			writeFileSync(join(directory, "plan.json"), JSON.stringify(plan));
			writeFileSync(join(directory, "access.json"), JSON.stringify({ server: door.server, ca, token }), {
				mode: 0o600,
			});
			createModelSource(
				directory,
				hosts.flatMap(({ node }) => node ?? []),
			);
			operators.forget();
			auditFrom = statSync(audit).size;
		},
		async run(way, patienceMs) {
			const { code, said } = await start(way, undefined, patienceMs);
			return { ok: code === 0, moments: momentsIn(list), said };
		},
		async kill(way, moment) {
			const { said, signal } = await start(way, moment);
			const last = momentsIn(list).at(-1);
			if (signal === "SIGKILL" && last !== undefined && nameOf(last) === nameOf(moment)) return;
			throw new Error(`not killed at ${nameOf(moment)}: ${said}`);
		},
		check(end) {
			const found = judge({
				audit: readFileSync(audit).subarray(auditFrom).toString("utf8"),
				conductor: readFileSync(conductorLog(directory), "utf8")
					.split("\n")
					.filter((line) => line !== "")
					.map((line) => JSON.parse(line) as ConductorEvent),
				bmc: [],
				operators: operators.events(),
				hosts: hosts.map(({ host }) => `${host.metadata.namespace}/${host.metadata.name}`),
				end,
			});
			const frozen =
				end === "target"
					? []
					: readState(directory).nodes.filter(
							(node) => node.maintenance || node.protected || node.disable_power_off,
						);
			const faults = [
				...Object.entries(found).flatMap(([what, faultList]) =>
					(faultList as readonly string[]).map((each) => `${what}: ${each}`),
				),
				...frozen.map(({ name }) => `lostHosts: ${name} is still frozen`),
			];
			if (faults.length > 0) throw new Error(faults.join("\n"));
		},
		async stop() {
			operators.stop();
			await cluster.stop();
		},
	};
}

/** Both operators, round and round. */
function actAll(api: ClusterApi) {
	let events: OperatorEvent[] = [];
	let away: readonly string[] = [];
	let going = true;
	const round = async () => {
		for (const ironic of await api.list("/apis/ironic.metal3.io/v1alpha1/ironics"))
			await actOnIronic(api, ironic, {});
		for (const host of await api.list("/apis/metal3.io/v1alpha1/baremetalhosts"))
			await actOnHost(
				{ api, tell: (event) => events.push(event), target: undefined, unreachable: away },
				host,
			);
	};
	void (async () => {
		while (going) {
			// somebody else was quicker, or the API server is away: the next round sees what is
			await round().catch(() => undefined);
			await sleep(50);
		}
	})();
	return {
		events: () => events,
		forget() {
			events = [];
		},
		unreachable(names: readonly string[]) {
			away = names;
		},
		stop() {
			going = false;
		},
	};
}

/** As an administrator who does not care: finalizers first, then everything. */
async function removeAll({ cluster }: TestCluster): Promise<void> {
	const { stdout } = await cluster.kubectl(["get", "baremetalhosts", "-n", "metal3", "-o", "name"]);
	for (const name of stdout.split("\n").filter((line) => line !== "")) {
		const pause = '{"metadata":{"annotations":{"baremetalhost.metal3.io/paused":"reset"},"finalizers":null}}';
		await cluster.kubectl(["patch", "-n", "metal3", name, "--type=merge", "-p", pause]);
	}
	const kinds = "baremetalhosts,hardwaredata,ironics,secrets";
	await cluster.kubectl(["delete", kinds, "-n", "metal3", "--all", "--wait=true", "--timeout=30s"]);
}
