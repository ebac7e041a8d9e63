import { atLeast, SINCE } from "../ironic/microversion.ts";
import type { IronicNode, PatchOperation, PowerTarget } from "../ironic/node.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { ErrorType } from "../resources/bare-metal-host-status.ts";
import { describe } from "../resources/site.ts";
import { accessChanged, accessOf } from "./access.ts";
import type { HostAction, Operation } from "./action.ts";
import { configDrive } from "./config-drive.ts";
import { type HostContext, timestamp } from "./context.ts";
import { declaredHardware } from "./declared-hardware.ts";
import { tooBig } from "./disk-room.ts";
import { configurationPatch, type EnrolmentInputs, newNode } from "./enrolment.ts";
import { explain } from "./failure.ts";
import { hardwareDetails } from "./hardware-details.ts";
import { bmcCredentials, hostData } from "./host-data.ts";
import { refOf } from "./host-name.ts";
import { deployInterface, deploySteps, instanceInfo } from "./instance.ts";
import type { Sight } from "./observe.ts";
import { refusal } from "./refusal.ts";
import { isDeployed } from "./rules.ts";
import { detachedRecord, failed, recorded } from "./status.ts";
import { withoutUserinfo } from "./userinfo.ts";

/** Everything but waiting, which the steps do themselves. */
export type Deed = Exclude<HostAction, { kind: "settled" | "wait" }>;

/** What is known of the node after a deed: it as Ironic returned it, no change, or that it must be looked at again. */
export type Learnt = IronicNode | "unchanged" | "changed";

/**
 * Does one action. Whatever was decided may have been done already by a process that was killed: each deed is either
 * harmless to repeat or answered with a conflict, which the next look resolves.
 */
export async function execute(
	context: HostContext,
	sight: Sight,
	deed: Deed,
	signal: AbortSignal,
): Promise<Learnt> {
	const { ironic, store } = context;
	const { host, stored } = sight;
	switch (deed.kind) {
		case "enrol": {
			// What the state was matters if Ironic lost its database: a provisioned server must not become a new one.
			const keep = sight.state === "provisioned" || sight.state === "externally provisioned";
			const state = keep ? sight.state : "registering";
			const node = newNode(host, await inputs(context, sight, signal));
			await store.write(host.metadata, {
				...recorded(host, stored, { state, node: undefined, now: timestamp(context) }),
				access: accessOf(context, host),
			});
			return ironic.createNode(node, { signal });
		}
		case "create-port":
			await ironic.createPort(
				{ node_uuid: the(sight.node).uuid, address: host.spec.bootMACAddress ?? "", pxe_enabled: true },
				{ signal },
			);
			return "unchanged";
		case "configure":
			return configure(context, sight, signal);
		case "clear-maintenance":
			await ironic.setMaintenance(the(sight.node).uuid, undefined, { signal });
			return "changed";
		case "record": {
			const inventory = hasNews(sight) ? await ironic.inventory(the(sight.node).uuid, { signal }) : undefined;
			await store.write(
				host.metadata,
				recorded(host, stored, {
					state: deed.state,
					node: sight.node,
					hardware:
						inventory === undefined && stored?.hardware === undefined
							? declaredHardware(host, context.site)
							: inventory && hardwareDetails(inventory),
					answers: deed.answers,
					now: timestamp(context),
				}),
			);
			// before it boots from its disk, while the ramdisk's lease is there
			if (deed.state === "provisioned") await context.keepAddresses?.([host], signal);
			return "unchanged";
		}
		case "change":
			await ironic.setProvisionState(the(sight.node).uuid, { target: deed.target }, { signal });
			return "changed";
		case "deploy":
			await deploy(context, sight, signal);
			return "changed";
		case "power":
			await setPower(context, the(sight.node).uuid, deed.target, signal);
			return "changed";
		case "detach":
			if (sight.node !== undefined) await forget(context, sight.node, signal);
			await store.write(host.metadata, detachedRecord(host, stored, timestamp(context)));
			return "changed";
		case "delete":
			if (sight.node !== undefined) await forget(context, sight.node, signal);
			await store.remove(host.metadata);
			return "changed";
		case "fail":
			return tell(context, sight, deed.errorType, deed.operation, wordsOf(the(sight.node), deed.operation));
		case "refuse":
			throw refusal(deed.code, sight, context.site);
	}
}

/** An inspection has found what is not stored yet. */
function hasNews({ hardwareKnown, inventoried, node, stored }: Sight): boolean {
	if (hardwareKnown || !node?.inspection_finished_at) return false;
	return stored?.refreshing !== true || inventoried;
}

/** Stores the failure as BMO would, then throws what a person reads. */
export async function tell(
	context: HostContext,
	{ host, stored }: Sight,
	type: ErrorType,
	operation: Operation,
	words: string,
): Promise<never> {
	const seen = withoutUserinfo(words);
	const { code, message, fix, path } = explain(operation, seen);
	await context.store.write(
		host.metadata,
		failed(host, stored, { type, message: `${message}: ${seen}`, now: timestamp(context) }),
	);
	const ref = refOf(host);
	throw new IronstrapError({
		code,
		message,
		subject: describe(ref),
		where: context.site.locate(ref, path) ?? context.site.locate(ref),
		seen,
		fix,
	});
}

/**
 * Gives the node the manifest's values. New credentials are tried at once on a node that was verified before: Ironic
 * itself would notice only when it next looks at the power.
 */
