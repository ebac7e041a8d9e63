import type { ClusterApi, Stored } from "./api.ts";
import type { TargetIronic } from "./target-ironic.ts";

const PAUSED = "baremetalhost.metal3.io/paused";
const STATUS = "baremetalhost.metal3.io/status";
const DETACHED = "baremetalhost.metal3.io/detached";
const FINALIZER = "baremetalhost.metal3.io";

/** What BMO made its Ironic do to a server. The last five are what a hand-over must never lead to. */
export interface OperatorEvent {
	readonly event:
		| "registered"
		| "detached"
		| "inspected"
		| "deprovisioned"
		| "provisioned"
		| "powered-off"
		| "status-invalid";
	/** `NAMESPACE/NAME`. */
	readonly host: string;
}

export interface BmoTools {
	readonly api: ClusterApi;
	readonly tell: (event: OperatorEvent) => void;
	/** A real Ironic; absent: its part is only noted. */
	readonly target: TargetIronic | undefined;
	readonly unreachable: readonly string[];
}

/** One pass of BMO's reconciliation, in its order; ends after the first thing that it writes. */
export async function actOnHost(tools: BmoTools, host: Stored): Promise<void> {
	const { api, tell } = tools;
	const { annotations = {}, finalizers = [] } = host.metadata;
	const name = `${host.metadata.namespace}/${host.metadata.name}`;
	if (annotations[PAUSED] !== undefined) return;
	if (annotations[STATUS] !== undefined) return void (await takeAnnotation(tools, host, annotations[STATUS]));
	if (host.metadata.deletionTimestamp !== undefined) {
		if (!finalizers.includes(FINALIZER)) return;
		if (host.status?.operationalStatus !== "detached") tell({ event: "powered-off", host: name });
		const kept = finalizers.filter((finalizer) => finalizer !== FINALIZER);
		return void (await api.replace({ ...host, metadata: { ...host.metadata, finalizers: kept } }));
	}
	if (!finalizers.includes(FINALIZER)) {
		const added = [...finalizers, FINALIZER];
		return void (await api.replace({ ...host, metadata: { ...host.metadata, finalizers: added } }));
	}
	if (annotations[DETACHED] !== undefined) {
		if (host.status?.operationalStatus === "detached") return;
		await tools.target?.forget(host);
		tell({ event: "detached", host: name });
		return writeStatus(api, host, { operationalStatus: "detached" });
	}
	await register(tools, host, name);
}

/** Read only while there is no status, removed in any case; what is not JSON is lost without a word. */
async function takeAnnotation({ api }: BmoTools, host: Stored, text: string): Promise<void> {
	const isNew = host.status?.lastUpdated === undefined;
	const status = isNew ? parsed(text) : undefined;
	if (status !== undefined) {
		// an enum that the CRD does not know fails here, for ever: the host is left alone
		await api.replaceStatus({
			...host,
			status: {
				errorCount: 0,
				errorMessage: "",
				poweredOn: false,
				operationalStatus: "",
				...status,
				lastUpdated: status.lastUpdated ?? now(),
			},
		});
		return;
	}
	const { [STATUS]: _read, ...annotations } = host.metadata.annotations ?? {};
	await api.replace({ ...host, metadata: { ...host.metadata, annotations } });
}

async function register(tools: BmoTools, host: Stored, name: string): Promise<void> {
	const { api, tell, unreachable } = tools;
	const status = host.status ?? {};
	const state = status.provisioning?.state ?? "";
	if (unreachable.includes(host.metadata.name)) {
		if (status.errorType !== undefined) return;
		const errorType = state === "provisioned" ? "provisioned registration error" : "registration error";
		return writeStatus(api, host, {
			operationalStatus: "error",
			errorType,
			errorMessage: "the BMC does not answer",
			errorCount: 1,
		});
	}
	if (status.goodCredentials?.credentials?.name === undefined || status.errorType !== undefined) {
		const secret = await api.get(
			`/api/v1/namespaces/${host.metadata.namespace}/secrets/${host.spec.bmc.credentialsName}`,
		);
		if (secret === undefined) return;
		const node = await tools.target?.register(host, secret as never);
		if (node === "later") return;
		tell({ event: "registered", host: name });
		const { errorType: _gone, ...rest } = status;
		return void (await api.replaceStatus({
			...host,
			status: {
				...rest,
				operationalStatus: "OK",
				errorMessage: "",
				errorCount: 0,
				goodCredentials: {
					credentials: { name: host.spec.bmc.credentialsName, namespace: host.metadata.namespace },
					credentialsVersion: secret.metadata.resourceVersion,
				},
				provisioning: {
					ID: "",
					state: "",
					...status.provisioning,
					...(node === undefined ? {} : { ID: node }),
				},
				poweredOn: status.poweredOn ?? false,
				lastUpdated: now(),
			},
		}));
	}
	await proceed(tools, host, name, state);
}

/** The states that a hand-over can lead to, and those that it must not. */
async function proceed({ api, tell }: BmoTools, host: Stored, name: string, state: string): Promise<void> {
	const { provisioning = {} } = host.status ?? {};
	const to = (next: string, more: object = {}) =>
		writeStatus(api, host, { provisioning: { ...provisioning, state: next, ...more } });
	switch (state) {
		case "externally provisioned":
			return;
		case "":
		case "registering":
			if (host.spec.externallyProvisioned === true) return to("externally provisioned");
			tell({ event: "inspected", host: name });
			return to("available");
		case "available":
			if (host.spec.image?.url === undefined || host.spec.online !== true) return;
			tell({ event: "provisioned", host: name });
			return to("provisioned", { image: host.spec.image });
		case "provisioned":
			if (provisioning.image?.url === undefined || provisioning.image.url === "") return;
			if (provisioning.image.url === host.spec.image?.url) return;
			tell({ event: "deprovisioned", host: name });
			return to("available", { image: undefined });
		default:
			return;
	}
}

async function writeStatus(api: ClusterApi, host: Stored, change: object): Promise<void> {
	const required = { operationalStatus: "OK", errorMessage: "", errorCount: 0, poweredOn: false };
	const provisioning = { state: "", ID: "", ...host.status?.provisioning };
	await api.replaceStatus({
		...host,
		status: { ...required, ...host.status, provisioning, ...change, lastUpdated: now() },
	});
}

function parsed(text: string): { readonly lastUpdated?: string } | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null ? value : undefined;
	} catch {
		return undefined;
	}
}

const now = (): string => new Date().toISOString().replace(/\.\d+/, "");
