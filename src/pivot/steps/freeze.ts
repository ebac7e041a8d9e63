import { atLeast, SINCE } from "../../ironic/microversion.ts";
import type { IronicNode, PatchOperation } from "../../ironic/node.ts";
import { IronstrapError } from "../../lib/errors.ts";
import type { NodeFlags } from "../../state/pivot-record.ts";
import type { PlannedHost } from "../plan.ts";
import { pausedBy } from "../target-host.ts";
import type { PivotContext, PivotStep } from "./context.ts";

/**
 * P1: the node is made passive in the source's own database, so that a conductor that came back by accident would do
 * nothing to the server. First what forbids, then maintenance, which ends the power sync.
 */
export function freezeStep(host: PlannedHost): PivotStep {
	const name = `${host.namespace}~${host.name}`;
	return {
		id: `pivot:freeze:${name}`,
		title: `freeze node ${name}`,
		async done(context) {
			// later the source does not answer any more
			if ((await context.record.read())?.phase !== "open") return true;
			return isFrozen(await nodeOf(context, host), host, context, await canForbidPowerOff(context));
		},
		async do(context) {
			const { ironic } = context.source;
			const node = await nodeOf(context, host);
			await rememberFlags(context, host, node);
			const forbids = await canForbidPowerOff(context);
			const patch: PatchOperation[] = [
				...(forbids ? [flag("disable_power_off", true)] : []),
				...(host.active ? [flag("protected", true)] : []),
			];
			if (patch.length > 0) await ironic.patchNode(host.node, patch);
			await ironic.setMaintenance(host.node, pausedBy(context.plan.run));
		},
		async verify(context) {
			const node = await nodeOf(context, host);
			if (isFrozen(node, host, context, await canForbidPowerOff(context))) return;
			throw new IronstrapError({
				code: "pivot-not-frozen",
				message: "Ironic has not taken the flags that make the node passive",
				subject: `BareMetalHost ${host.namespace}/${host.name}`,
				seen: `maintenance ${node.maintenance}, protected ${node.protected}, disable_power_off ${node.disable_power_off}`,
				fix: "see Ironic's log (`ironstrap logs ironic`), then `ironstrap pivot resume`, or `ironstrap pivot rollback`",
			});
		},
		async undo(context) {
			const before = (await context.record.read())?.flags.find(({ node }) => node === host.node);
			if (before === undefined) return;
			const { ironic } = context.source;
			const node = await ironic.getNode(host.node);
			if (node === undefined) return;
			const patch: PatchOperation[] = [
				...(node.protected === true && !before.protected ? [flag("protected", false)] : []),
				...(node.disable_power_off === true && !before.disablePowerOff
					? [flag("disable_power_off", false)]
					: []),
			];
			if (patch.length > 0) await ironic.patchNode(host.node, patch);
			const ours = node.maintenance && node.maintenance_reason === pausedBy(context.plan.run);
			if (ours)
				await ironic.setMaintenance(
					host.node,
					before.maintenance ? (before.maintenanceReason ?? "") : undefined,
				);
		},
	};
}

/** Only once: after a kill the node has our flags already. */
async function rememberFlags(
	{ record }: PivotContext,
	{ name, namespace }: PlannedHost,
	node: IronicNode,
): Promise<void> {
	const flags = (await record.read())?.flags ?? [];
	if (flags.some((each) => each.node === node.uuid)) return;
	const before: NodeFlags = {
		namespace,
		name,
		node: node.uuid,
		maintenance: node.maintenance,
		maintenanceReason: node.maintenance_reason,
		protected: node.protected === true,
		disablePowerOff: node.disable_power_off === true,
	};
	await record.update({ flags: [...flags, before] });
}

async function nodeOf({ source }: PivotContext, { name, namespace, node }: PlannedHost): Promise<IronicNode> {
	const found = await source.ironic.getNode(node);
	if (found !== undefined) return found;
	throw new IronstrapError({
		code: "pivot-host-not-ready",
		message: "the host cannot be handed over now",
		subject: `BareMetalHost ${namespace}/${name}`,
		seen: `Ironic has no node ${node} any more`,
		fix: "take the hand-over back (`ironstrap pivot rollback`), and let `ironstrap up` finish the host",
	});
}

async function canForbidPowerOff({ source }: PivotContext): Promise<boolean> {
	return atLeast(await source.ironic.version(), SINCE.disablePowerOff);
}

function isFrozen(node: IronicNode, host: PlannedHost, { plan }: PivotContext, forbids: boolean): boolean {
	return (
		node.maintenance &&
		node.maintenance_reason === pausedBy(plan.run) &&
		(!forbids || node.disable_power_off === true) &&
		(!host.active || node.protected === true)
	);
}

function flag(field: string, value: boolean): PatchOperation {
	return { op: "add", path: `/${field}`, value };
}
