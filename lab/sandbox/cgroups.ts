import {
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmdirSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ownerIsGone, ownerTag } from "../owner.ts";
import { until } from "../until.ts";

/*
 * Every sandbox has a control group of its own in each hierarchy of the machine, and a cgroup namespace rooted
 * there. What Podman makes (`libpod_parent/libpod-ID`) lies below it, so it can be told whose it is, also after a
 * kill -9, and two sandboxes at once never touch each other's.
 */

const ROOT = "/sys/fs/cgroup";
const PREFIX = "ironstrap-lab-";

export interface SandboxCgroups {
	/** Name of the directory in each hierarchy. */
	readonly name: string;
	/** The directories, outside names. */
	readonly directories: readonly string[];
	/** True for the unified hierarchy (v2) mounted at /sys/fs/cgroup itself. */
	readonly unified: boolean;
}

/** Creates one directory per hierarchy, named after this process. */
export function createCgroups(sequence: number): SandboxCgroups {
	const name = `${PREFIX}${ownerTag()}-${sequence}`;
	const directories = hierarchies().map((hierarchy) => {
		const directory = join(hierarchy, name);
		mkdirSync(directory, { recursive: true });
		// A new cpuset is empty, and no process can enter an empty one (cgroup v1).
		for (const file of ["cpuset.cpus", "cpuset.mems"]) {
			if (existsSync(join(hierarchy, file)) && !isUnified()) {
				writeFileSync(join(directory, file), readFileSync(join(hierarchy, file)));
			}
		}
		return directory;
	});
	return { name, directories, unified: isUnified() };
}

/**
 * The root of a v2 tree that hands controllers to its children may hold no process itself: the sandbox's first
 * processes move into a leaf. Nothing to do for v1.
 */
export function leaveCgroupRoot(cgroups: SandboxCgroups, pids: readonly number[]): void {
	if (!cgroups.unified) return;
	for (const directory of cgroups.directories) {
		mkdirSync(join(directory, "init"), { recursive: true });
		for (const pid of pids) writeFileSync(join(directory, "init", "cgroup.procs"), String(pid));
	}
}

/** Removes a sandbox's control groups; the kernel needs a moment after the last process is gone. */
export async function removeCgroups(cgroups: SandboxCgroups): Promise<void> {
	await until(() => cgroups.directories.every(removeTree), {
		what: `the control groups ${cgroups.name} to be empty`,
		deadlineMs: 5000,
	});
}

/** Removes the control groups that sandboxes of dead processes left. Never those of a living one. */
export function sweepCgroups(): void {
	for (const hierarchy of hierarchies()) {
		for (const name of readdirSync(hierarchy)) {
			if (name.startsWith(PREFIX) && ownerIsGone(name.slice(PREFIX.length)))
				removeTree(join(hierarchy, name));
		}
	}
}

function isUnified(): boolean {
	return existsSync(join(ROOT, "cgroup.procs"));
}

function hierarchies(): string[] {
	if (isUnified()) return [ROOT];
	return readdirSync(ROOT)
		.map((name) => join(ROOT, name))
		.filter((path) => !lstatSync(path).isSymbolicLink() && existsSync(join(path, "cgroup.procs")));
}

/** True once nothing is left; only rmdir: a group that still has processes stays (EBUSY). */
function removeTree(directory: string): boolean {
	if (!existsSync(directory)) return true;
	try {
		for (const entry of readdirSync(directory, { withFileTypes: true })) {
			if (entry.isDirectory() && !removeTree(join(directory, entry.name))) return false;
		}
		rmdirSync(directory);
		return true;
	} catch {
		return !existsSync(directory);
	}
}
