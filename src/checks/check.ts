import type { Engine } from "../engine/engine.ts";
import { faultsOf } from "../lib/errors.ts";
import type { LocalAddress } from "../linux/links.ts";
import type { Site } from "../resources/site.ts";
import type { Finding } from "../site/finding.ts";

/** One question about the machine. Looking changes nothing. */
export interface Check {
	/** Stable, kebab-case; the file is named after it. */
	readonly id: string;
	/** What it looks at, as a noun: `the provisioning address`. */
	readonly looks: string;
	/** What would go wrong later if nobody looked. */
	readonly why: string;
	/** Nothing found: all is well. Each finding says what was seen and what to do; an error keeps `up` from starting. */
	readonly run: (context: CheckContext) => Promise<readonly Finding[]>;
}

/** What a check is given. */
export interface CheckContext {
	readonly site: Site;
	readonly local: readonly LocalAddress[];
	/** Connects once, whoever asks first; throws what the engine check reports. */
	readonly engine: () => Promise<Engine>;
	readonly signal: AbortSignal;
}

/** Runs what throws `IronstrapError` as a look: its faults are the findings. */
export async function faultsFound(look: () => unknown): Promise<readonly Finding[]> {
	try {
		await look();
		return [];
	} catch (error) {
		return faultsOf(error).map(({ code, message, where, subject, seen, fix }) => ({
			code,
			severity: "error",
			message,
			where,
			subject,
			seen,
			fix,
		}));
	}
}
