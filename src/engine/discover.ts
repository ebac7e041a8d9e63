import { stat } from "node:fs/promises";
import Docker from "dockerode";
import { IronstrapError } from "../lib/errors.ts";
import type { EngineInfo } from "./engine.ts";
import { engineMessage } from "./failures.ts";
import { engineInfo } from "./info.ts";
import { failOnLostConnection } from "./lost-connection.ts";

export interface EngineWish {
	readonly kind: "auto" | "podman" | "docker";
	/** The site's own socket: nothing else is tried then. */
	readonly socket?: string | undefined;
	readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface FoundEngine {
	readonly docker: Docker;
	readonly socket: string;
	readonly info: EngineInfo;
}

/** A place to look, and why; `refused` when its address is none that we can use. */
export interface Candidate {
	readonly source: string;
	readonly socket: string;
	readonly refused?: string;
}

/** Tries one place after another; the error tells all of them and why each does not serve. */
export async function discoverEngine(wish: EngineWish, signal: AbortSignal): Promise<FoundEngine> {
	const tried: string[] = [];
	for (const candidate of candidates(wish)) {
		const outcome = await tryCandidate(candidate, wish, signal);
		if (typeof outcome !== "string") return outcome;
		tried.push(`${candidate.source} (${candidate.socket}): ${outcome}`);
	}
	throw new IronstrapError({
		code: "engine-not-found",
		message:
			wish.kind === "auto"
				? "no container engine answers on this machine"
				: `no ${wish.kind} answers on this machine`,
		seen: tried.join("; "),
		fix: "start Podman's API (`systemctl enable --now podman.socket`) or Docker (`systemctl enable --now docker`), or name the socket in Bootstrap.spec.engine.socket",
	});
}

export function candidates({ socket, environment }: EngineWish): readonly Candidate[] {
	if (socket !== undefined) return [{ source: "Bootstrap.spec.engine.socket", socket }];
	const fromEnvironment = ["DOCKER_HOST", "CONTAINER_HOST"].flatMap((name): Candidate[] => {
		const value = environment[name];
		if (value === undefined || value === "") return [];
		const path = /^unix:\/\/(\/.+)$/.exec(value)?.[1];
		if (path !== undefined) return [{ source: name, socket: path }];
		return [
			{
				source: name,
				socket: value,
				refused: "the stack mounts this machine's files: a unix:// socket is needed",
			},
		];
	});
	const usual = [
		["Podman", "/run/podman/podman.sock"],
		["Docker", "/run/docker.sock"],
		["Docker", "/var/run/docker.sock"],
	].map(([source, path]) => ({ source: `${source}'s usual socket`, socket: path as string }));
	const known = [...fromEnvironment, ...usual];
	return known.filter((each, index) => known.findIndex((other) => other.socket === each.socket) === index);
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
		if (info.rootless)
			return `${info.kind} runs there without root, and DHCP needs the machine's own network`;
		return { docker, socket, info };
	} catch (error) {
		signal.throwIfAborted();
		return error instanceof IronstrapError ? `${error.message}: ${error.seen ?? ""}` : engineMessage(error);
	}
}
