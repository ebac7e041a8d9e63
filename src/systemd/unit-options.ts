import type { Version } from "./version.ts";

/** What the units' text depends on about the engine. */
export interface UnitEngine {
	readonly kind: "podman" | "docker";
	readonly version: Version;
	readonly selinux: boolean;
	readonly limits: { readonly memory: boolean; readonly pids: boolean };
}

export interface UnitOptions {
	readonly site: string;
	readonly engine: UnitEngine;
	readonly systemd: Version;
	/** The words that run this ironstrap. */
	readonly program: readonly string[];
	/** How long a service may take until it is healthy. */
	readonly startSeconds: number;
}
