import type { SourceRef } from "../../lib/errors.ts";
import { isNotAServer, parseMacAddress } from "../../resources/mac-address.ts";
import { refusedDeviceName } from "../../resources/root-device-hints.ts";
import { guessBmcAddress } from "./bmc-guess.ts";
import type { Column } from "./columns.ts";
import type { Cell } from "./csv.ts";
import type { ImportedBmc, ImportedHost, Remark, Say } from "./imported.ts";
import { networkDataOf } from "./network-data.ts";

/** The values of one line of a table, by what they are about; empty ones are not there. */
export type Row = Readonly<Partial<Record<Column, Cell>>>;

/** One line of a table → one host. What cannot be used is said, and the rest of the line still counts. */
export function hostOfRow(row: Row, name: string, where: SourceRef, say: Say): ImportedHost {
	const remark = (kind: Remark["kind"], column: Column, note: string) =>
		say({ kind, where: row[column]?.where ?? where, host: name, field: column, note });
	const read = <T>(column: Column, parse: (text: string) => T): T | undefined => {
		const cell = row[column];
		if (cell === undefined) return undefined;
		try {
			return parse(cell.text);
		} catch (error) {
			remark("wrong", column, `${reasonOf(error)}; left out`);
			return undefined;
		}
	};
	const mac = read("mac", serverMac);
	if (mac === undefined && row.mac === undefined)
		remark("missing", "mac", "no MAC address: needed if the host boots over the network");
	const bmc = bmcOf(row, remark);
	const bootMode = read("bootMode", bootModeOf);
	const architecture = row.architecture?.text;
	const hints = hintsOf(row, read, remark);
	const url = row.image?.text;
	const image = url === undefined ? undefined : { url, ...checksumOf(row) };
	const networkData =
		row.ip === undefined || mac === undefined
			? undefined
			: read("ip", (ip) =>
					networkDataOf({
						mac,
						ip,
						netmask: row.netmask?.text,
						gateway: row.gateway?.text,
						dns: row.dns?.text.split(/[|;,\s]+/).filter((each) => each !== ""),
						vlan: row.vlan?.text,
					}),
				);
	if (row.online === undefined) remark("inferred", "online", "`online: true`: the host is to be switched on");
	return {
		name,
		where,
		namespace: row.namespace?.text,
		bmc,
		labels: labelsOf(row),
		networkData,
		spec: {
			online: read("online", truth) ?? true,
			...(mac === undefined ? {} : { bootMACAddress: mac }),
			...(bootMode === undefined ? {} : { bootMode }),
			...(architecture === undefined ? {} : { architecture }),
			...(row.description === undefined ? {} : { description: row.description.text }),
			...(Object.keys(hints).length === 0 ? {} : { rootDeviceHints: hints }),
			...(image === undefined ? {} : { image }),
		},
	};
}

type RemarkOn = (kind: Remark["kind"], column: Column, note: string) => void;
type Read = <T>(column: Column, parse: (text: string) => T) => T | undefined;

function bmcOf(row: Row, remark: RemarkOn): ImportedBmc | undefined {
	const username = row.username?.text;
	const password = row.password?.text;
	const withoutAddress =
		username === undefined && password === undefined ? undefined : { address: undefined, username, password };
	if (row.address === undefined) {
		remark("missing", "address", "no BMC address: the host would stay unmanaged");
		return withoutAddress;
	}
	if (username === undefined) remark("missing", "username", "no BMC user name");
	if (password === undefined) remark("missing", "password", "no BMC password");
	try {
		const { address, because } = guessBmcAddress({
			address: row.address.text,
			protocol: row.protocol?.text,
			vendor: row.vendor?.text,
			port: row.port?.text,
			system: row.system?.text,
		});
		if (because !== undefined) remark("inferred", "address", because);
		const unverified = /^(1|true|yes|ja|wahr|x)$/i.test(row.insecure?.text ?? "");
		return { address, username, password, ...(unverified ? { disableCertificateVerification: true } : {}) };
	} catch (error) {
		remark("wrong", "address", `the BMC address ${reasonOf(error)}; left out`);
		return withoutAddress;
	}
}

