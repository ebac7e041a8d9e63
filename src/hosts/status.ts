import type { IronicNode } from "../ironic/node.ts";
import type { BareMetalHost, BareMetalHostStatus } from "../resources/bare-metal-host.ts";
import type { ErrorType, ProvisioningState } from "../resources/bare-metal-host-status.ts";
import type { HardwareDetails } from "../resources/hardware-data.ts";
import type { StoredHost } from "../state/host-store.ts";
import { type OneShot, spelled, stillAsked } from "./annotations.ts";
import { sameImage } from "./instance.ts";
import { isDeployed } from "./rules.ts";

type History = NonNullable<BareMetalHostStatus["operationHistory"]>;

/** Which operation of `operationHistory` a state belongs to. */
const OPERATIONS: Partial<Record<ProvisioningState, keyof History>> = {
	registering: "register",
	inspecting: "inspect",
	provisioning: "provision",
	deprovisioning: "deprovision",
};

export interface Transition {
	readonly state: ProvisioningState;
	readonly node: IronicNode | undefined;
	readonly hardware?: HardwareDetails | undefined;
	/** The request that this answers. */
	readonly answers?: OneShot | undefined;
	/** RFC 3339, UTC. */
	readonly now: string;
}

/** The host's record after it reached `state`; errors of before are over. */
export function recorded(
	host: BareMetalHost,
	stored: StoredHost | undefined,
	{ state, node, hardware, answers, now }: Transition,
): StoredHost {
	const before = stored?.status ?? initialStatus(host);
	const { errorType: _over, ...rest } = before;
	const details = hardware ?? stored?.hardware;
	const { addresses, ...others } = withAnswers(host, stored, answers, hardware !== undefined);
	const beyond = state !== "registering";
	return stamp(
		host,
		addresses === undefined || !isDeployed(state) ? others : { ...others, addresses },
		{
			...rest,
			operationalStatus: "OK",
			errorMessage: "",
			errorCount: 0,
			poweredOn: node === undefined ? before.poweredOn : node.power_state === "power on",
			lastUpdated: now,
			operationHistory: history(before, state, now),
			provisioning: provisioning(host, before, state, node),
			...(beyond && host.spec.bmc !== undefined ? { goodCredentials: credentialsOf(host) } : {}),
		},
		details,
	);
}

/** The host's record after it left Ironic, running or not, as it was. */
export function detachedRecord(host: BareMetalHost, stored: StoredHost | undefined, now: string): StoredHost {
	const before = stored?.status ?? initialStatus(host);
	const { errorType: _over, ...rest } = before;
	const status = { ...rest, operationalStatus: "detached" as const, errorMessage: "", errorCount: 0 };
	return stamp(host, stored, { ...status, lastUpdated: now }, stored?.hardware);
}

/** The host's record after an operation failed; its state stays, so that a later run knows where to go on. */
export function failed(
	host: BareMetalHost,
	stored: StoredHost | undefined,
	error: { readonly type: ErrorType; readonly message: string; readonly now: string },
): StoredHost {
	const before = stored?.status ?? initialStatus(host);
	return stamp(
		host,
		stored,
		{
			...before,
			operationalStatus: "error",
			errorType: error.type,
			errorMessage: error.message,
			errorCount: before.errorCount + 1,
			lastUpdated: error.now,
		},
		stored?.hardware,
	);
}

/** Remembers what was answered. An inspection is asked for until newer hardware details are there. */
function withAnswers(
	host: BareMetalHost,
	stored: StoredHost | undefined,
	answers: OneShot | undefined,
	inspected: boolean,
): Partial<StoredHost> {
	const { answered: before = [], refreshing: asked, ...rest } = stored ?? {};
	const now = answers === undefined ? undefined : spelled(host, answers);
	const answered = [...new Set([...stillAsked(host, before), ...(now === undefined ? [] : [now])])];
	const refreshing = answers === "inspect" || (asked === true && !inspected);
	return {
		...rest,
		...(answered.length === 0 ? {} : { answered }),
		...(refreshing ? { refreshing } : {}),
	};
}

