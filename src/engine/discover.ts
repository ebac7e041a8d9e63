import { stat } from "node:fs/promises";
import { release } from "node:os";
import Docker from "dockerode";
import { IronstrapError } from "../lib/errors.ts";
import { type Candidate, candidates, type EngineWish } from "./candidates.ts";
import type { EngineInfo } from "./engine.ts";
import { engineMessage } from "./failures.ts";
import { engineInfo } from "./info.ts";
import { failOnLostConnection } from "./lost-connection.ts";
import { startPodmanService } from "./podman-service.ts";

export interface FoundEngine {
	readonly docker: Docker;
	readonly socket: string;
	readonly info: EngineInfo;
}

/** Tries one place after another; the error tells all of them and why each does not serve. */
export async function discoverEngine(wish: EngineWish, signal: AbortSignal): Promise<FoundEngine> {
	const tried: string[] = [];
	for (const candidate of candidates(wish)) {
		const outcome = await tryCandidate(candidate, wish, signal);
		if (typeof outcome !== "string") return outcome;
		tried.push(`${candidate.source} (${candidate.socket}): ${outcome}`);
	}
	const started = await tryOwnService(wish, signal);
	if (typeof started === "object") return started;
	if (started !== undefined) tried.push(`Podman, without its API running: ${started}`);
	throw new IronstrapError({
		code: "engine-not-found",
		message:
			wish.kind === "auto"
				? "no container engine answers on this machine"
				: `${wish.kind === "podman" ? "Podman" : "Docker"} does not answer on this machine`,
		seen: tried.join("; "),
		fix: "start Podman's API (`systemctl enable --now podman.socket`) or Docker (`systemctl enable --now docker`), or name the socket in Bootstrap.spec.engine.socket",
	});
}

/** Podman needs no daemon: where it is installed, its API can be started for one command. */
async function tryOwnService(
	wish: EngineWish,
	signal: AbortSignal,
): Promise<FoundEngine | string | undefined> {
	if (wish.startService !== true || wish.socket !== undefined || wish.kind === "docker") return undefined;
	const service = await startPodmanService(signal);
	if ("refused" in service) return service.refused;
	return tryCandidate({ source: "Podman", socket: service.socket }, wish, signal);
}

async function tryCandidate(
	{ socket, refused }: Candidate,
	{ kind }: EngineWish,
	signal: AbortSignal,
): Promise<FoundEngine | string> {
	if (refused !== undefined) return refused;
	try {
		const { isSocket } = await stat(socket).then((found) => ({ isSocket: found.isSocket() }));
		if (!isSocket) return "it is no socket";
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "ENOENT"
			? "it does not exist"
			: (error as Error).message;
	}
	const docker = new Docker({ socketPath: socket });
	failOnLostConnection(docker, socket);
	try {
		const info = await engineInfo(docker, AbortSignal.any([signal, AbortSignal.timeout(20_000)]));
		if (kind !== "auto" && info.kind !== kind) return `it is ${info.kind} ${info.version}, not ${kind}`;
		return unfit(info) ?? { docker, socket, info };
	} catch (error) {
		signal.throwIfAborted();
		return error instanceof IronstrapError ? `${error.message}: ${error.seen ?? ""}` : engineMessage(error);
	}
}

/** Why an engine that answers cannot run a stack here; `undefined` if it can. */
function unfit({ kernel, kind, remapped, rootless, system }: EngineInfo): string | undefined {
	if (system === "Docker Desktop" || (kernel !== undefined && kernel !== release()))
		return `its containers run in a virtual machine or elsewhere (${system ?? kind}, Linux ${kernel ?? "unknown"}; this machine has ${release()}), where no DHCP request of a server arrives and this machine's files are not`;
	if (rootless) return `${kind} runs there without root, and DHCP needs the machine's own network`;
	if (remapped === true)
		return `${kind} gives its containers other users than this machine's (userns-remap), who may not read the stack's files`;
	return undefined;
}
