import { IronstrapError } from "../lib/errors.ts";
import type { InventoryData } from "./inventory.ts";
import { atLeast, negotiate, SINCE } from "./microversion.ts";
import type {
	BootDevice,
	IronicConductor,
	IronicDriver,
	IronicNode,
	IronicPort,
	NewNode,
	NewPort,
	NodeValidation,
	PatchOperation,
	PowerTarget,
	ProvisionRequest,
	VirtualMedia,
} from "./node.ts";
import { type Call, createTransport, type Reply, type TransportOptions } from "./transport.ts";

export type IronicClientOptions = TransportOptions;

/** Ends one call before its time. */
export interface CallOptions {
	readonly signal?: AbortSignal | undefined;
}

/**
 * One Ironic API. Nodes are addressed by UUID; a name is only looked up (`findNode`), because sub-resources of a
 * node answer 404 to its name in some releases. A look-up returns `undefined` when Ironic says that there is none.
 */
export interface IronicClient {
	/** The negotiated microversion, e.g. `1.96`. */
	version(options?: CallOptions): Promise<string>;
	drivers(options?: CallOptions): Promise<readonly IronicDriver[]>;
	conductors(options?: CallOptions): Promise<readonly IronicConductor[]>;
	getNode(uuid: string, options?: CallOptions): Promise<IronicNode | undefined>;
	findNode(name: string, options?: CallOptions): Promise<IronicNode | undefined>;
	/** All nodes, child nodes included: in detail, or with these fields only. */
	listNodes(
		options?: CallOptions & { readonly fields?: readonly string[] | undefined },
	): Promise<readonly IronicNode[]>;
	createNode(node: NewNode, options?: CallOptions): Promise<IronicNode>;
	patchNode(uuid: string, patch: readonly PatchOperation[], options?: CallOptions): Promise<IronicNode>;
	deleteNode(uuid: string, options?: CallOptions): Promise<void>;
	/** Ports in detail, of one node or with one MAC address, or all. */
	listPorts(of?: { node?: string; address?: string }, options?: CallOptions): Promise<readonly IronicPort[]>;
	createPort(port: NewPort, options?: CallOptions): Promise<IronicPort>;
	setProvisionState(uuid: string, request: ProvisionRequest, options?: CallOptions): Promise<void>;
	/** `timeoutSeconds`: after which a soft power change has failed; default: Ironic's. */
	setPowerState(
		uuid: string,
		target: PowerTarget,
		options?: CallOptions & { readonly timeoutSeconds?: number | undefined },
	): Promise<void>;
	/** What inspection found; `undefined` if the node was never inspected. */
	inventory(uuid: string, options?: CallOptions): Promise<InventoryData | undefined>;
	/** Sets maintenance with this reason, or clears it. */
	setMaintenance(uuid: string, reason: string | undefined, options?: CallOptions): Promise<void>;
	bootDevice(uuid: string, options?: CallOptions): Promise<BootDevice>;
	validate(uuid: string, options?: CallOptions): Promise<NodeValidation>;
	/** The BMC's virtual drives; empty if it has none, or the API (before 1.93) or the driver cannot tell. */
	virtualMedia(uuid: string, options?: CallOptions): Promise<readonly VirtualMedia[]>;
	close(): Promise<void>;
}

/**
 * Connects to nothing yet: the version is negotiated with the first call. Errors are IronstrapErrors with the codes
 * of api-error.ts; a locked node is retried until `retryMs` have passed.
 */
