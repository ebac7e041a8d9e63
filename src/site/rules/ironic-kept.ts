import type { IronicSpec } from "../../resources/ironic.ts";
import { about, type IronicRule } from "./ironic-rule.ts";

interface Kept {
	readonly path: readonly string[];
	readonly isSet: (spec: IronicSpec) => boolean;
	readonly why: string;
}

/** Fields that mean something in the target cluster only. They are kept for it and reported, never dropped. */
const KEPT: readonly Kept[] = [
	{
		path: ["highAvailability"],
		isSet: ({ highAvailability }) => highAvailability === true,
		why: "one machine runs one Ironic",
	},
	{
		path: ["overrides"],
		isSet: ({ overrides }) => overrides !== undefined,
		why: "there are no pods to change",
	},
	{
		path: ["networking", "ingress"],
		isSet: ({ networking }) => networking.ingress !== undefined,
		why: "there is no ingress controller",
	},
	{
		path: ["networking", "keepalived"],
		isSet: ({ networking }) => networking.keepalived?.enabled === true,
		why: "the address must be on the interface already",
	},
	{
		path: ["networking", "ipAddressManager"],
		isSet: ({ networking }) => networking.ipAddressManager === "keepalived",
		why: "the address must be on the interface already",
	},
	{
		path: ["networking", "disableHostNetwork"],
		isSet: ({ networking }) => networking.disableHostNetwork,
		why: "nothing but dnsmasq uses the host's network anyway",
	},
	{
		path: ["networkingService"],
		isSet: ({ networkingService }) => networkingService?.enabled === true,
		why: "switches are not configured from here",
	},
	{
		path: ["prometheusExporter"],
		isSet: ({ prometheusExporter }) => prometheusExporter?.enabled === true,
		why: "there is no Prometheus to ask it",
	},
	{
		path: ["nodeSelector"],
		isSet: ({ nodeSelector }) => Object.keys(nodeSelector ?? {}).length > 0,
		why: "there are no nodes to choose from",
	},
];

export const ironicKept: IronicRule = function* (ironic) {
	for (const { path, isSet, why } of KEPT)
		if (isSet(ironic.spec))
			yield about(ironic, path, "kept-for-target", {
				severity: "warning",
				message: `\`${path.join(".")}\` has no effect on this machine: ${why}; it is kept for the target cluster`,
				fix: "nothing to do",
			});
};
