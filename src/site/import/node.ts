import type { SourceRef } from "../../lib/errors.ts";
import { bmcAddressFromNode } from "../../resources/bmc-from-node.ts";
import { hintsFromIronic, type RootDeviceHints } from "../../resources/root-device-hints.ts";
import type { ImportedBmc, ImportedHost, Remark, Say } from "./imported.ts";
import { labelPart, reasonOf, serverMac } from "./row.ts";

/** A node as Ironic, and tools that feed it, describe it. Nothing in it can be relied upon. */
export interface NodeText {
	readonly name: string;
	readonly namespace?: string | undefined;
	readonly driver: unknown;
	readonly bootInterface?: unknown;
	readonly driverInfo: Readonly<Record<string, unknown>>;
	readonly properties: Readonly<Record<string, unknown>>;
	readonly instanceInfo: Readonly<Record<string, unknown>>;
	readonly macs: readonly { readonly text: unknown; readonly pxe: boolean; readonly where: SourceRef }[];
	readonly where: SourceRef;
	/** Where a field stands, from the node's top: `["driver_info", "ipmi_address"]`. */
	readonly at: (path: readonly (string | number)[]) => SourceRef;
	readonly description?: unknown;
	readonly automatedClean?: unknown;
	/** Only a running Ironic has it. */
	readonly provisionState?: unknown;
	readonly poweredOff?: boolean | undefined;
}

/** Ironic's retired driver names, and those that people still write. */
const DRIVERS: Readonly<Record<string, string>> = {
	agent_ipmitool: "ipmi",
	pxe_ipmitool: "ipmi",
	ipmitool: "ipmi",
	pxe_drac: "idrac",
};

/** What Ironic shows instead of a password. */
const MASKED = "******";

/** One node → one host. What has no place in a host is said. */
export function hostOfNode(node: NodeText, say: Say): ImportedHost {
	const remark = (kind: Remark["kind"], path: readonly (string | number)[], note: string) =>
		say({ kind, where: node.at(path), host: node.name, field: path.join("."), note });
	const bmc = bmcOf(node, remark);
	const mac = macOf(node, say);
	const isDeployed = node.provisionState === "active";
	if (isDeployed)
		remark(
			"inferred",
			["provision_state"],
			"`externallyProvisioned: true`: the server is in use and must not be wiped",
		);
	const image = isDeployed ? undefined : imageOf(node, remark);
	const hints = hintsOf(node, remark);
	const bootMode = bootModeOf(node);
	const architecture = node.properties.cpu_arch;
	propertiesLeftOut(node, remark);
	return {
		name: node.name,
		where: node.where,
		namespace: node.namespace,
		bmc,
		spec: {
			online: node.poweredOff !== true,
			...(mac === undefined ? {} : { bootMACAddress: mac }),
			...(bootMode === undefined ? {} : { bootMode }),
			...(typeof architecture === "string" && architecture !== "" ? { architecture } : {}),
			...(typeof node.description === "string" && node.description !== ""
				? { description: node.description }
				: {}),
			...(node.automatedClean === false ? { automatedCleaningMode: "disabled" as const } : {}),
			...(isDeployed ? { externallyProvisioned: true } : {}),
			...(image === undefined ? {} : { image }),
			...(Object.keys(hints).length === 0 ? {} : { rootDeviceHints: hints }),
		},
	};
}

type RemarkOn = (kind: Remark["kind"], path: readonly (string | number)[], note: string) => void;

function bmcOf(node: NodeText, remark: RemarkOn): ImportedBmc | undefined {
	const info = node.driverInfo;
	const written = typeof node.driver === "string" ? node.driver : "";
	const driver = DRIVERS[written] ?? (written === "" ? "ipmi" : written);
	if (written === "") remark("inferred", ["driver"], "no driver is given: IPMI is taken");
	else if (driver !== written)
		remark("inferred", ["driver"], `${driver}, which took the place of ${written}`);
	const bootInterface = typeof node.bootInterface === "string" ? node.bootInterface : undefined;
	try {
		const found = bmcAddressFromNode({
			driver,
			boot_interface: bootInterface === "" ? undefined : bootInterface,
			driver_info: info,
		});
		for (const key of found.lossy)
			remark(
				"left-out",
				["driver_info", key],
				"baremetal-operator does not set it: the node would be made without it",
			);
		if (found.caPath !== undefined)
			remark(
				"left-out",
				["driver_info", "redfish_verify_ca"],
				"give the CA itself in the Ironic's `tls.bmcCA`",
			);
		return {
			address: found.address,
			username: credential(node, driver, "username", remark),
			password: credential(node, driver, "password", remark),
			...(found.disableCertificateVerification ? { disableCertificateVerification: true } : {}),
		};
	} catch (error) {
		remark("missing", ["driver_info"], `no BMC address can be made of it: ${reasonOf(error)}`);
		const [username, password] = (["username", "password"] as const).map((part) =>
			credential(node, driver, part, remark),
		);
		return username === undefined && password === undefined
			? undefined
			: { address: undefined, username, password };
	}
}

