import { randomBytes, timingSafeEqual } from "node:crypto";

export interface Session {
	readonly id: string;
	readonly token: string;
}

export interface Sessions {
	/** undefined: as many as allowed are open already. */
	open(): Session | undefined;
	/** Whether the token belongs to an open session; using it keeps the session alive. */
	accepts(token: string): boolean;
	/** False if there is no such session. */
	close(id: string): boolean;
	ids(): readonly string[];
	/** Forgets all, as a restart of the BMC does. */
	forget(): void;
}

/** The Redfish sessions. `now` gives milliseconds of any monotonic clock. */
export function createSessions(options: {
	timeoutSeconds: number;
	limit: number;
	now: () => number;
}): Sessions {
	const { timeoutSeconds, limit, now } = options;
	const open = new Map<string, { token: string; used: number }>();
	const expire = () => {
		for (const [id, { used }] of open) if (now() - used > timeoutSeconds * 1000) open.delete(id);
	};
	return {
		open() {
			expire();
			if (open.size >= limit) return undefined;
			const session = { id: randomBytes(4).toString("hex"), token: randomBytes(16).toString("hex") };
			open.set(session.id, { token: session.token, used: now() });
			return session;
		},
		accepts(token) {
			expire();
			const session = [...open.values()].find((candidate) => equal(candidate.token, token));
			if (session !== undefined) session.used = now();
			return session !== undefined;
		},
		close: (id) => open.delete(id),
		ids() {
			expire();
			return [...open.keys()];
		},
		forget: () => open.clear(),
	};
}

/** Whether an Authorization header holds these credentials (HTTP Basic). */
export function isBasic(header: string, username: string, password: string): boolean {
	return equal(header, `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`);
}

function equal(a: string, b: string): boolean {
	const [left, right] = [Buffer.from(a), Buffer.from(b)];
	return left.length === right.length && timingSafeEqual(left, right);
}
