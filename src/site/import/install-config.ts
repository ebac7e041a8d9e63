import type { SourceDocument } from "../document.ts";
import type { Imported, Say } from "./imported.ts";
import { installConfigHosts } from "./install-config-hosts.ts";
import { installConfigNetwork } from "./install-config-network.ts";
import { importYaml, isMapping, mappingOf, spotOf } from "./yaml-source.ts";

/**
 * OpenShift's install-config.yaml with `platform.baremetal`. Nothing is read from the network: what its installer would
 * look up (API addresses in DNS, images) is not needed for a bootstrap.
 */
export function importInstallConfig(text: string, file: string): Imported {
	return importYaml(text, file, readConfig);
}

/** Top-level fields, and why they have no place in a site. The values of some are secrets: none is ever shown. */
const LEFT_OUT: Readonly<Record<string, string>> = {
	baseDomain: "belongs to the cluster's installation",
	compute: "which hosts become workers is decided by the cluster",
	controlPlane: "which hosts become the control plane is decided by the cluster; roles are kept as labels",
	arbiter: "which hosts become arbiters is decided by the cluster; roles are kept as labels",
	pullSecret: "belongs to the cluster's installation",
	proxy: "set the proxy of this machine's container engine",
	imageContentSources: "belongs to the cluster's installation",
	imageDigestSources: "belongs to the cluster's installation",
	additionalTrustBundlePolicy: "the bundle is used for image servers",
	networking: "belongs to the cluster; only machineNetwork is compared with the provisioning network",
	capabilities: "belongs to the cluster's installation",
	featureSet: "belongs to the cluster's installation",
	featureGates: "belongs to the cluster's installation",
	fips: "belongs to the cluster's installation",
	publish: "belongs to the cluster's installation",
	cpuPartitioningMode: "belongs to the cluster's installation",
	credentialsMode: "belongs to the cluster's installation",
	bootstrapInPlace: "belongs to the cluster's installation",
	operatorPublishingStrategy: "belongs to the cluster's installation",
};

const USED: ReadonlySet<string> = new Set([
	"apiVersion",
	"kind",
	"metadata",
	"platform",
	"sshKey",
	"additionalTrustBundle",
]);

function readConfig(document: SourceDocument, say: Say): Omit<Imported, "remarks"> {
	const root = mappingOf(document.value);
	const platform = mappingOf(root.platform);
	const isAgentConfig = root.kind === "AgentConfig";
	if (!isMapping(platform.baremetal)) {
		const note = isAgentConfig
			? "an AgentConfig is no install-config: import the install-config.yaml beside it"
			: "there is no `platform.baremetal`: only the bare-metal platform is read";
		say({ kind: "wrong", where: document.locate(["platform"]), field: "platform", note });
		return { hosts: [] };
	}
	for (const key of Object.keys(root))
		if (!USED.has(key))
			say({
				kind: "left-out",
				where: document.locateKey([key]),
				field: key,
				note: LEFT_OUT[key] ?? "this field is not known",
			});
	const spot = spotOf(document, platform.baremetal, ["platform", "baremetal"]);
	return {
		hosts: installConfigHosts(document, spot, say),
		ironic: installConfigNetwork(document, spot, say),
	};
}
