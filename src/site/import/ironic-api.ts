import type { SourceRef } from "../../lib/errors.ts";
import { collectRemarks, type Imported } from "./imported.ts";
import { hostOfNode } from "./node.ts";

/** The part of an API's node that matters here; Ironic's names. */
export interface ApiNode {
	readonly uuid: string;
	readonly name: string | null;
	readonly driver: string;
	readonly boot_interface?: string | null;
	readonly driver_info: Readonly<Record<string, unknown>>;
	readonly instance_info: Readonly<Record<string, unknown>>;
	readonly properties: Readonly<Record<string, unknown>>;
	readonly provision_state: string;
	readonly power_state: string | null;
	readonly maintenance: boolean;
	readonly automated_clean?: boolean | null;
}

export interface ApiPort {
	readonly address: string;
	readonly node_uuid: string;
	readonly pxe_enabled: boolean;
}

/**
 * The nodes of a running Ironic. It never tells passwords. `url` is the API's, for messages: a place is a node's own
 * URL there.
 */
export function importIronicApi(nodes: readonly ApiNode[], ports: readonly ApiPort[], url: string): Imported {
	const { remarks, say } = collectRemarks();
	const hosts = nodes.map((node) => {
		const where: SourceRef = { file: `${url.replace(/\/+$/, "")}/v1/nodes/${node.uuid}`, line: 1, column: 1 };
		const { name, namespace } = nameOf(node);
		if (node.maintenance)
			say({
				kind: "left-out",
				where,
				host: name,
				field: "maintenance",
				note: "the node is in maintenance there",
			});
		return hostOfNode(
			{
				name,
				namespace,
				driver: node.driver,
				bootInterface: node.boot_interface,
				driverInfo: node.driver_info,
				properties: node.properties,
				instanceInfo: node.provision_state === "active" ? {} : node.instance_info,
				macs: ports
					.filter(({ node_uuid }) => node_uuid === node.uuid)
					.map(({ address, pxe_enabled: pxe }) => ({ text: address, pxe, where })),
				where,
				at: () => where,
				automatedClean: node.automated_clean,
				provisionState: node.provision_state,
				poweredOff: node.power_state === "power off",
			},
			say,
		);
	});
	if (nodes.length === 0)
		say({
			kind: "wrong",
			where: { file: url, line: 1, column: 1 },
			field: "nodes",
			note: "this Ironic has no nodes",
		});
	return { hosts, remarks };
}

/** baremetal-operator names nodes `namespace~name`. */
function nameOf({ name, uuid }: ApiNode): { name: string; namespace?: string } {
	if (name === null || name === "") return { name: `node-${uuid}` };
	const [namespace = "", rest] = name.split("~", 2);
	return rest ? { namespace, name: rest } : { name };
}
