import { readFileSync, readlinkSync } from "node:fs";

/**
 * Whose a left-over is. Things that outlive a killed process (cgroup directories, work directories) carry the
 * owner in their name, so that a later start removes exactly what a dead lab left and nothing else.
 *
 * Form: `PIDNS-PID-START`: inode of the PID namespace, process id, start time in clock ticks since boot. The start
 * time tells a reused process id apart; the namespace keeps a nested lab from judging processes it cannot see.
 */
export function ownerTag(pid: number = process.pid): string {
	return `${pidNamespace()}-${pid}-${startTime(pid)}`;
}

/** True if the tagged process is gone for certain; a tag of another PID namespace is never judged. */
export function ownerIsGone(tag: string): boolean {
	const [namespace, pid, start] = tag.split("-");
	if (namespace !== pidNamespace() || pid === undefined) return false;
	return startTime(Number(pid)) !== start;
}

function pidNamespace(): string {
	return readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "");
}

/** Field 22 of /proc/PID/stat (proc(5)); the process name in field 2 may contain blanks and parentheses. */
function startTime(pid: number): string | undefined {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
	} catch {
		return undefined;
	}
}
