import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/*
 * What can outlive a kill -9: temporary folders of test runs, the laboratory's work directories, and the control groups of
 * its sandboxes (a process, a mount or a network cannot). Each carries its owner in its name, as lab/owner.ts writes it:
 *
 *   ironstrap-lab-PIDNS-PID-START…   inode of the PID namespace, process id in there, its start time (proc(5), field 22)
 */
const tagged = /^ironstrap-lab-(?<namespace>\d+)-(?<pid>\d+)-(?<start>\d+)(?:-|$)/;

/** The name that says that a folder is this process's. */
export function ownerTag() {
	return `ironstrap-lab-${namespaceOf("self")}-${process.pid}-${startTime("self")}`;
}

/** Removes what dead runs left; returns the paths. What belongs to a living process, or to nobody for certain, stays. */
export function sweep({ folders = ["/var/tmp", tmpdir()], cgroupRoot = "/sys/fs/cgroup" } = {}) {
	const namespaces = livingNamespaces();
	const dead = (parent) => leftBehind(parent, namespaces);
	return [
		...folders.flatMap(dead).filter(removeFiles),
		...hierarchiesOf(cgroupRoot).flatMap(dead).filter(removeCgroup),
	];
}

function leftBehind(parent, namespaces) {
	if (!existsSync(parent)) return [];
	return readdirSync(parent)
		.filter((name) => {
			const owner = tagged.exec(name)?.groups;
			return owner !== undefined && isGone(owner, namespaces);
		})
		.map((name) => join(parent, name));
}

/** A process is judged in this namespace alone; those of another one are gone when nobody lives in it any more. */
function isGone({ namespace, pid, start }, namespaces) {
	if (namespace === namespaceOf("self")) return startTime(pid) !== start;
	return !namespaces.has(namespace);
}

function livingNamespaces() {
	const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
	return new Set(processes.map(namespaceOf));
}

function namespaceOf(pid) {
	try {
		return readlinkSync(`/proc/${pid}/ns/pid`).replaceAll(/\D/g, "");
	} catch {
		return undefined; // it ended while we looked
	}
}

function startTime(pid) {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
	} catch {
		return undefined;
	}
}

function removeFiles(path) {
	// Never into a file system that is still mounted there.
	execFileSync("rm", ["-rf", "--one-file-system", path], { stdio: ["ignore", "ignore", "inherit"] });
	return !existsSync(path);
}

/** The mount points of version 1, or the one of version 2. */
function hierarchiesOf(root) {
	if (existsSync(join(root, "cgroup.procs"))) return [root];
	if (!existsSync(root)) return [];
	return readdirSync(root)
		.map((name) => join(root, name))
		.filter((path) => lstatSync(path).isDirectory());
}

/** Children first. A group in which a process lives refuses. */
function removeCgroup(path) {
	try {
		for (const entry of readdirSync(path, { withFileTypes: true })) {
			if (entry.isDirectory()) removeCgroup(join(path, entry.name));
		}
		rmdirSync(path);
		return true;
	} catch {
		return false;
	}
}
