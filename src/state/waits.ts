import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { EventSink, WaitState } from "../steps/events.ts";

interface WaitsFile {
	readonly formatVersion: 1;
	/** The process that waits: if it is gone, so are its waits. */
	readonly pid: number;
	readonly waits: readonly WaitState[];
}

/**
 * A sink that keeps what is being waited for in a file, so that `status` in another process can show it. It is a
 * convenience, not state: written without fsync, ignored when its process is gone, and there only during a wait.
 */
export function persistWaits(path: string): EventSink {
	const waits = new Map<string, WaitState>();
	const save = () => {
		if (waits.size === 0) return rmSync(path, { force: true });
		const file: WaitsFile = { formatVersion: 1, pid: process.pid, waits: [...waits.values()] };
		try {
			writeFileSync(`${path}.tmp`, JSON.stringify(file), { mode: 0o600 });
			renameSync(`${path}.tmp`, path);
		} catch (error) {
			// the run directory is not there yet, is just being removed by `down`, or is full: what matters says so
			if (!["ENOENT", "ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
		}
	};
	return (event) => {
		if (event.type === "waiting") waits.set(event.wait.id, event.wait);
		else if (event.type === "wait-over") waits.delete(event.id);
		else return;
		save();
	};
}

/** What a living process is waiting for now; empty when there is none. */
export function readWaits(path: string): readonly WaitState[] {
	try {
		const file = JSON.parse(readFileSync(path, "utf8")) as WaitsFile;
		process.kill(file.pid, 0);
		return file.waits;
	} catch {
		return [];
	}
}
