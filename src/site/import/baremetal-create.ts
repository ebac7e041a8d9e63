import type { SourceDocument } from "../document.ts";
import type { Imported, ImportedHost, Say } from "./imported.ts";
import { hostOfNode } from "./node.ts";
import { entriesOf, importYaml, isMapping, mappingOf, type Spot, spotOf, textOf } from "./yaml-source.ts";

/**
 * What `baremetal create FILE` takes: `nodes` with their `ports` and `portgroups`, and `chassis` with nodes.
 * https://docs.openstack.org/python-ironicclient/latest/cli/osc/v1/index.html#baremetal-create
 */
export function importBaremetalCreate(text: string, file: string): Imported {
	return importYaml(text, file, readFile);
}

function readFile(document: SourceDocument, say: Say): Omit<Imported, "remarks"> {
	const root = mappingOf(document.value);
	const nodes = [
		...entriesOf(document, spotOf(document, root.nodes, ["nodes"])),
		...entriesOf(document, spotOf(document, root.chassis, ["chassis"])).flatMap((chassis) =>
			entriesOf(document, spotOf(document, mappingOf(chassis.value).nodes, [...chassis.path, "nodes"])),
		),
	];
	if (!isMapping(document.value) || !["nodes", "chassis"].some((key) => Array.isArray(root[key])))
		say({
			kind: "wrong",
			where: document.locate([]),
			field: "nodes",
			note: "there is no list of `nodes` or `chassis`",
		});
	else if (nodes.length === 0)
		say({ kind: "wrong", where: document.locate([]), field: "nodes", note: "there are no nodes" });
	const hosts = nodes.flatMap((node, index) => {
		if (isMapping(node.value)) return [readNode(document, node, node.value, index, say)];
		say({ kind: "wrong", where: node.where, field: "nodes", note: "this is not a node; left out" });
		return [];
	});
	return { hosts };
}

const USED = new Set([
	...[
		"name",
		"uuid",
		"driver",
		"boot_interface",
		"driver_info",
		"properties",
		"instance_info",
		"ports",
		"portgroups",
	],
	...["description", "automated_clean"],
]);

function readNode(
	document: SourceDocument,
	spot: Spot,
	node: Readonly<Record<string, unknown>>,
	index: number,
	say: Say,
): ImportedHost {
	const name = textOf(node.name) ?? textOf(node.uuid) ?? `node-${index + 1}`;
	for (const key of Object.keys(node))
		if (!USED.has(key))
			say({
				kind: "left-out",
				where: spot.at([key]),
				host: name,
				field: key,
				note: "has no place in a host",
			});
	const groups = entriesOf(document, spotOf(document, node.portgroups, [...spot.path, "portgroups"]));
	const ports = [
		...entriesOf(document, spotOf(document, node.ports, [...spot.path, "ports"])),
		...groups.flatMap((group) =>
			entriesOf(document, spotOf(document, mappingOf(group.value).ports, [...group.path, "ports"])),
		),
	];
	return hostOfNode(
		{
			name,
			driver: node.driver,
			bootInterface: node.boot_interface,
			driverInfo: mappingOf(node.driver_info),
			properties: mappingOf(node.properties),
			instanceInfo: mappingOf(node.instance_info),
			macs: ports.map((port) => ({
				text: mappingOf(port.value).address,
				pxe: mappingOf(port.value).pxe_enabled !== false,
				where: port.at(["address"]),
			})),
			where: spot.where,
			at: spot.at,
			description: node.description,
			automatedClean: node.automated_clean,
		},
		say,
	);
}
