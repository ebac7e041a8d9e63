import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { IronstrapError } from "../lib/errors.ts";
import { type HostStore, openHostStore } from "../state/host-store.ts";
import {
	ensureLayout,
	ensureStateRoot,
	type SitePaths,
	type StateRoots,
	sitePaths,
} from "../state/layout.ts";
import { takeLock } from "../state/lock.ts";
import { openSecretStore, type SecretStore } from "../state/secret-store.ts";
import { sweepLeftovers } from "../state/sweep.ts";
import { persistWaits } from "../state/waits.ts";
import type { EventSink } from "../steps/events.ts";
import { openJournal } from "../steps/journal.ts";
import type { RunOptions } from "../steps/run.ts";

export interface LifecycleOptions {
	readonly roots: StateRoots;
	readonly emit: EventSink;
	readonly signal: AbortSignal;
}

/** A site's state, held by this process alone while a command changes things. */
export interface Session {
	readonly name: string;
	readonly paths: SitePaths;
	/** Where the other sites of this machine remember what its network was like. */
	readonly others: readonly string[];
	readonly secrets: SecretStore;
	readonly hosts: HostStore;
	readonly run: RunOptions;
}

/**
 * Takes the site's lock, clears away what a killed command left, opens the journal, does the work, and lets go of
 * both whatever happens. Nothing of the site is touched before the lock is held: another process may be purging it.
 */
export async function withSession<T>(
	site: string,
	command: string,
	{ emit, roots, signal }: LifecycleOptions,
	work: (session: Session) => Promise<T>,
): Promise<T> {
	const paths = sitePaths(site, roots);
	await ensureStateRoot(roots);
	const lock = await takeLock(paths.lock, command);
	try {
		await sweepLeftovers(paths);
		await ensureLayout(paths, roots);
		const journal = await openJournal(paths.journal, command, randomBytes(6).toString("hex"));
		const keepWaits = persistWaits(paths.waits);
		try {
			return await work({
				name: site,
				paths,
				others: (await knownSites(roots))
					.filter((name) => name !== site)
					.map((name) => sitePaths(name, roots).before),
				secrets: openSecretStore(paths.secretsDirectory),
				hosts: openHostStore(paths.hostsDirectory),
				run: {
					journal,
					signal,
					emit(event) {
						keepWaits(event);
						emit(event);
					},
				},
			});
		} finally {
			journal.close();
		}
	} finally {
		await lock.release();
	}
}

/** The sites that this machine has state of. */
export async function knownSites(roots: StateRoots): Promise<readonly string[]> {
	if (!existsSync(roots.state)) return [];
	const entries = await readdir(roots.state, { withFileTypes: true });
	return entries
		.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
		.map(({ name }) => name);
}

/** The site that a command is about: the named one, or the only one there is. */
export async function chooseSite(wanted: string | undefined, roots: StateRoots): Promise<string> {
	const known = await knownSites(roots);
	if (wanted !== undefined && known.includes(wanted)) return wanted;
	const [only] = known;
	if (wanted === undefined && known.length === 1 && only !== undefined) return only;
	if (wanted === undefined && known.length > 1)
		throw new IronstrapError({
			code: "site-ambiguous",
			message: "there is more than one site on this machine",
			seen: known.join(", "),
			fix: "name one with --site",
		});
	throw new IronstrapError({
		code: "site-unknown",
		message:
			wanted === undefined
				? "there is no site on this machine"
				: `there is no site ${wanted} on this machine`,
		seen: known.length === 0 ? undefined : `sites: ${known.join(", ")}`,
		fix: "`ironstrap up -f …` makes one",
	});
}
