import type { ConfigDrive } from "../ironic/node.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { HostData } from "./host-data.ts";

/**
 * The config drive, built as BMO builds it: its own meta data with the user's laid over them. `uuid` identifies the
 * instance to cloud-init: the object's uid where there is a cluster, the Ironic node's here.
 * https://github.com/metal3-io/baremetal-operator/blob/main/pkg/provisioner/ironic/ironic.go (getConfigDrive)
 */
export function configDrive(host: BareMetalHost, uuid: string, data: HostData): ConfigDrive | undefined {
	// Many BMCs have one virtual drive only, and the live image needs it.
	if (host.spec.image?.format === "live-iso") return undefined;
	const { namespace, name } = host.metadata;
	return {
		meta_data: {
			uuid,
			"metal3-namespace": namespace,
			"metal3-name": name,
			"local-hostname": name,
			local_hostname: name,
			name,
			...data.metaData,
		},
		...(data.userData === undefined ? {} : { user_data: data.userData }),
		...(data.networkData === undefined ? {} : { network_data: data.networkData }),
	};
}
