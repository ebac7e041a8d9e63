import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { BareMetalHostStatus } from "../resources/bare-metal-host.ts";
import type { HardwareDetails } from "../resources/hardware-data.ts";
import { readVersioned, writeVersioned } from "./versioned.ts";

/** An address that a server is leased without end. */
export interface KeptAddress {
	/** Lower case. */
	readonly mac: string;
	readonly address: string;
}

/** What is known of a host: shaped like BMO's status, so that a pivot copies instead of translating. */
export interface StoredHost {
	readonly formatVersion: 1;
	readonly namespace: string;
	readonly name: string;
	/** Without `hardware`, which is kept apart as BMO keeps it in HardwareData. */
	readonly status: BareMetalHostStatus;
	readonly hardware?: HardwareDetails | undefined;
	/** A newer inspection than that of `hardware` is asked for. */
	readonly refreshing?: boolean | undefined;
	/** One-shot annotations that were answered, as `NAME=VALUE`; a cluster would take them off the object. */
	readonly answered?: readonly string[] | undefined;
	/** Keyed hash over the BMC's address and credentials that Ironic was given last. */
	readonly access?: string | undefined;
	/** Of a deployed server, by MAC address. */
	readonly addresses?: readonly KeptAddress[] | undefined;
}

export interface HostName {
	readonly namespace: string;
	readonly name: string;
}

export interface HostStore {
	read(host: HostName): Promise<StoredHost | undefined>;
	write(host: HostName, stored: StoredHost): Promise<void>;
	remove(host: HostName): Promise<void>;
	list(): Promise<readonly StoredHost[]>;
}

/** Opens the folder that holds one file a host, named `NAMESPACE~NAME.json` as its Ironic node is named. */
export function openHostStore(directory: string): HostStore {
	const fileOf = ({ namespace, name }: HostName) => join(directory, `${namespace}~${name}.json`);
	return {
		read: (host) => readVersioned<StoredHost>(fileOf(host), 1),
		write: (host, stored) => writeVersioned(fileOf(host), stored),
		async remove(host) {
			await unlink(fileOf(host)).catch((error: NodeJS.ErrnoException) => {
				if (error.code !== "ENOENT") throw error;
			});
		},
		async list() {
			const files = await readdir(directory).catch(() => []);
			const stored: StoredHost[] = [];
			for (const file of files.filter((name) => name.endsWith(".json")).sort()) {
				const host = await readVersioned<StoredHost>(join(directory, file), 1);
				if (host !== undefined) stored.push(host);
			}
			return stored;
		},
	};
}
