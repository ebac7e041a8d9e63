import { readFile } from "node:fs/promises";
import { IronstrapError } from "../../src/lib/errors.ts";
import type { BootDevice, QemuSpec } from "../server/qemu-arguments.ts";
import type { Fault } from "./faults.ts";

/** One server behind the emulated BMC. */
export interface ServerConfig {
	/** Lower-case letters, digits, dashes; at most 20 characters. Also the serial number. */
	readonly name: string;
	/** The system's UUID, which is its Redfish id as well as what the guest reads from SMBIOS. */
	readonly uuid: string;
	readonly mac: string;
	readonly tap: string;
	/** Directory of the server's files: variable store, consoles, media, QEMU's log. */
	readonly directory: string;
	/** qcow2 file. */
	readonly disk: string;
	readonly diskBytes: number;
	readonly memoryMiB: number;
	/** Firmware at the first power-on; a `BootSourceOverrideMode` changes it from the next one on. */
	readonly firmware: "uefi" | "bios";
	readonly rom: QemuSpec["rom"];
	/** The firmware's own order, used while no override is set. */
	readonly bootOrder: readonly BootDevice[];
}

/** The file that the emulator is started with. Holds the password: mode 0600. */
export interface BmcConfig {
	readonly address: string;
	readonly port: number;
	readonly username: string;
	readonly password: string;
	/** PEM files; with them the emulator speaks HTTPS only. */
	readonly tls?: { readonly certificate: string; readonly key: string } | undefined;
	/** Requests, one JSON object a line, written before the request is acted upon. */
	readonly log: string;
	/** What happened to the servers (power, boots, media), one JSON object a line. */
	readonly events: string;
	/** Unix socket of the switches that are not Redfish, see control.ts. */
	readonly control: string;
	/** Idle time after which a session ends. Default 300. */
	readonly sessionTimeoutSeconds?: number | undefined;
	/** Refuses more sessions than this at once, as real BMCs do. Default 16. */
	readonly maxSessions?: number | undefined;
	readonly faults?: readonly Fault[] | undefined;
	readonly servers: readonly ServerConfig[];
}

/** Reads and checks the emulator's configuration. Errors: `lab-bmc-config`. */
export async function readBmcConfig(path: string): Promise<BmcConfig> {
	const config = JSON.parse(await readFile(path, "utf8")) as BmcConfig;
	for (const { name, uuid } of config.servers) {
		// Both end up in QEMU's comma-separated options and in URLs.
		if (!/^[a-z0-9-]{1,20}$/.test(name) || !/^[0-9a-f-]{36}$/.test(uuid)) {
			throw new IronstrapError({
				code: "lab-bmc-config",
				message: "A server of the emulated BMC has a name or UUID that cannot be used",
				seen: `${name} ${uuid}`,
				fix: "Use at most 20 lower-case letters, digits and dashes, and a lower-case UUID",
			});
		}
	}
	return config;
}
