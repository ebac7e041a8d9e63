import { join } from "node:path";
import type { DesiredContainer } from "../converge/desired.ts";
import type { Engine } from "../engine/engine.ts";
import { parseProbe, probeCommand } from "../images/probe.ts";
import type { ImageRole } from "../images/sources.ts";
import { ensureDirectory } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { ImageLayout } from "../resources/image-layout.ts";
import { readVersioned, writeVersioned } from "../state/versioned.ts";

/** Raised when a probe finds out more than before. */
const formatVersion = 2;
const deadlineMs = 60_000;
const outputLines = 50;

interface StoredProbe {
	readonly formatVersion: typeof formatVersion;
	readonly layout: ImageLayout;
}

/**
 * What is where in an image that somebody else made: a container of it looks, which may change nothing and reaches
 * nothing. An image never changes, so its answer is kept below `cacheDirectory`. Codes: `image-probe-failed`,
 * `image-incomplete`.
 */
export async function probeImage(
	engine: Engine,
	image: { readonly reference: string; readonly id: string },
	role: ImageRole,
	cacheDirectory: string,
	signal: AbortSignal,
): Promise<ImageLayout> {
	const folder = join(cacheDirectory, "probes");
	const file = join(folder, `${role}-${image.id.replace(/^sha256:/, "")}.json`);
	const known = await readVersioned<StoredProbe>(file, formatVersion);
	if (known?.formatVersion === formatVersion) return known.layout;
	const layout = parseProbe(role, image.reference, await look(engine, image, role, signal));
	await ensureDirectory(cacheDirectory, { mode: 0o755 });
	await ensureDirectory(folder, { mode: 0o755 });
	await writeVersioned(file, { formatVersion, layout } as StoredProbe);
	return layout;
}

async function look(
	engine: Engine,
	image: { readonly reference: string; readonly id: string },
	role: ImageRole,
	signal: AbortSignal,
): Promise<string> {
	const container = probeContainer(image, role);
	const deadline = AbortSignal.timeout(deadlineMs);
	const stop = AbortSignal.any([signal, deadline]);
	try {
		await engine.removeContainer(container.name, 0, stop);
		await engine.createContainer(container, stop);
		await engine.startContainer(container.name, stop);
		await engine.waitForExit(container.name, stop);
		return await engine.logTail(container.name, outputLines, stop);
	} catch (error) {
		if (!deadline.aborted) throw error;
		throw new IronstrapError({
			code: "image-probe-failed",
			message: `a container of ${image.reference} has not told in ${deadlineMs / 1000} s what is in it`,
			fix: "see what the engine is doing, then run this again",
			cause: error,
		});
	} finally {
		// also after an interruption: nobody needs it again
		await engine.removeContainer(container.name, 0, AbortSignal.timeout(30_000));
	}
}

function probeContainer(
	{ id, reference }: { readonly reference: string; readonly id: string },
	role: ImageRole,
) {
	const service = `probe-${role}`;
	return {
		service,
		name: `ironstrap-${service}-${id.replace(/^sha256:/, "").slice(0, 12)}`,
		hash: "",
		files: [],
		labels: {},
		oneShot: true,
		awaits: [],
		networkNames: {},
		volumeNames: {},
		spec: {
			image: reference,
			entrypoint: [],
			command: probeCommand(role),
			user: "0:0",
			network_mode: "none",
			cap_drop: ["ALL"],
			security_opt: ["no-new-privileges:true"],
			read_only: true,
			tmpfs: ["/tmp:mode=1777"],
			restart: "no",
			mem_limit: "512m",
			pids_limit: 64,
		},
	} as const satisfies DesiredContainer;
}
