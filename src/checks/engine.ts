import { type Check, faultsFound } from "./check.ts";

/** Podman or Docker must answer on its API socket. */
export const engineCheck: Check = {
	id: "engine",
	looks: "the container engine",
	why: "the stack consists of containers, and their engine is reached through its API socket alone",
	run: ({ engine }) => faultsFound(engine),
};