function stamp(
	host: BareMetalHost,
	stored: Partial<StoredHost> | undefined,
	status: BareMetalHostStatus,
	hardware: HardwareDetails | undefined,
): StoredHost {
	const { namespace, name } = host.metadata;
	return {
		...stored,
		formatVersion: 1,
		namespace,
		name,
		status: { ...status, ...(host.spec.bmc === undefined ? {} : { triedCredentials: credentialsOf(host) }) },
		...(hardware === undefined ? {} : { hardware }),
	};
}

function initialStatus(host: BareMetalHost): BareMetalHostStatus {
	return {
		operationalStatus: "OK",
		errorMessage: "",
		errorCount: 0,
		provisioningFailCount: 0,
		poweredOn: false,
		hardwareProfile: "unknown",
		provisioning: { state: "", ID: "", bootMode: host.spec.bootMode ?? "UEFI" },
		operationHistory: {},
	};
}

function provisioning(
	host: BareMetalHost,
	before: BareMetalHostStatus,
	state: ProvisioningState,
	node: IronicNode | undefined,
): BareMetalHostStatus["provisioning"] {
	const { spec } = host;
	const { customDeploy: _method, image: _image, ...kept } = before.provisioning;
	// Once the disk is written, boot mode and hints are facts: the pivot needs those that were used.
	const settings =
		before.provisioning.state === "provisioned"
			? {}
			: {
					bootMode: spec.bootMode ?? "UEFI",
					...(spec.rootDeviceHints === undefined ? {} : { rootDeviceHints: spec.rootDeviceHints }),
				};
	const method = methodAfter(host, before, state);
	return {
		...kept,
		...settings,
		...{ state, ID: node?.uuid ?? kept.ID },
		...imageAfter(host, before, state, node),
		...(method === undefined ? {} : { customDeploy: method }),
	};
}

/** Known from the deployment until it is gone. */
function methodAfter(
	{ spec }: BareMetalHost,
	{ provisioning }: BareMetalHostStatus,
	state: ProvisioningState,
) {
	if (state === "deprovisioning") return provisioning.customDeploy;
	if (state !== "provisioned") return undefined;
	const known = provisioning.state === "provisioned" || provisioning.state === "deprovisioning";
	return known ? provisioning.customDeploy : spec.customDeploy;
}

function imageAfter(
	host: BareMetalHost,
	before: BareMetalHostStatus,
	state: ProvisioningState,
	node: IronicNode | undefined,
) {
	const { image, state: left } = before.provisioning;
	if (state === "externally provisioned") return { image: { url: "" } };
	// until it is gone
	if (state === "deprovisioning") return image === undefined ? {} : { image };
	if (state !== "provisioned") return {};
	if ((left === "provisioned" || left === "deprovisioning") && image !== undefined) return { image };
	if (left === "externally provisioned") return { image: host.spec.image ?? { url: "" } };
	if (host.spec.image !== undefined && (node === undefined || sameImage(host, node)))
		return { image: host.spec.image };
	return { image: { url: String(node?.instance_info.image_source ?? "") } };
}

function history(before: BareMetalHostStatus, state: ProvisioningState, now: string): History {
	const empty = { start: null, end: null };
	const entries: History = {
		register: empty,
		inspect: empty,
		provision: empty,
		deprovision: empty,
		...before.operationHistory,
	};
	const left = OPERATIONS[before.provisioning.state];
	const entered = OPERATIONS[state];
	if (left !== undefined && left !== entered) entries[left] = { ...entries[left], end: now };
	if (entered !== undefined && entered !== left) entries[entered] = { start: now, end: null };
	return entries;
}

/** Name and namespace only: the version would be a resourceVersion of a cluster that is not there. */
function credentialsOf({ metadata, spec }: BareMetalHost) {
	return { credentials: { name: spec.bmc?.credentialsName, namespace: metadata.namespace } };
}
