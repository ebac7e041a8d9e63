import type { IronicClient } from "../../../src/ironic/client.ts";
import type { InventoryData } from "../../../src/ironic/inventory.ts";
import type {
	IronicNode,
	IronicPort,
	NewNode,
	PatchOperation,
	ProvisionState,
} from "../../../src/ironic/node.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type ModelNode = Mutable<IronicNode>;

export const UUID = "5c9f4d9e-6d5e-4f9a-9f50-0d3a1d0f2b11";

export function modelNode(fields: Partial<IronicNode> = {}): ModelNode {
	return {
		uuid: UUID,
		name: "metal3~cp-0",
		driver: "redfish",
		driver_info: {},
		instance_info: {},
		properties: {},
		provision_state: "enroll",
		target_provision_state: null,
		power_state: null,
		target_power_state: null,
		maintenance: false,
		maintenance_reason: null,
		fault: null,
		reservation: null,
		last_error: null,
		...fields,
	};
}

/** Transitions that pass by themselves, and where they end when they fail (`ironic/common/states.py`). */
const TRANSITIONS: Partial<Record<ProvisionState, readonly [ok: ProvisionState, failed: ProvisionState]>> = {
	verifying: ["manageable", "enroll"],
	inspecting: ["inspect wait", "inspect failed"],
	"inspect wait": ["manageable", "inspect failed"],
	cleaning: ["clean wait", "clean failed"],
	"clean wait": ["available", "clean failed"],
	deploying: ["wait call-back", "deploy failed"],
	"wait call-back": ["active", "deploy failed"],
	deleting: ["cleaning", "error"],
	adopting: ["active", "adopt failed"],
};

/** Everything transitional that is not in `UPDATE_ALLOWED_STATES`. */
const PATCH_REFUSED: readonly ProvisionState[] = [
	"cleaning",
	"clean wait",
	"deploying",
	"wait call-back",
	"deleting",
	"adopting",
	"inspecting",
];

const VERBS: Readonly<Record<string, readonly [from: readonly ProvisionState[], to: ProvisionState]>> = {
	manage: [["enroll", "available", "clean failed", "inspect failed", "adopt failed"], "verifying"],
	inspect: [["manageable", "inspect failed"], "inspecting"],
	provide: [["manageable"], "cleaning"],
	active: [["available", "deploy failed"], "deploying"],
	adopt: [["manageable", "adopt failed"], "adopting"],
	abort: [["inspect wait", "clean wait"], "inspect failed"],
	deleted: [["wait call-back", "active", "deploy failed", "error"], "deleting"],
};

export interface ModelIronic extends IronicClient {
	readonly nodes: ModelNode[];
	readonly ports: IronicPort[];
	readonly inventories: Map<string, InventoryData>;
	/** Verbs and other changes, in order: `manage`, `create-node`, `patch /driver_info`. */
	readonly changes: string[];
	/** Reasons with which the next transitions out of these states fail. */
	readonly failures: Map<ProvisionState, string[]>;
	/** States that nothing leaves: a ramdisk that never boots. */
	readonly stuck: Set<ProvisionState>;
	/** Nodes whose operating system does not listen to its power button. */
	readonly deaf: Set<string>;
	/** What a BMC says of a server that Ironic has not known yet. */
	bmcPower: "power on" | "power off";
	/** Replaced by tests whose BMC does not answer. */
	bootDevice: IronicClient["bootDevice"];
	/** Lets time pass: every transition goes one step on. */
	tick(): void;
	/** After this many changes every call fails, as if the process were killed. */
	killAfter: number;
}

export const KILLED = "killed";