async function configure(context: HostContext, sight: Sight, signal: AbortSignal): Promise<IronicNode> {
	const { ironic, store } = context;
	const { host, stored } = sight;
	// a list does not tell everything that is compared
	const node = (await ironic.getNode(the(sight.node).uuid, { signal })) ?? the(sight.node);
	const patch = configurationPatch(host, node, await inputs(context, sight, signal));
	const patched = await ironic.patchNode(node.uuid, patch, { signal });
	if (accessChanged(context, host, stored) && node.provision_state !== "enroll")
		await ironic.bootDevice(node.uuid, { signal }).catch(async (error: unknown) => {
			if (!(error instanceof IronstrapError) || error.seen === undefined) throw error;
			const type = isDeployed(sight.state) ? "provisioned registration error" : "registration error";
			await tell(context, sight, type, "register", error.seen);
		});
	if (stored !== undefined) await store.write(host.metadata, { ...stored, access: accessOf(context, host) });
	return patched;
}

/** Seconds that an operating system has to shut down, as BMO sets them; then the power is cut. */
const SHUTDOWN_SECONDS = 180;

async function setPower(
	{ ironic }: HostContext,
	uuid: string,
	target: PowerTarget,
	signal: AbortSignal,
): Promise<void> {
	if (target !== "soft power off") return ironic.setPowerState(uuid, target, { signal });
	try {
		await ironic.setPowerState(uuid, target, { signal, timeoutSeconds: SHUTDOWN_SECONDS });
	} catch (error) {
		// a driver that has no soft power off: the next look finds the server on, and cuts the power
		if (!(error instanceof IronstrapError) || error.code !== "ironic-refused") throw error;
	}
}

/** Removes the node from Ironic. In maintenance, where Ironic takes its hands off, and lets any node be deleted. */
async function forget({ ironic }: HostContext, node: IronicNode, signal: AbortSignal): Promise<void> {
	if (!node.maintenance) await ironic.setMaintenance(node.uuid, "leaving Ironic", { signal });
	await ironic.deleteNode(node.uuid, { signal });
}

async function deploy(context: HostContext, sight: Sight, signal: AbortSignal): Promise<void> {
	const { ironic, site } = context;
	const { host } = sight;
	const node = the(sight.node);
	const data = hostData(host, site);
	const size = await context.imageSize?.(host.spec.image?.url ?? "", signal);
	const refused = size === undefined ? undefined : tooBig(host, sight.stored?.hardware, size);
	// told at once: the ramdisk would find out after nine downloads
	if (refused !== undefined) await tell(context, sight, "provisioning error", "provision", refused);
	await ironic.patchNode(node.uuid, [...deployPatch(host, node)], { signal });
	const validation = await ironic.validate(node.uuid, { signal });
	const reasons = [validation.boot, validation.deploy].filter((entry) => entry?.result === false);
	if (reasons.length > 0) {
		const words = reasons.map((entry) => entry?.reason ?? "no reason given").join("; ");
		await tell(context, sight, "provisioning error", "provision", words);
	}
	const configdrive = configDrive(host, host.metadata.uid ?? node.uuid, data);
	const request = { target: "active", configdrive, deploy_steps: deploySteps(host) } as const;
	await ironic.setProvisionState(node.uuid, request, { signal });
}

/**
 * After a failure Ironic has forgotten the ramdisk that may still run, and fast track would wait for it in vain
 * (`requires agent_url in driver_internal_info`): such a node is booted anew.
 */
function deployPatch(host: BareMetalHost, node: IronicNode): readonly PatchOperation[] {
	const instance: PatchOperation = { op: "add", path: "/instance_info", value: instanceInfo(host) };
	if (node.provision_state !== "deploy failed") return [instance, ...interfacePatch(host, node)];
	return [instance, { op: "add", path: "/driver_info/fast_track", value: false }];
}

/** What an earlier image needed is taken back: without a value Ironic takes its default. */
function interfacePatch(host: BareMetalHost, node: IronicNode): readonly PatchOperation[] {
	const wanted = deployInterface(host);
	if (wanted !== undefined)
		return wanted === node.deploy_interface ? [] : [{ op: "add", path: "/deploy_interface", value: wanted }];
	const special = ["custom-agent", "ramdisk"].includes(node.deploy_interface ?? "");
	return special ? [{ op: "remove", path: "/deploy_interface" }] : [];
}

async function inputs(
	context: HostContext,
	{ host, stored }: Sight,
	signal: AbortSignal,
): Promise<EnrolmentInputs> {
	const { site, ironic } = context;
	const microversion = await ironic.version({ signal });
	if (host.spec.disablePowerOff === true && !atLeast(microversion, SINCE.disablePowerOff))
		throw new IronstrapError({
			code: "host-power-off-unprotected",
			message: "this Ironic cannot promise that the server is never powered off",
			subject: describe(refOf(host)),
			where: site.locate(refOf(host), ["spec", "disablePowerOff"]),
			seen: `API ${microversion}; disable_power_off exists since ${SINCE.disablePowerOff}`,
			fix: "use an image with Ironic 28 or later, or set spec.disablePowerOff: false",
		});
	return {
		credentials: bmcCredentials(host, site),
		hardware: stored?.hardware,
		networkData: hostData(host, site).preprovisioningNetworkData,
		plainMediaUrl: context.plainMediaUrl,
		driverInfo: context.driverInfo?.(host),
		microversion,
	};
}

function wordsOf(node: IronicNode, operation: Operation): string {
	const words =
		operation === "recover"
			? (node.maintenance_reason ?? node.last_error)
			: (node.last_error ?? node.maintenance_reason);
	return (
		words ??
		`Ironic gave no reason; the node is ${node.provision_state}, ${node.power_state ?? "power unknown"}`
	);
}

function the(node: IronicNode | undefined): IronicNode {
	if (node === undefined) throw new Error("an action on a node was decided without a node");
	return node;
}
