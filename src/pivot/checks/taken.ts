import { isDeepStrictEqual } from "node:util";
import { type KubeObject, refText } from "../../kube/objects.ts";
import { driverInfo, parseBmcAddress } from "../../resources/bmc-address.ts";
import type { PlannedHost } from "../plan.ts";
import { RUN_LABEL } from "../target-host.ts";
import { type TargetCheck, targetFault } from "./target-check.ts";

/** Nothing of anybody else's is overwritten, and no server is there already under another name. */
export const taken: TargetCheck = (plan, { existing, hosts }) => [
	...existing
		.filter(({ metadata }) => metadata.labels?.[RUN_LABEL] !== plan.run)
		.map((object) =>
			targetFault(
				"pivot-target-taken",
				"the cluster has an object of this name already",
				object.metadata.labels?.[RUN_LABEL] === undefined
					? "it was not made by a hand-over"
					: `it was made by hand-over ${object.metadata.labels[RUN_LABEL]}`,
				"see whose it is; remove it if nobody needs it, or rename the site's",
				refText({ kind: object.kind, ...object.metadata }),
			),
		),
	...plan.hosts.flatMap((host) =>
		hosts
			.filter((other) => other.metadata.labels?.[RUN_LABEL] !== plan.run)
			.flatMap((other) => {
				const shared = sharedBy(host, other);
				return shared === undefined
					? []
					: targetFault(
							"pivot-target-taken",
							`the cluster has this server already, as ${other.metadata.namespace}/${other.metadata.name}`,
							shared,
							"one server must have one BareMetalHost: take it out of the site, or out of the cluster",
							`BareMetalHost ${host.namespace}/${host.name}`,
						);
			}),
	),
];

interface HostSpec {
	readonly bmc?: { readonly address?: string };
	readonly bootMACAddress?: string;
}

function sharedBy({ object }: PlannedHost, other: KubeObject): string | undefined {
	const ours = (object.spec ?? {}) as HostSpec;
	const theirs = (other.spec ?? {}) as HostSpec;
	const mac = ours.bootMACAddress?.toLowerCase();
	if (mac !== undefined && mac === theirs.bootMACAddress?.toLowerCase())
		return `the same boot MAC address ${mac}`;
	const address = theirs.bmc?.address;
	if (ours.bmc?.address === undefined || address === undefined) return undefined;
	return isDeepStrictEqual(placeOf(ours.bmc.address), placeOf(address))
		? `the same BMC ${address}`
		: undefined;
}

/** Where a BMC is and which of its systems is meant, however it is written. */
function placeOf(address: string): object {
	try {
		const { host, port, systemId, transport } = parseBmcAddress(address);
		const { redfish_address: redfish } = driverInfo(
			parseBmcAddress(address),
			{ username: "", password: "" },
			{},
		);
		return redfish === undefined ? { host, port, transport } : { redfish, systemId };
	} catch {
		return { address };
	}
}
