import type { HostExport } from "./host-export.ts";

/** What Ironic had, for a person and for the way back. No `driver_info`, no `instance_info`: nothing secret. */
export function inventoryOf(hosts: readonly HostExport[], runId: string): object {
	return {
		formatVersion: 1,
		run: runId,
		hosts: hosts.map(({ host, stored, node, ports }) => ({
			namespace: host.metadata.namespace,
			name: host.metadata.name,
			bmc: host.spec.bmc?.address,
			state: stored?.status.provisioning.state,
			node: node && {
				uuid: node.uuid,
				name: node.name,
				driver: node.driver,
				boot_interface: node.boot_interface,
				provision_state: node.provision_state,
				power_state: node.power_state,
				maintenance: node.maintenance,
				properties: node.properties,
				resource_class: node.resource_class,
				traits: node.traits ?? [],
			},
			ports: ports.map(({ uuid, address, pxe_enabled, physical_network, local_link_connection }) => ({
				uuid,
				address,
				pxe_enabled,
				physical_network,
				local_link_connection,
			})),
		})),
	};
}
