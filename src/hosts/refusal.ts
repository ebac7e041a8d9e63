import { IronstrapError } from "../lib/errors.ts";
import { describe, type Site } from "../resources/site.ts";
import type { RefusalCode } from "./action.ts";
import { nodeNameOf, refOf } from "./host-name.ts";
import type { Sight } from "./observe.ts";
import { unsupportedFields } from "./rules.ts";

/** The error for a host that is left as it is, because going on would be unsafe or is not possible. */
export function refusal(code: RefusalCode, sight: Sight, site: Site): IronstrapError {
	const { host, node, state } = sight;
	const [message, fix, path] = REASONS[code](sight, nodeNameOf(host));
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

type Reason = (
	sight: Sight,
	name: string,
) => readonly [message: string, fix: string, path: readonly string[]];

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
	"host-image-changed": (_, name) => [
		"a deployed server is asked for another image, or for none",
		`put the old spec.image back. To give up what is on the server: ${undeploy(name)}`,
		["spec", "image"],
	],
	"host-already-deployed": (_, name) => [
		"the server runs an operating system that ironstrap does not know of",
		`set spec.externallyProvisioned: true to keep it. To give up what is on the server: ${undeploy(name)}`,
		["spec", "image"],
	],
	"host-undeployed": (_, name) => [
		"the server was deployed, but Ironic has undeployed it since",
		`find out who did. If that was meant, forget the deployment: remove ${name}.json from the site's hosts directory in /var/lib/ironstrap, then \`ironstrap up\``,
		["metadata"],
	],
	"host-foreign-state": () => [
		"the host is in the middle of something that ironstrap did not start",
		"wait until it has ended, then run `ironstrap up` again",
		["metadata"],
	],
};

/** ironstrap never wipes a deployed server by itself: it takes Ironic's own client and a deliberate act here. */
function undeploy(name: string): string {
	return `\`baremetal node undeploy ${name}\`, remove ${name}.json from the site's hosts directory in /var/lib/ironstrap, then \`ironstrap up\``;
}
