import type { BareMetalHost, BareMetalHostSpec, BareMetalHostStatus } from "../resources/bare-metal-host.ts";
import type { HardwareDetails } from "../resources/hardware-data.ts";
import type { HostExport, TakeOver } from "./host-export.ts";
import { withoutUndefined } from "./plain.ts";

/** Presence of this annotation, with any value, stops BMO; it removes only CAPM3's own value. */
export const PAUSED = "baremetalhost.metal3.io/paused";
/** Read by BMO while the status is empty; taken for a new host, and rebooted, if it is not there at creation. */
export const STATUS = "baremetalhost.metal3.io/status";
export const RUN_LABEL = "ironstrap.io/run";

/** The value of the paused annotation, and the reason of the maintenance, of one hand-over. */
export function pausedBy(runId: string): string {
	return `ironstrap.io/${runId}`;
}

/** Annotations that order something: carried over they would be obeyed again. */
const ORDERS = [
	/^baremetalhost\.metal3\.io\//,
	/^inspect\.metal3\.io/,
	/^reboot\.metal3\.io/,
	/^kubectl\.kubernetes\.io\//,
];

interface Ready extends HostExport {
	readonly stored: NonNullable<HostExport["stored"]>;
	readonly node: NonNullable<HostExport["node"]>;
}

/**
 * The host's status in the target, BMO's shape, without hardware (which travels as HardwareData). Valid on every BMO
 * from v0.11: fields that came later are left out.
 */
export function targetStatus(
	{ host, stored, node }: Ready,
	as: TakeOver,
	now: string,
): Omit<BareMetalHostStatus, "provisioningFailCount"> {
	const { status } = stored;
	const never = { start: null, end: null };
	const {
		register = never,
		inspect = never,
		provision = never,
		deprovision = never,
	} = status.operationHistory ?? {};
	const external = isExternal({ stored, as });
	const { bootMode = host.spec.bootMode ?? "UEFI", rootDeviceHints, image } = status.provisioning;
	const state = external ? "externally provisioned" : status.provisioning.state;
	return withoutUndefined({
		operationalStatus: "OK" as const,
		errorCount: 0,
		errorMessage: "",
		poweredOn: node.power_state === "power on",
		hardwareProfile: "unknown",
		lastUpdated: status.lastUpdated ?? now,
		operationHistory: { register, inspect, provision, deprovision },
		provisioning: {
			state,
			ID: node.uuid,
			bootMode,
			image: external ? { url: "" } : state === "provisioned" ? image : undefined,
			rootDeviceHints,
		},
	});
}

/** The manifest for the target: paused, with its status, and with every brake on. */
export function targetHost(
	subject: Ready,
	as: TakeOver,
	run: { readonly id: string; readonly createdAt: string },
): object {
	const { host, stored } = subject;
	const { metadata } = host;
	return {
		apiVersion: "metal3.io/v1alpha1",
		kind: "BareMetalHost",
		metadata: {
			name: metadata.name,
			namespace: metadata.namespace,
			labels: { ...metadata.labels, [RUN_LABEL]: run.id },
			annotations: {
				...Object.fromEntries(
					Object.entries(metadata.annotations ?? {}).filter(
						([key]) => !ORDERS.some((order) => order.test(key)),
					),
				),
				...inspection(host),
				[PAUSED]: pausedBy(run.id),
				[STATUS]: JSON.stringify(targetStatus(subject, as, run.createdAt)),
			},
		},
		spec: targetSpec(subject, isExternal({ stored, as })),
	};
}

/** Only fields that BMO v0.11 has too; the online flag says what is, so that nobody's power is switched. */
function targetSpec({ host, stored, node, ports }: Ready, external: boolean): Partial<BareMetalHostSpec> {
	const { spec } = host;
	const { state, bootMode, rootDeviceHints, image } = stored.status.provisioning;
	const online = node.power_state === "power on";
	const running = state === "provisioned" || state === "externally provisioned";
	return withoutUndefined({
		online,
		bmc: spec.bmc,
		bootMACAddress: spec.bootMACAddress ?? pxeAddress(ports),
		bootMode: bootMode ?? spec.bootMode ?? "UEFI",
		architecture: spec.architecture ?? stored.hardware?.cpu?.arch,
		automatedCleaningMode: "disabled" as const,
		// BMO refuses the pair "offline" and "never power off".
		disablePowerOff: running && online ? true : undefined,
		externallyProvisioned: external ? true : undefined,
		image: running ? imageOf(state === "provisioned" ? image : spec.image) : undefined,
		rootDeviceHints: rootDeviceHints ?? spec.rootDeviceHints,
		preprovisioningNetworkDataName: spec.preprovisioningNetworkDataName,
		consumerRef: spec.consumerRef,
		description: spec.description,
	}) as Partial<BareMetalHostSpec>;
}

/** `HardwareData`, which carries the inspection's result; `undefined` if the host was never inspected. */
export function targetHardwareData({ host, stored }: Ready, runId: string): object | undefined {
	if (stored.hardware === undefined) return undefined;
	const { namespace, name } = host.metadata;
	return {
		apiVersion: "metal3.io/v1alpha1",
		kind: "HardwareData",
		metadata: { name, namespace, labels: { [RUN_LABEL]: runId } },
		spec: { hardware: oldestFields(stored.hardware) },
	};
}

/** BMO v0.11 knows neither LLDP nor PCI addresses of NICs, and `kubectl apply` refuses unknown fields. */
function oldestFields(hardware: HardwareDetails): HardwareDetails {
	return {
		...hardware,
		...(hardware.nics === undefined
			? {}
			: { nics: hardware.nics.map(({ lldp: _lldp, pciAddress: _pci, ...nic }) => nic) }),
	};
}

function isExternal({ stored, as }: { readonly stored: Ready["stored"]; readonly as: TakeOver }): boolean {
	const { state } = stored.status.provisioning;
	return state === "externally provisioned" || (state === "provisioned" && as === "external");
}

/** The deprecated spelling of `inspectionMode: disabled`, because it is the one that all releases know. */
function inspection({ metadata, spec }: BareMetalHost): Record<string, string> {
	const disabled =
		spec.inspectionMode === "disabled" || metadata.annotations?.["inspect.metal3.io"] === "disabled";
	return disabled ? { "inspect.metal3.io": "disabled" } : {};
}

function pxeAddress(ports: HostExport["ports"]): string | undefined {
	return ports.find((port) => port.pxe_enabled)?.address.toLowerCase();
}

function imageOf(image: BareMetalHostSpec["image"]): BareMetalHostSpec["image"] {
	if (image === undefined) return undefined;
	const { ociAuthSecretName: _newer, ...known } = image;
	return known;
}