export function createIronicClient(options: IronicClientOptions): IronicClient {
	const transport = createTransport(options);
	let negotiated: Promise<string> | undefined;

	function version({ signal }: CallOptions = {}): Promise<string> {
		negotiated ??= transport.send({ method: "GET", path: "/v1", signal }).then(
			(reply) => negotiate(...versionRange(reply)),
			(error: unknown) => {
				negotiated = undefined;
				throw error;
			},
		);
		return negotiated;
	}

	async function call(request: Omit<Call, "microversion">): Promise<Reply> {
		return transport.send({ ...request, microversion: await version(request) });
	}

	async function read<T>(path: string, { signal }: CallOptions = {}): Promise<T> {
		return (await call({ method: "GET", path, signal })).json as T;
	}

	async function readIfAny<T>(path: string, options?: CallOptions): Promise<T | undefined> {
		try {
			return await read<T>(path, options);
		} catch (error) {
			if (error instanceof IronstrapError && error.code === "ironic-not-found") return undefined;
			throw error;
		}
	}

	/** Of `next` only the marker is taken: its host is Ironic's `public_endpoint`, which may be unreachable from here. */
	async function readAll<T>(
		path: string,
		key: string,
		query: Record<string, string>,
		callOptions?: CallOptions,
	): Promise<T[]> {
		const items: T[] = [];
		for (let marker: string | undefined; ; ) {
			const parameters = new URLSearchParams({ ...query, ...(marker === undefined ? {} : { marker }) });
			const page = await read<{ next?: string } & Record<string, T[] | undefined>>(
				`${path}?${parameters}`,
				callOptions,
			);
			items.push(...(page[key] ?? []));
			const next =
				page.next === undefined ? null : new URL(page.next, options.baseUrl).searchParams.get("marker");
			if (next === null || next === marker) return items;
			marker = next;
		}
	}

	return {
		version,
		close: transport.close,
		drivers: async (o) => (await read<{ drivers: IronicDriver[] }>("/v1/drivers?detail=true", o)).drivers,
		conductors: (o) => readAll("/v1/conductors", "conductors", { detail: "true" }, o),
		getNode: (uuid, o) => readIfAny(nodePath(uuid), o),
		findNode: (name, o) => readIfAny(nodePath(name), o),
		// A damaged release (Debian 29.0.5-0+deb13u3 and u4) makes every patched node its own child, and lists hide children.
		listNodes: async (o) =>
			readAll(
				"/v1/nodes",
				"nodes",
				{
					...(o?.fields === undefined ? { detail: "true" } : { fields: o.fields.join(",") }),
					...(atLeast(await version(o), SINCE.includeChildren) ? { include_children: "true" } : {}),
				},
				o,
			),
		createNode: async (node, o) =>
			(await call({ method: "POST", path: "/v1/nodes", body: node, ...o })).json as IronicNode,
		patchNode: async (uuid, patch, o) =>
			(await call({ method: "PATCH", path: nodePath(uuid), body: patch, ...o })).json as IronicNode,
		deleteNode: async (uuid, o) => void (await call({ method: "DELETE", path: nodePath(uuid), ...o })),
		listPorts: (of = {}, o) => readAll("/v1/ports", "ports", { detail: "true", ...of }, o),
		createPort: async (port, o) =>
			(await call({ method: "POST", path: "/v1/ports", body: port, ...o })).json as IronicPort,
		setProvisionState: async (uuid, request, o) =>
			void (await call({ method: "PUT", path: nodePath(uuid, "states/provision"), body: request, ...o })),
		setPowerState: async (uuid, target, { signal, timeoutSeconds: timeout } = {}) =>
			void (await call({
				method: "PUT",
				path: nodePath(uuid, "states/power"),
				body: { target, ...(timeout === undefined ? {} : { timeout }) },
				signal,
			})),
		inventory: (uuid, o) => readIfAny(nodePath(uuid, "inventory"), o),
		setMaintenance: async (uuid, reason, o) =>
			void (await call({
				method: reason === undefined ? "DELETE" : "PUT",
				path: nodePath(uuid, "maintenance"),
				...(reason === undefined ? {} : { body: { reason } }),
				...o,
			})),
		bootDevice: (uuid, o) => read(nodePath(uuid, "management/boot_device"), o),
		validate: (uuid, o) => read(nodePath(uuid, "validate"), o),
		async virtualMedia(uuid, o) {
			if (!atLeast(await version(o), SINCE.virtualMedia)) return [];
			try {
				return (await readIfAny<VirtualMedia[]>(nodePath(uuid, "vmedia"), o)) ?? [];
			} catch (error) {
				// 400: the driver has no such function (IPMI).
				if (error instanceof IronstrapError && error.code === "ironic-refused") return [];
				throw error;
			}
		},
	};
}

function nodePath(node: string, below?: string): string {
	return `/v1/nodes/${encodeURIComponent(node)}${below === undefined ? "" : `/${below}`}`;
}

/** Minimum and maximum, from the headers that every answer of the API carries, or from the version document. */
function versionRange({ headers, json }: Reply): [string, string] {
	const minimum = headers["x-openstack-ironic-api-minimum-version"];
	const maximum = headers["x-openstack-ironic-api-maximum-version"];
	if (typeof minimum === "string" && typeof maximum === "string") return [minimum, maximum];
	const document = (json as { version?: { min_version?: string; version?: string } } | undefined)?.version;
	if (document?.min_version !== undefined && document.version !== undefined)
		return [document.min_version, document.version];
	throw new IronstrapError({
		code: "ironic-not-ironic",
		message: "what answers at the API address is not Ironic",
		seen: "GET /v1 carries no version",
		fix: "check which service listens on the API address and port: `ironstrap status`",
	});
}
