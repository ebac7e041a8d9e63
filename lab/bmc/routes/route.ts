import type { Answer } from "../answers.ts";
import type { BmcConfig } from "../config.ts";
import type { Faults } from "../faults.ts";
import type { Sessions } from "../sessions.ts";
import type { System } from "../system.ts";

/** The emulated BMC's inner state, as the routes see it. */
export interface Bmc {
	readonly config: BmcConfig;
	/** By UUID, which is the system's Redfish id. Its name is the id of its manager and its chassis. */
	readonly systems: ReadonlyMap<string, System>;
	readonly sessions: Sessions;
	readonly faults: Faults;
}

export interface BmcRequest {
	readonly bmc: Bmc;
	readonly method: string;
	readonly path: string;
	/** Values of the `:name` parts of the route. */
	readonly params: Readonly<Record<string, string>>;
	readonly body: Readonly<Record<string, unknown>>;
}

export type Handler = (request: BmcRequest) => Answer | Promise<Answer>;

/** A resource: its path with `:name` parts, and what can be done to it. */
export interface Route {
	readonly path: string;
	/** true: without authentication. */
	readonly open?: boolean;
	readonly GET?: Handler;
	readonly POST?: Handler;
	readonly PATCH?: Handler;
	readonly DELETE?: Handler;
}

export const REDFISH = "/redfish/v1";

/** The route of a path and the values of its variable parts. */
export function findRoute(
	routes: readonly Route[],
	path: string,
): { route: Route; params: Readonly<Record<string, string>> } | undefined {
	const parts = path.split("/");
	for (const route of routes) {
		const params = match(route.path.split("/"), parts);
		if (params !== undefined) return { route, params };
	}
	return undefined;
}

function match(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
	if (pattern.length !== parts.length) return undefined;
	const params: Record<string, string> = {};
	for (const [index, expected] of pattern.entries()) {
		const part = parts[index] ?? "";
		if (expected.startsWith(":")) params[expected.slice(1)] = decodeURIComponent(part);
		else if (expected !== part) return undefined;
	}
	return params;
}