/** One conductor with instant BMCs: enough of Ironic's rules to run a host's whole life in memory. */
export function modelIronic(nodes: ModelNode[] = [], ports: IronicPort[] = []): ModelIronic {
	const inventories = new Map<string, InventoryData>();
	const stuck = new Set<ProvisionState>();
	const deaf = new Set<string>();
	const failures = new Map<ProvisionState, string[]>();
	const changes: string[] = [];
	const find = (key: string) => nodes.find((node) => node.uuid === key || node.name === key);
	const must = (uuid: string) => find(uuid) ?? refuse("ironic-not-found", `Node ${uuid} could not be found.`);
	const change = (what: string) => {
		if (changes.length >= model.killAfter) throw new Error(KILLED);
		changes.push(what);
	};
	const model: ModelIronic = {
		nodes,
		ports,
		inventories,
		changes,
		failures,
		stuck,
		deaf,
		bmcPower: "power off",
		killAfter: Number.POSITIVE_INFINITY,
		tick() {
			for (const node of nodes) {
				const transition = TRANSITIONS[node.provision_state];
				if (transition === undefined || stuck.has(node.provision_state)) continue;
				const reason = failures.get(node.provision_state)?.shift();
				node.last_error = reason ?? null;
				if (reason === undefined && node.provision_state === "inspect wait")
					Object.assign(node, { inspection_finished_at: "2026-08-01T10:31:00+00:00" });
				if (reason === undefined && node.provision_state === "inspect wait")
					inventories.set(node.uuid, { inventory: {} });
				if (reason === undefined && ["deploying", "cleaning", "inspecting"].includes(node.provision_state))
					node.power_state = "power on";
				if (reason === undefined && node.provision_state === "verifying") node.power_state ??= model.bmcPower;
				node.provision_state = transition[reason === undefined ? 0 : 1];
				if (node.provision_state === "clean failed")
					Object.assign(node, { maintenance: true, fault: "clean failure" });
				if (node.provision_state === "manageable" || node.provision_state === "enroll")
					node.target_provision_state = null;
			}
		},
		version: async () => "1.96",
		drivers: async () => [],
		conductors: async () => [],
		getNode: async (uuid) => copy(find(uuid)),
		findNode: async (name) => copy(find(name)),
		listNodes: async () => nodes.map((node) => ({ ...node })),
		async createNode(node: NewNode) {
			change("create-node");
			if (find(node.name) !== undefined)
				refuse("ironic-conflict", `A node with name ${node.name} already exists.`);
			const { driver_info, properties = {}, ...rest } = node;
			nodes.push(modelNode({ ...rest, driver_info, properties }));
			return must(node.name);
		},
		async patchNode(uuid, patch: readonly PatchOperation[]) {
			change(`patch ${patch.map(({ path }) => path).join(" ")}`);
			const node = must(uuid);
			if (PATCH_REFUSED.includes(node.provision_state))
				refuse("ironic-conflict", "a state transition is in progress");
			for (const operation of patch)
				if (operation.op !== "remove") Object.assign(node, { [operation.path.slice(1)]: operation.value });
			return { ...node };
		},
		async deleteNode(uuid) {
			change("delete-node");
			const node = must(uuid);
			if (!node.maintenance && !["manageable", "enroll", "adopt failed"].includes(node.provision_state))
				refuse("ironic-conflict", `cannot be deleted while it is in provision state ${node.provision_state}`);
			nodes.splice(nodes.indexOf(node), 1);
			ports.splice(0, ports.length, ...ports.filter(({ node_uuid }) => node_uuid !== uuid));
			inventories.delete(uuid);
		},
		listPorts: async ({ address, node } = {}) =>
			ports.filter(
				(port) => (address ?? port.address) === port.address && (node ?? port.node_uuid) === port.node_uuid,
			),
		async createPort(port) {
			change("create-port");
			ports.push({ uuid: `port-${ports.length}`, ...port });
			return ports.at(-1) as IronicPort;
		},
		async setProvisionState(uuid, { target }) {
			change(target);
			const node = must(uuid);
			const [from, to] = VERBS[target] ?? [[], "error"];
			if (!from.includes(node.provision_state) || node.maintenance)
				refuse(
					"ironic-refused",
					`The requested action "${target}" can not be performed on node "${uuid}" while it is in state "${node.provision_state}".`,
				);
			const straight = target === "manage" && node.provision_state !== "enroll";
			node.last_error = null;
			node.provision_state = straight
				? "manageable"
				: target === "abort" && node.provision_state === "clean wait"
					? "clean failed"
					: to;
		},
		async setPowerState(uuid, target) {
			change(target);
			const on = ["power on", "rebooting", "soft rebooting"].includes(target);
			if (target !== "soft power off" || !deaf.has(uuid))
				must(uuid).power_state = on ? "power on" : "power off";
		},
		inventory: async (uuid) => inventories.get(uuid),
		async setMaintenance(uuid, reason) {
			change(reason === undefined ? "clear-maintenance" : "maintenance");
			Object.assign(must(uuid), {
				maintenance: reason !== undefined,
				maintenance_reason: reason ?? null,
				fault: null,
			});
		},
		bootDevice: async () => ({ boot_device: null, persistent: null }),
		validate: async () => ({ boot: { result: true }, deploy: { result: true } }),
		virtualMedia: async () => [],
		close: async () => undefined,
	};
	return model;
}

function copy(node: ModelNode | undefined): IronicNode | undefined {
	return node === undefined ? undefined : { ...node };
}

function refuse(code: string, message: string): never {
	throw new IronstrapError({ code, message });
}
