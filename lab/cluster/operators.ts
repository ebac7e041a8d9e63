import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { SandboxProcess } from "../sandbox/command.ts";
import type { Sandbox } from "../sandbox.ts";
import { until } from "../until.ts";
import type { Behaviour } from "./behaviour.ts";
import type { OperatorEvent } from "./model-bmo.ts";
import type { OperatorsConfig } from "./operators-main.ts";
import { CLUSTER_DIRECTORY, type LabCluster } from "./start.ts";

export type LoggedOperatorEvent = OperatorEvent & { readonly at: string };

/** The models of the two operators (operators-main.ts), and what a preflight looks for of them. */
export interface LabOperators {
	/** From now on. */
	behave(behaviour: Behaviour): void;
	/** What they did to servers, oldest first. */
	events(): readonly LoggedOperatorEvent[];
	/** File of those events, outside. */
	readonly log: string;
	readonly process: SandboxProcess;
}

/** A node that pods can run on, and the operators' Deployments; `image` is that of BMO. */
export function targetManifests(image = "quay.io/metal3-io/baremetal-operator:v0.13.2"): readonly object[] {
	return [
		{ apiVersion: "v1", kind: "Node", metadata: { name: "node-0" } },
		deployment("baremetal-operator-system", "baremetal-operator-controller-manager", image),
		deployment(
			"ironic-standalone-operator-system",
			"ironic-standalone-operator-controller-manager",
			"quay.io/metal3-io/ironic-standalone-operator:v0.11.0",
		),
	];
}

/** Nobody runs pods here: what a kubelet and a deployment controller would write is written once. */
export async function furnishTarget(cluster: LabCluster, image?: string): Promise<void> {
	for (const object of targetManifests(image) as readonly Manifest[]) {
		const { kind, metadata } = object;
		if (metadata.namespace !== undefined)
			await cluster.kubectl(["create", "namespace", metadata.namespace]).catch(() => undefined);
		await cluster.kubectl(["apply", "--server-side", "-f", "-"], JSON.stringify(object));
		const status =
			kind === "Node"
				? { conditions: [{ type: "Ready", status: "True" }] }
				: { replicas: 1, readyReplicas: 1, availableReplicas: 1, observedGeneration: 1 };
		const path =
			kind === "Node"
				? `/api/v1/nodes/${metadata.name}/status`
				: `/apis/apps/v1/namespaces/${metadata.namespace}/deployments/${metadata.name}/status`;
		const { stdout } = await cluster.kubectl(["get", "--raw", path]);
		await cluster.kubectl(
			["replace", "--raw", path, "-f", "-"],
			JSON.stringify({ ...JSON.parse(stdout), status }),
		);
	}
	// the API server's own admission gives it to every new node, and a controller takes it away
	await cluster.kubectl(["taint", "nodes", "node-0", "node.kubernetes.io/not-ready:NoSchedule-"]);
}

/** Starts the models; they act as administrator, as the operators' own accounts may do what they must. */
export async function startOperators(
	sandbox: Sandbox,
	cluster: LabCluster,
	options: { readonly ironic?: string | undefined } = {},
): Promise<LabOperators> {
	const inside = (name: string) => `${CLUSTER_DIRECTORY}/${name}`;
	const outside = (name: string) => sandbox.path(inside(name));
	const { users } = JSON.parse(readFileSync(sandbox.path(cluster.adminKubeconfig), "utf8")) as {
		users: readonly { user: { token: string } }[];
	};
	const config: OperatorsConfig = {
		server: cluster.server,
		token: users[0]?.user.token ?? "",
		ca: readFileSync(outside("api.crt"), "utf8"),
		log: inside("operators.jsonl"),
		behaviour: inside("behaviour.json"),
		ironic: options.ironic,
	};
	writeFileSync(outside("operators.json"), JSON.stringify(config), { mode: 0o600 });
	writeFileSync(outside("operators.jsonl"), "");
	const behave = (behaviour: Behaviour) =>
		writeFileSync(outside("behaviour.json"), JSON.stringify(behaviour));
	behave({});
	const main = fileURLToPath(new URL("./operators-main.js", import.meta.url));
	const child = sandbox.spawn(process.execPath, [main, inside("operators.json")], {
		log: outside("operators.log"),
	});
	await until(() => child.pid() !== undefined, { what: "the operators", deadlineMs: 10_000 });
	const log = outside("operators.jsonl");
	return {
		behave,
		log,
		process: child,
		events: () =>
			readFileSync(log, "utf8")
				.split("\n")
				.filter((line) => line !== "")
				.map((line) => JSON.parse(line) as LoggedOperatorEvent),
	};
}

interface Manifest {
	readonly kind: string;
	readonly metadata: { readonly name: string; readonly namespace?: string };
}

function deployment(namespace: string, name: string, image: string): object {
	const labels = { app: name };
	return {
		apiVersion: "apps/v1",
		kind: "Deployment",
		metadata: { name, namespace },
		spec: {
			selector: { matchLabels: labels },
			template: { metadata: { labels }, spec: { containers: [{ name: "manager", image }] } },
		},
	};
}
