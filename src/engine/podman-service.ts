import { spawn } from "node:child_process";
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** For the sockets of services that commands start; 0700, gone with the last of them. */
const directory = "/run/ironstrap-podman";

const START_MS = 20_000;

export type PodmanService = { readonly socket: string } | { readonly refused: string };

let running: Promise<PodmanService> | undefined;

/**
 * Podman's API, started by this process and ended with it, however it ends: the kernel then sends the service SIGTERM.
 * Containers do not notice. Started once, whoever asks.
 */
export function startPodmanService(signal: AbortSignal): Promise<PodmanService> {
	running ??= start(signal);
	return running;
}

async function start(signal: AbortSignal): Promise<PodmanService> {
	if (process.getuid?.() !== 0) return { refused: "its API could be started by root only" };
	await mkdir(directory, { recursive: true, mode: 0o700 });
	forgetDeadServices();
	const socket = join(directory, `${process.pid}.sock`);
	const command = ["podman", "system", "service", "--time", "0", `unix://${socket}`];
	const child = spawn("setpriv", ["--pdeathsig", "TERM", "--", ...command], {
		stdio: ["ignore", "ignore", "pipe"],
		// a terminal's Ctrl-C is for the command, which still needs the service to end well
		detached: true,
	});
	let said = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		said += text;
	});
	const ended = new Promise<string>((resolve) => {
		child.once("error", (error) => resolve(error.message));
		child.once("close", () => resolve(said.trim() || "it ended at once"));
	});
	process.once("exit", () => {
		child.kill("SIGTERM");
		forget(socket);
	});
	const over = new AbortController();
	const listens = listening(socket, AbortSignal.any([signal, over.signal]));
	// whoever loses would go on looking, and keep this process alive for as long
	const outcome = await Promise.race([ended, listens]).finally(() => over.abort());
	// neither must keep this process alive
	child.unref();
	(child.stderr as unknown as { unref(): void }).unref();
	return outcome === undefined ? { socket } : { refused: outcome };
}

/** What stood in the way; `undefined` once the socket is there. */
async function listening(socket: string, signal: AbortSignal): Promise<string | undefined> {
	const end = performance.now() + START_MS;
	while (performance.now() < end) {
		if (existsSync(socket)) return undefined;
		await pause(50, undefined, { signal });
	}
	return `it did not listen within ${START_MS / 1000} s`;
}

/** Of commands that were killed. */
function forgetDeadServices(): void {
	for (const name of readdirSync(directory)) {
		const pid = Number(name.split(".")[0]);
		if (!existsSync(`/proc/${pid}`)) rmSync(join(directory, name), { force: true });
	}
}

function forget(socket: string): void {
	rmSync(socket, { force: true });
	try {
		rmdirSync(directory);
	} catch {
		// another command's is still in it
	}
}
