import type { SourceDocument } from "../document.ts";
import { importBifrostCsv } from "./bifrost-csv.ts";
import type { Imported, ImportedHost, Say } from "./imported.ts";
import { networkDataOf } from "./network-data.ts";
import { hostOfNode } from "./node.ts";
import { reasonOf } from "./row.ts";
import { entriesOf, importYaml, isMapping, mappingOf, type Spot, spotOf, textOf } from "./yaml-source.ts";

/**
 * Bifrost's inventory: JSON or YAML, a mapping of names to nodes; or the older CSV, which has no header.
 * https://docs.openstack.org/bifrost/latest/user/howto.html
 */
export function importBifrost(text: string, file: string): Imported {
	const isCsv = /^[^\n{]*,[^\n]*,[^\n]*,/.test(text.trimStart()) && !/^\s*[{[]|^---/.test(text.trimStart());
	return isCsv ? importBifrostCsv(text, file) : importYaml(text, file, readInventory);
}

function readInventory(document: SourceDocument, say: Say): Omit<Imported, "remarks"> {
	const all = entriesOf(document, spotOf(document, document.value, []));
	if (all.length === 0)
		say({
			kind: "wrong",
			where: document.locate([]),
			field: "inventory",
			note: "there is no mapping of names to nodes",
		});
	const hosts = all.flatMap((spot) => {
		if (isMapping(spot.value)) return [readNode(document, spot, spot.value, String(spot.key), say)];
		say({ kind: "wrong", where: spot.where, field: "inventory", note: "this is not a node; left out" });
		return [];
	});
	return { hosts };
}

const USED = new Set([
	...["name", "uuid", "driver", "boot_interface", "driver_info", "properties", "instance_info", "nics"],
	...["ipv4_address", "ipv4_subnet_mask", "ipv4_gateway", "ipv4_nameserver", "addressing_mode"],
	...["description", "automated_clean", "network_data", "node_network_data"],
]);

function readNode(
	document: SourceDocument,
	spot: Spot,
	node: Readonly<Record<string, unknown>>,
	key: string,
	say: Say,
): ImportedHost {
	const name = textOf(node.name) ?? (/^\d+$/.test(key) ? `node-${Number(key) + 1}` : key);
	for (const field of Object.keys(node))
		if (!USED.has(field))
			say({ kind: "left-out", where: spot.at([field]), host: name, field, note: "has no place in a host" });
	if (node.uuid !== undefined)
		say({
			kind: "left-out",
			where: spot.at(["uuid"]),
			host: name,
			field: "uuid",
			note: "the new Ironic gives its own; an old one must no longer manage this server",
		});
	const nics = entriesOf(document, spotOf(document, node.nics, [...spot.path, "nics"]));
	const host = hostOfNode(
		{
			name,
			driver: node.driver,
			bootInterface: node.boot_interface,
			driverInfo: mappingOf(node.driver_info),
			properties: mappingOf(node.properties),
			instanceInfo: mappingOf(node.instance_info),
			macs: nics.map((nic) => ({ text: mappingOf(nic.value).mac, pxe: true, where: nic.at(["mac"]) })),
			where: spot.where,
			at: spot.at,
			description: node.description,
			automatedClean: node.automated_clean,
		},
		say,
	);
	return { ...host, networkData: networkData(spot, node, host, say) };
}

function networkData(
	spot: Spot,
	node: Readonly<Record<string, unknown>>,
	{ name, spec }: ImportedHost,
	say: Say,
): object | undefined {
	const written = node.network_data ?? node.node_network_data;
	if (isMapping(written)) return written;
	const ip = textOf(node.ipv4_address);
	if (ip === undefined || node.addressing_mode === "dhcp") return undefined;
	const remark = (kind: "left-out" | "inferred", note: string) =>
		say({ kind, where: spot.at(["ipv4_address"]), host: name, field: "ipv4_address", note });
	const mac = spec.bootMACAddress;
	if (typeof mac !== "string" || (node.ipv4_subnet_mask === undefined && !ip.includes("/"))) {
		remark(
			"left-out",
			"an address alone makes no network configuration: a netmask and a MAC address are needed",
		);
		return undefined;
	}
	const servers = [node.ipv4_nameserver].flat().flatMap((each) => textOf(each)?.split(/[,\s]+/) ?? []);
	try {
		const data = networkDataOf({
			mac,
			ip,
			netmask: textOf(node.ipv4_subnet_mask),
			gateway: textOf(node.ipv4_gateway),
			dns: servers,
		});
		remark("inferred", "becomes the host's `networkData`, on the card with the boot MAC");
		return data;
	} catch (error) {
		remark("left-out", `no network configuration can be made of it: ${reasonOf(error)}`);
		return undefined;
	}
}
