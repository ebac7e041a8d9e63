import { join } from "node:path";
import { ensureDirectory } from "../lib/atomic-file.ts";

/** The three trees that ironstrap owns on the bootstrap machine. */
export interface StateRoots {
	/** Survives everything but `down --purge`. */
	readonly state: string;
	/** What containers mount, sockets, waits: gone after `down` or a reboot. */
	readonly run: string;
	/** Downloads and built images: they can be removed at any time. */
	readonly cache: string;
}

export const defaultRoots: StateRoots = {
	state: "/var/lib/ironstrap",
	run: "/run/ironstrap",
	cache: "/var/cache/ironstrap",
};

export interface SitePaths {
	readonly stateDirectory: string;
	readonly secretsDirectory: string;
	readonly hostsDirectory: string;
	readonly journal: string;
	readonly lock: string;
	/** The site as applied, without its Secrets. */
	readonly applied: string;
	readonly pins: string;
	/** Which container engine has the stack. */
	readonly engine: string;
	/** Which versions of Ironic and MariaDB had the database last. */
	readonly served: string;
	/** The hand-over to a cluster, from its start on. */
	readonly pivot: string;
	/** A restored database that is not loaded yet: what it must come to, and its dump. */
	readonly pendingDatabase: string;
	readonly pendingDump: string;
	/** What a command needs only while it runs; may hold secrets. */
	readonly scratchDirectory: string;
	/** Where the state directory goes, in one step, when the site is purged. */
	readonly removedDirectory: string;
	/** What the machine's network was like before the site's first `up`. */
	readonly before: string;
	/** Servers that were let in by command. */
	readonly admitted: string;
	/** What was opened in the machine's own firewall, and how it is closed again. */
	readonly firewall: string;
	readonly runDirectory: string;
	readonly waits: string;
	/** The fence's ruleset, for as long as it is to stand. */
	readonly fence: string;
	/** There once configuration, networks and fence are as the units need them. */
	readonly prepared: string;
	/** Addresses that host names in the site were seen to have. */
	readonly names: string;
	readonly cacheDirectory: string;
}

export function sitePaths(site: string, roots: StateRoots): SitePaths {
	const stateDirectory = join(roots.state, site);
	const runDirectory = join(roots.run, site);
	return {
		stateDirectory,
		secretsDirectory: join(stateDirectory, "secrets"),
		hostsDirectory: join(stateDirectory, "hosts"),
		journal: join(stateDirectory, "journal.jsonl"),
		lock: join(roots.state, `.${site}.lock`),
		applied: join(stateDirectory, "site.yaml"),
		pins: join(stateDirectory, "pins.json"),
		engine: join(stateDirectory, "engine.json"),
		served: join(stateDirectory, "served.json"),
		pivot: join(stateDirectory, "pivot.json"),
		pendingDatabase: join(stateDirectory, "restored.json"),
		pendingDump: join(stateDirectory, "restored.sql"),
		scratchDirectory: join(stateDirectory, "scratch"),
		removedDirectory: join(roots.state, `.${site}.removed`),
		before: join(stateDirectory, "before.json"),
		admitted: join(stateDirectory, "admitted.json"),
		firewall: join(stateDirectory, "firewall.json"),
		runDirectory,
		waits: join(runDirectory, "waits.json"),
		fence: join(runDirectory, "fence.nft"),
		prepared: join(runDirectory, "prepared"),
		names: join(runDirectory, "names.json"),
		cacheDirectory: roots.cache,
	};
}

/** Creates what the lock of a site needs; everything else is made by its holder. */
export async function ensureStateRoot(roots: StateRoots): Promise<void> {
	await ensureDirectory(roots.state, { mode: 0o700 });
}

/** Creates what is missing and corrects modes: 0700 for everything of the site, 0755 for the cache. */
export async function ensureLayout(paths: SitePaths, roots: StateRoots): Promise<void> {
	for (const directory of [paths.stateDirectory, paths.secretsDirectory, paths.hostsDirectory])
		await ensureDirectory(directory, { mode: 0o700 });
	for (const directory of [roots.run, paths.runDirectory]) await ensureDirectory(directory, { mode: 0o700 });
	await ensureDirectory(roots.cache, { mode: 0o755 });
}
