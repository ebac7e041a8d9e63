import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IronicClient } from "../../../src/ironic/client.ts";
import type { IronicNode, PatchOperation } from "../../../src/ironic/node.ts";
import type { PivotSource } from "../../../src/pivot/steps/context.ts";
import type { Step } from "../../../src/steps/step.ts";

/*
 * A MODEL of the bootstrap machine's stack: nodes with their flags, and whether a conductor runs. It lives in files, so
 * that it outlives the process that is killed. The stack itself, with its containers and a real Ironic, is in scene.ts; this
 * one takes no time, so that every moment of the journal can be tried.
 */
export interface ModelSource extends PivotSource {
	/** What `up` does after a rollback. */
	start(): void;
}

interface State {
	readonly running: boolean;
	readonly nodes: readonly IronicNode[];
}

export const conductorLog = (directory: string): string => join(directory, "conductor.jsonl");

export function createModelSource(directory: string, nodes: readonly IronicNode[]): void {
	writeState(directory, { running: true, nodes });
	writeFileSync(conductorLog(directory), "");
	told(directory, "start");
}

export function readState(directory: string): State {
	return JSON.parse(readFileSync(join(directory, "source.json"), "utf8")) as State;
}

export function openModelSource(directory: string): ModelSource {
	const change = (uuid: string, fields: Partial<IronicNode>): IronicNode => {
		const { nodes, running } = readState(directory);
		if (!running) throw new Error("no answer from Ironic");
		const changed = nodes.map((node) => (node.uuid === uuid ? { ...node, ...fields } : node));
		writeState(directory, { running, nodes: changed });
		return changed.find((node) => node.uuid === uuid) as IronicNode;
	};
	const ironic: Pick<IronicClient, "version" | "getNode" | "patchNode" | "setMaintenance"> = {
		version: async () => "1.96",
		getNode: async (uuid) => change(uuid, {}),
		patchNode: async (uuid, patch) =>
			change(
				uuid,
				Object.fromEntries(patch.map((operation) => [operation.path.slice(1), newValue(operation)])),
			),
		setMaintenance: async (uuid, reason) => {
			change(uuid, { maintenance: reason !== undefined, maintenance_reason: reason ?? null });
		},
	};
	const stop: Step<unknown> = {
		id: "stack:remove-container:ironic",
		title: "remove the model's conductor",
		do: async () => {
			writeState(directory, { ...readState(directory), running: false });
			told(directory, "end");
		},
	};
	return {
		ironic: ironic as IronicClient,
		removal: async () => (readState(directory).running ? [stop] : []),
		look: async () => ({
			found: readState(directory).running ? ["the model's conductor"] : [],
			proof: { containersGone: ["the model's"], portsClosed: [] },
		}),
		start() {
			if (readState(directory).running) return;
			told(directory, "start");
			writeState(directory, { ...readState(directory), running: true });
		},
	};
}

function newValue(operation: PatchOperation): unknown {
	return operation.op === "remove" ? undefined : operation.value;
}

function writeState(directory: string, state: State): void {
	writeFileSync(join(directory, "source.json"), JSON.stringify(state));
}

function told(directory: string, what: "start" | "end"): void {
	appendFileSync(conductorLog(directory), `${JSON.stringify({ at: Date.now(), what })}\n`);
}
