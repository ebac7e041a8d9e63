import { IronstrapError } from "../lib/errors.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import { describe, type Site } from "../resources/site.ts";
import type { RefusalCode } from "./action.ts";
import { refOf } from "./host-name.ts";
import type { Sight } from "./observe.ts";
import { unsupportedFields } from "./rules.ts";

/** The error for a host that is left as it is, because going on would be unsafe or is not possible. */
export function refusal(code: RefusalCode, sight: Sight, site: Site): IronstrapError {
	const { host, node, state } = sight;
	const [message, fix, path] = REASONS[code](sight);
	const ref = refOf(host);
	return new IronstrapError({
		code,
		message,
		fix,
		subject: describe(ref),
		where: site.locate(ref, path) ?? site.locate(ref),
		seen: [
			`stored state ${state === "" ? "none" : state}`,
			node === undefined ? "no Ironic node" : `Ironic node ${node.uuid} ${node.provision_state}`,
			...(node?.maintenance === true ? [`maintenance: ${node.maintenance_reason ?? "no reason"}`] : []),
		].join(", "),
	});
}

type Reason = (sight: Sight) => readonly [message: string, fix: string, path: readonly string[]];

const REASONS: Readonly<Record<RefusalCode, Reason>> = {
	"host-unsupported": ({ host }) => {
		const fields = unsupportedFields(host);
		return [
			`ironstrap does not apply spec.${fields.join(", spec.")}`,
			"set it up on the server beforehand and leave the field out, or let the target's BMO do it after the pivot",
			["spec", fields[0] ?? ""],
		];
	},
	"host-port-taken": ({ host }) => [
		`another Ironic node owns the boot MAC address ${host.spec.bootMACAddress ?? ""}`,
		"two hosts have the same spec.bootMACAddress, or the server was enrolled under another name before: compare with `baremetal port list --detail`",
		["spec", "bootMACAddress"],
	],
	"host-frozen": () => [
		"the host is frozen for a hand-over",
		"finish the hand-over; or give it up and take the node out of maintenance",
		["metadata"],
	],
	"host-already-deployed": ({ host }) => [
		"the server runs an operating system that ironstrap does not know of",
		`set spec.externallyProvisioned: true to keep it. To wipe it: ${deprovision(host)}, then \`ironstrap up\``,
		["spec", "image"],
	],
	"host-undeployed": ({ host }) => [
		"the server was deployed, but Ironic has undeployed it since",
		`find out who did. If that was meant: ${deprovision(host)} forgets the deployment`,
		["metadata"],
	],
	"host-foreign-state": () => [
		"the host is in the middle of something that ironstrap did not start",
		"wait until it has ended, then run `ironstrap up` again",
		["metadata"],
	],
};

/** What ironstrap does not know to be its own it gives up only when it is told so by name. */
function deprovision({ metadata }: BareMetalHost): string {
	return `\`ironstrap hosts deprovision ${metadata.namespace}/${metadata.name}\``;
}