function credential(node: NodeText, driver: string, part: "username" | "password", remark: RemarkOn) {
	const key = `${driver === "ipmi" ? "ipmi" : "redfish"}_${part}`;
	const value = node.driverInfo[key];
	if (typeof value === "number") return String(value);
	if (typeof value === "string" && value !== "" && value !== MASKED) return value;
	const why = value === MASKED ? "Ironic does not tell it" : "it is not given";
	remark("missing", ["driver_info", key], `${why}: add it to the host's Secret`);
	return undefined;
}

function macOf(node: NodeText, say: Say): string | undefined {
	const usable = node.macs.flatMap(({ pxe, text, where }) => {
		try {
			return [{ mac: serverMac(String(text)), pxe, where }];
		} catch (error) {
			say({ kind: "wrong", where, host: node.name, field: "mac", note: `${reasonOf(error)}; left out` });
			return [];
		}
	});
	const chosen = usable.find(({ pxe }) => pxe) ?? usable[0];
	for (const { mac, where } of usable)
		if (mac !== chosen?.mac)
			say({
				kind: "left-out",
				where,
				host: node.name,
				field: "mac",
				note: `${mac}: a host has one boot MAC; inspection finds the other cards`,
			});
	if (chosen === undefined)
		say({
			kind: "missing",
			where: node.where,
			host: node.name,
			field: "mac",
			note: "no MAC address: needed if the host boots over the network",
		});
	return chosen?.mac;
}

function imageOf(node: NodeText, remark: RemarkOn) {
	const { image_checksum, image_os_hash_algo, image_os_hash_value, image_source } = node.instanceInfo;
	for (const key of Object.keys(node.instanceInfo))
		if (!/^image_(source|checksum|os_hash_(algo|value))$/.test(key))
			remark("left-out", ["instance_info", key], "has no place in a host's `image`");
	if (typeof image_source !== "string" || image_source === "") return undefined;
	if (!/^(https?|oci):\/\//i.test(image_source)) {
		remark("left-out", ["instance_info", "image_source"], "a host's image has a URL of http, https or oci");
		return undefined;
	}
	const checksum = image_os_hash_value ?? image_checksum;
	if (typeof checksum !== "string" || checksum === "") {
		remark("missing", ["instance_info"], "the image has no checksum");
		return { url: image_source };
	}
	const known = (["sha256", "sha512", "md5"] as const).find((name) => name === image_os_hash_algo);
	return { url: image_source, checksum, checksumType: known ?? ("auto" as const) };
}

/** Hint by hint: one that a host cannot say must not take the others with it. */
function hintsOf(node: NodeText, remark: RemarkOn): RootDeviceHints {
	const written = jsonOf(node.properties.root_device);
	if (typeof written !== "object" || written === null || Array.isArray(written)) return {};
	const hints: RootDeviceHints = {};
	for (const [key, value] of Object.entries(written)) {
		try {
			Object.assign(hints, hintsFromIronic({ [key]: value }));
		} catch (error) {
			remark(
				"missing",
				["properties", "root_device", key],
				`${(error as Error).message}: say otherwise which disk is meant`,
			);
		}
	}
	return hints;
}

/** Of `capabilities`: `boot_mode:uefi,secure_boot:true`, or the same as a mapping. */
function bootModeOf({
	properties: { capabilities },
}: NodeText): "UEFI" | "UEFISecureBoot" | "legacy" | undefined {
	const pairs =
		typeof capabilities === "string"
			? capabilities.split(",").map((pair) => pair.trim().split(":", 2))
			: Object.entries(typeof capabilities === "object" && capabilities !== null ? capabilities : {});
	const found = new Map(pairs.map(([key, value]) => [key, String(value).toLowerCase()]));
	if (found.get("secure_boot") === "true") return "UEFISecureBoot";
	if (found.get("boot_mode") === "bios") return "legacy";
	return found.get("boot_mode") === "uefi" ? "UEFI" : undefined;
}

function propertiesLeftOut(node: NodeText, remark: RemarkOn): void {
	const others = Object.keys(node.properties).filter(
		(key) => !["cpu_arch", "root_device", "capabilities"].includes(key),
	);
	if (others.length > 0)
		remark(
			"left-out",
			["properties"],
			`${others.map(labelPart).join(", ")}: inspection finds what the server has`,
		);
}

/** A mapping may be written as JSON text. */
function jsonOf(value: unknown): unknown {
	if (typeof value !== "string") return value;
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
}
