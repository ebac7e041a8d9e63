import type { Engine } from "../engine/engine.ts";
import { type Check, faultsFound } from "./check.ts";

/** Podman or Docker answers on its API socket. Code: `engine-not-found`. */
export function engineAnswers(engine: () => Promise<Engine>): Check {
	return {
		id: "engine",
		why: "the stack consists of containers, and their engine is reached through its API socket alone",
		look: () => faultsFound(engine),
	};
}
