import type { Finding } from "../finding.ts";
import { ironicAddresses } from "./ironic-addresses.ts";
import { ironicAgentImages } from "./ironic-agent-images.ts";
import { ironicDhcp } from "./ironic-dhcp.ts";
import { ironicKept } from "./ironic-kept.ts";
import { ironicModes } from "./ironic-modes.ts";
import { ironicNetworkingService } from "./ironic-networking-service.ts";
import { ironicOptions } from "./ironic-options.ts";
import type { IronicUnderTest } from "./ironic-rule.ts";
import { ironicTls } from "./ironic-tls.ts";
import { ironicVersion } from "./ironic-version.ts";
import type { SiteRule } from "./site-rule.ts";

const RULES = [
	ironicModes,
	ironicAddresses,
	ironicDhcp,
	ironicOptions,
	ironicTls,
	ironicVersion,
	ironicAgentImages,
	ironicNetworkingService,
];

/** Everything that can be said about an `Ironic` by itself, wherever it is to run. */
export function* ironicFaults(ironic: IronicUnderTest): Iterable<Finding> {
	for (const rule of RULES) yield* rule(ironic);
}

/** The site's own `Ironic`, and what of it has no effect on this machine. */
export const ironics: SiteRule = function* (draft) {
	for (const object of draft.ironics) {
		const underTest: IronicUnderTest = {
			spec: object.spec,
			subject: `Ironic ${object.metadata.namespace}/${object.metadata.name}`,
			where: (path) => draft.locate(object, ["spec", ...path]),
		};
		yield* ironicFaults(underTest);
		yield* ironicKept(underTest);
	}
};
