import { createHash } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import type { ServerConfig } from "../bmc/config.ts";

/** What a test may say about a server; everything has a default. */
export interface ServerOptions {
	/** Default `s0`, `s1`, … At most 20 lower-case letters, digits and dashes. */
	readonly name?: string | undefined;
	readonly firmware?: ServerConfig["firmware"] | undefined;
	/** Default 2048. */
	readonly memoryMiB?: number | undefined;
	/** Default 20. */
	readonly diskGiB?: number | undefined;
	/** qcow2 image that the disk starts as a copy-on-write child of; default an empty disk. */
	readonly baseImage?: string | undefined;
	/** Option ROM of the network card. Default `ipxe`. */
	readonly rom?: ServerConfig["rom"] | undefined;
	/** The firmware's own boot order. Default disk, network, cd. */
	readonly bootOrder?: ServerConfig["bootOrder"] | undefined;
}

/** Completes a server's options. `index` numbers the servers of a lab from 0; pure. */
export function serverConfig(options: ServerOptions, index: number, workDirectory: string): ServerConfig {
	const name = options.name ?? `s${index}`;
	const directory = join(workDirectory, name);
	return {
		name,
		uuid: uuidOf(name),
		mac: `52:54:00:ab:00:${(index + 1).toString(16).padStart(2, "0")}`,
		tap: `tap-s${index}`,
		directory,
		disk: join(directory, "disk.qcow2"),
		diskBytes: (options.diskGiB ?? 20) * 1024 ** 3,
		memoryMiB: options.memoryMiB ?? 2048,
		firmware: options.firmware ?? "uefi",
		rom: options.rom ?? "ipxe",
		bootOrder: options.bootOrder ?? ["disk", "network", "cd"],
	};
}

/** Creates the server's directory and its disk. */
export async function createServerFiles(config: ServerConfig, baseImage: string | undefined): Promise<void> {
	await mkdir(config.directory, { recursive: true });
	const base = baseImage === undefined ? [] : ["-b", baseImage, "-F", "qcow2"];
	await execa("qemu-img", ["create", "-q", "-f", "qcow2", ...base, config.disk, String(config.diskBytes)]);
}

/** The console logs of a server, oldest first: one a power-on. */
export async function consoleFiles({ directory }: ServerConfig): Promise<string[]> {
	const numbers = (await readdir(directory))
		.map((name) => /^console-(\d+)\.log$/.exec(name)?.[1])
		.filter((number) => number !== undefined)
		.map(Number)
		.sort((a, b) => a - b);
	return numbers.map((number) => join(directory, `console-${number}.log`));
}

/** What the guest wrote since power-on `number` (default: the latest); empty before the first. */
export async function readConsole(config: ServerConfig, number?: number): Promise<string> {
	const file =
		number === undefined
			? (await consoleFiles(config)).at(-1)
			: join(config.directory, `console-${number}.log`);
	return file === undefined ? "" : readFile(file, "utf8");
}

/** The same name has the same UUID in every lab (version 8: our own scheme, RFC 9562). */
function uuidOf(name: string): string {
	const hex = createHash("sha256").update(`ironstrap-lab ${name}`).digest("hex");
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
