import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { readVersioned, writeVersioned } from "./versioned.ts";

interface StoredSecret {
	readonly formatVersion: 1;
	readonly value: string;
}

/** Secrets that ironstrap made or was given, one file each, 0600 in a 0700 directory. */
export interface SecretStore {
	read(name: string): Promise<string | undefined>;
	write(name: string, value: string): Promise<void>;
	/** The stored secret, or a new one that is stored before it is returned. */
	ensure(name: string, make: () => string | Promise<string>): Promise<string>;
	remove(name: string): Promise<void>;
	list(): Promise<readonly string[]>;
}

export function openSecretStore(directory: string): SecretStore {
	const fileOf = (name: string) => join(directory, `${name}.json`);
	const read = async (name: string) => (await readVersioned<StoredSecret>(fileOf(name), 1))?.value;
	const write = (name: string, value: string) =>
		writeVersioned(fileOf(name), { formatVersion: 1, value } as StoredSecret);
	return {
		read,
		write,
		async ensure(name, make) {
			const known = await read(name);
			if (known !== undefined) return known;
			const value = await make();
			await write(name, value);
			return value;
		},
		async remove(name) {
			await unlink(fileOf(name)).catch((error: NodeJS.ErrnoException) => {
				if (error.code !== "ENOENT") throw error;
			});
		},
		async list() {
			const files = await readdir(directory).catch(() => []);
			return files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length));
		},
	};
}
