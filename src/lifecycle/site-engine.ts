import { connectEngine } from "../engine/connect.ts";
import type { Engine, EngineInfo } from "../engine/engine.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { BootstrapSpec } from "../resources/bootstrap.ts";
import type { SitePaths } from "../state/layout.ts";
import { readVersioned, writeVersioned } from "../state/versioned.ts";
import type { Step } from "../steps/step.ts";

/** Which of the two has a site's containers and volumes, from its first `up` until it is purged. */
interface EnginePin {
	readonly formatVersion: 1;
	readonly kind: EngineInfo["kind"];
}

/**
 * The engine that has a site's stack, or that would get it. Where both are installed, the one that answers first may be
 * another one tomorrow: the site's volumes, and containers that `down` must find, are not there. Errors:
 * `engine-changed`, and those of `connectEngine`.
 */
export async function connectSiteEngine(
	wish: BootstrapSpec["engine"],
	paths: SitePaths,
	signal: AbortSignal,
): Promise<Engine> {
	const pin = await readVersioned<EnginePin>(paths.engine, 1);
	if (pin !== undefined && wish.kind !== "auto" && wish.kind !== pin.kind)
		throw new IronstrapError({
			code: "engine-changed",
			message: `the site asks for ${wish.kind}, but its stack and its database are on ${pin.kind}`,
			fix: `set Bootstrap.spec.engine.kind back to ${pin.kind} (or auto), or begin anew with \`ironstrap down --purge\``,
		});
	return connectEngine({ ...wish, kind: pin?.kind ?? wish.kind, environment: process.env }, signal);
}

/** Before the first thing is made on the engine. */
export function pinEngineStep(engine: Engine, paths: SitePaths): Step<undefined> {
	const kindNow = async (signal: AbortSignal) => (await engine.info(signal)).kind;
	return {
		id: "site:engine",
		title: "remember the container engine",
		done: async (_context, { signal }) =>
			(await readVersioned<EnginePin>(paths.engine, 1))?.kind === (await kindNow(signal)),
		do: async (_context, { signal }) =>
			writeVersioned(paths.engine, { formatVersion: 1, kind: await kindNow(signal) } as EnginePin),
	};
}