function hintsOf(row: Row, read: Read, remark: RemarkOn) {
	const device = read("disk", (text) => {
		const fault = refusedDeviceName(text);
		if (fault !== undefined) throw new RangeError(`a root disk ${fault}, or is a serial number or WWN`);
		return text;
	});
	const size = read("minDisk", decimal);
	if (size !== undefined && !Number.isInteger(size))
		remark("inferred", "minDisk", `rounded down to ${Math.floor(size)} gigabytes`);
	return {
		...(device === undefined ? {} : { deviceName: device }),
		...(size === undefined ? {} : { minSizeGigabytes: Math.floor(size) }),
		...(row.serialDisk === undefined ? {} : { serialNumber: row.serialDisk.text }),
		...(row.wwn === undefined ? {} : { wwn: row.wwn.text }),
	};
}

function checksumOf(row: Row) {
	const checksum = row.checksum?.text;
	return checksum === undefined ? {} : { checksum, checksumType: "auto" as const };
}

/** `type=cp|rack=3` and `type=cp,rack=3` → labels, besides the role. */
function labelsOf(row: Row): Record<string, string> {
	const pairs = (row.labels?.text ?? "")
		.split(/[|,;]/)
		.map((pair) => pair.trim())
		.filter((pair) => pair !== "")
		.map((pair) => {
			const [key = "", value = ""] = pair.split("=", 2);
			return [labelPart(key), labelPart(value)];
		});
	if (row.role !== undefined) pairs.push(["role", labelPart(row.role.text)]);
	return Object.fromEntries(pairs.filter(([key]) => key !== "")) as Record<string, string>;
}

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
export function labelPart(text: string): string {
	return text
		.trim()
		.replace(/[^A-Za-z0-9._/-]+/g, "-")
		.slice(0, 63)
		.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "");
}

/**
 * Why a value was not taken, without the value: where a delimiter lacks its quotes, a password can stand in any column.
 */
export function reasonOf(error: unknown): string {
	return (error as Error).message.replace(/"(?:[^"\\]|\\.)*"/g, "the value");
}

/** In any spelling, of one network card. */
export function serverMac(text: string): string {
	const mac = parseMacAddress(text);
	if (isNotAServer(mac)) throw new RangeError(`${mac} is a group address or zero, which no network card has`);
	return mac;
}

export function bootModeOf(text: string): "UEFI" | "UEFISecureBoot" | "legacy" {
	const word = text.toLowerCase().replace(/[^a-z]/g, "");
	if (word.includes("secure")) return "UEFISecureBoot";
	if (word === "uefi" || word === "efi") return "UEFI";
	if (["bios", "legacy", "csm"].includes(word)) return "legacy";
	throw new RangeError("is neither UEFI, UEFISecureBoot nor legacy");
}

/** `1.920,5` and `1,920.5` and `447,1`: the last sign is the decimal one, unless three digits follow it alone. */
export function decimal(text: string): number {
	const digits = text
		.trim()
		.replace(/\s*(gb|gib|gbyte)$/i, "")
		.replace(/[\s'_]/g, "");
	const last = Math.max(digits.lastIndexOf(","), digits.lastIndexOf("."));
	const signs = digits.replace(/[^.,]/g, "");
	const isThousands = signs.length === 1 && digits.length - last === 4 && !digits.startsWith("0");
	const whole =
		last === -1 || isThousands ? digits.replace(/[.,]/g, "") : digits.slice(0, last).replace(/[.,]/g, "");
	const fraction = last === -1 || isThousands ? "" : digits.slice(last + 1);
	if (!/^\d+$/.test(whole) || !/^\d*$/.test(fraction)) throw new RangeError("is not a number of gigabytes");
	return Number(fraction === "" ? whole : `${whole}.${fraction}`);
}

function truth(text: string): boolean {
	if (/^(1|true|yes|y|on|ja|j|wahr|x)$/i.test(text)) return true;
	if (/^(0|false|no|n|off|nein|falsch|-)$/i.test(text)) return false;
	throw new RangeError("is neither true nor false");
}
