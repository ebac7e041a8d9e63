import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { IronstrapError } from "../lib/errors.ts";
import { type IpLink, type IpRoute, interpretLinks, type MachineInterface, type SysLink } from "./ip-json.ts";

/** Runs `ip` with these arguments and returns what it prints. */
export type RunIp = (args: readonly string[], signal: AbortSignal) => Promise<string>;

export interface LookOptions {
	readonly signal: AbortSignal;
	/** Where /sys and /proc are; another root for tests. Default `/`. */
	readonly root?: string | undefined;
	readonly ip?: RunIp | undefined;
}

/** Every interface of this machine but loopback. Changes nothing, needs no root. Errors: `interfaces-unreadable`. */
export async function lookAtInterfaces(options: LookOptions): Promise<readonly MachineInterface[]> {
	const { signal, root = "/", ip = runIp } = options;
	const [links, routes, sys] = await Promise.all([
		ip(["-json", "-details", "address", "show"], signal),
		ip(["-json", "-4", "route", "show", "default"], signal),
		readSys(join(root, "sys/class/net")),
	]);
	try {
		return interpretLinks(parseList<IpLink>(links), parseList<IpRoute>(routes), sys);
	} catch (error) {
		throw new IronstrapError({
			code: "interfaces-unreadable",
			message: "`ip -json` printed something that is no list of interfaces",
			seen: links.slice(0, 200),
			fix: "install a current iproute2",
			cause: error,
		});
	}
}

/** The list that `ip -json ARGS` prints; empty where the command fails, as for an interface that is gone. */
export async function ipJson<T>(args: readonly string[], signal: AbortSignal): Promise<readonly T[]> {
	try {
		return parseList<T>(await runIp(["-json", ...args], signal));
	} catch {
		signal.throwIfAborted();
		return [];
	}
}

async function runIp(args: readonly string[], signal: AbortSignal): Promise<string> {
	try {
		const { stdout } = await execa("ip", args, { stdin: "ignore", timeout: 10_000, cancelSignal: signal });
		return stdout;
	} catch (error) {
		signal.throwIfAborted();
		throw new IronstrapError({
			code: "interfaces-unreadable",
			message: "the interfaces of this machine cannot be listed",
			seen: error instanceof Error ? error.message : String(error),
			fix: "install iproute2 (the `ip` command)",
			cause: error,
		});
	}
}

/** iproute2 prints nothing at all where the list is empty. */
function parseList<T>(text: string): readonly T[] {
	const value: unknown = JSON.parse(text.trim() === "" ? "[]" : text);
	if (!Array.isArray(value)) throw new TypeError("not a list");
	// versions of iproute2 print {} for what they leave out
	return (value as T[]).filter((each) => Object.keys(each as object).length > 0);
}

async function readSys(directory: string): Promise<Readonly<Record<string, SysLink>>> {
	const names = await readdir(directory).catch(() => []);
	const entries = await Promise.all(
		names.map(async (name) => {
			const files = new Set(await readdir(join(directory, name)).catch(() => []));
			const [speed, carrier] = await Promise.all([
				numberFile(join(directory, name, "speed")),
				numberFile(join(directory, name, "carrier")),
			]);
			const facts: SysLink = {
				wireless: files.has("wireless") || files.has("phy80211"),
				hardware: files.has("device"),
				// -1 and 4294967295: unknown
				speedMbps: speed !== undefined && speed > 0 && speed < 4_294_967_295 ? speed : undefined,
				carrier: carrier === undefined ? undefined : carrier === 1,
			};
			return [name, facts] as const;
		}),
	);
	return Object.fromEntries(entries);
}

/** `undefined` where the kernel answers EINVAL, which it does for an interface that is switched off. */
async function numberFile(path: string): Promise<number | undefined> {
	const text = await readFile(path, "utf8").catch(() => "");
	return /^-?\d+\s*$/.test(text) ? Number(text) : undefined;
}
