import { stringify } from "yaml";
import { parseBmcAddress } from "../../resources/bmc-address.ts";
import { rootDeviceHintsSchema } from "../../resources/root-device-hints.ts";
import type { SourceDocument } from "../document.ts";
import type { ImportedBmc, ImportedHost, Remark, Say } from "./imported.ts";
import { bootModeOf, reasonOf, serverMac } from "./row.ts";
import { entriesOf, isMapping, mappingOf, type Spot, spotOf, textOf } from "./yaml-source.ts";

/** `platform.baremetal.hosts`. */
export function installConfigHosts(document: SourceDocument, baremetal: Spot, say: Say): ImportedHost[] {
	const list = spotOf(document, mappingOf(baremetal.value).hosts, [...baremetal.path, "hosts"]);
	if (!Array.isArray(list.value) || list.value.length === 0)
		say({ kind: "missing", where: list.where, field: "hosts", note: "there are no hosts" });
	return entriesOf(document, list).flatMap((spot) => {
		if (isMapping(spot.value)) return [readHost(spot, spot.value, say)];
		say({ kind: "wrong", where: spot.where, field: "hosts", note: "this is not a host; left out" });
		return [];
	});
}

const USED = new Set([
	...[
		"name",
		"role",
		"bmc",
		"bootMACAddress",
		"hardwareProfile",
		"rootDeviceHints",
		"bootMode",
		"networkConfig",
	],
]);

function readHost(spot: Spot, host: Readonly<Record<string, unknown>>, say: Say): ImportedHost {
	const index = Number(spot.path.at(-1));
	const name = textOf(host.name) ?? `host-${index + 1}`;
	const remark = (kind: Remark["kind"], path: readonly string[], note: string) =>
		say({ kind, where: spot.at(path), host: name, field: path.join("."), note });
	const read = <T>(field: string, parse: (text: string) => T): T | undefined => {
		const text = textOf(host[field]);
		if (text === undefined) return undefined;
		try {
			return parse(text);
		} catch (error) {
			remark("wrong", [field], `${reasonOf(error)}; left out`);
			return undefined;
		}
	};
	for (const key of Object.keys(host))
		if (!USED.has(key)) remark("left-out", [key], "this field is not known");
	if (host.hardwareProfile !== undefined)
		remark("left-out", ["hardwareProfile"], "deprecated: root device hints took its place");
	const mac = read("bootMACAddress", serverMac);
	if (host.bootMACAddress === undefined) remark("missing", ["bootMACAddress"], "no boot MAC address");
	const bootMode = read("bootMode", bootModeOf);
	const hints = hintsOf(host, remark);
	const role = read("role", roleOf);
	remark("inferred", ["image"], "no image: the host is inspected, and stays available until one is given");
	return {
		name,
		where: spot.where,
		namespace: undefined,
		bmc: bmcOf(host, remark),
		labels: role === undefined ? {} : { "installer.openshift.io/role": role },
		kept: keptNetworkConfig(host, remark),
		spec: {
			online: true,
			...(mac === undefined ? {} : { bootMACAddress: mac }),
			...(bootMode === undefined ? {} : { bootMode }),
			...(hints === undefined ? {} : { rootDeviceHints: hints }),
		},
	};
}

type RemarkOn = (kind: Remark["kind"], path: readonly string[], note: string) => void;

function bmcOf(host: Readonly<Record<string, unknown>>, remark: RemarkOn): ImportedBmc | undefined {
	const bmc = mappingOf(host.bmc);
	for (const part of ["username", "password"] as const)
		if (textOf(bmc[part]) === undefined)
			remark("missing", ["bmc", part], "not given: add it to the host's Secret");
	for (const key of Object.keys(bmc))
		if (!["address", "username", "password", "disableCertificateVerification"].includes(key))
			remark("left-out", ["bmc", key], "this field is not known");
	const address = addressOf(bmc.address, remark);
	const username = textOf(bmc.username);
	// a password may start or end with a blank, and a number is what YAML made of its digits
	const password =
		typeof bmc.password === "string" && bmc.password !== "" ? bmc.password : textOf(bmc.password);
	if (address === undefined && username === undefined && password === undefined) return undefined;
	const unverified = bmc.disableCertificateVerification === true;
	return { address, username, password, ...(unverified ? { disableCertificateVerification: true } : {}) };
}

function addressOf(written: unknown, remark: RemarkOn): string | undefined {
	const address = textOf(written);
	if (address === undefined) {
		remark("missing", ["bmc", "address"], "no BMC address: the host would stay unmanaged");
		return undefined;
	}
	try {
		parseBmcAddress(address);
		return address;
	} catch (error) {
		remark("wrong", ["bmc", "address"], `the BMC address ${reasonOf(error)}; left out`);
		return undefined;
	}
}

function hintsOf(host: Readonly<Record<string, unknown>>, remark: RemarkOn) {
	if (host.rootDeviceHints === undefined) return undefined;
	const hints = rootDeviceHintsSchema.safeParse(host.rootDeviceHints);
	if (hints.success) return hints.data;
	remark("missing", ["rootDeviceHints"], "these are no root device hints: say otherwise which disk is meant");
	return undefined;
}

/** The installer's label values. https://github.com/openshift/installer/blob/main/pkg/types/baremetal/platform.go */
function roleOf(text: string): string {
	if (text === "master") return "control-plane";
	if (text === "worker" || text === "arbiter") return text;
	throw new RangeError("is neither master, arbiter nor worker");
}

/** nmstate is understood by OpenShift's own ramdisk only; nobody's work is thrown away, though. */
function keptNetworkConfig(host: Readonly<Record<string, unknown>>, remark: RemarkOn) {
	if (!isMapping(host.networkConfig)) return undefined;
	remark(
		"left-out",
		["networkConfig"],
		"nmstate: kept in a Secret of its own that nothing refers to; ironic-python-agent does not read it",
	);
	return { nmstate: stringify(host.networkConfig, { version: "1.1" }) };
}
