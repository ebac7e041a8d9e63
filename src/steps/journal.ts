import { channel } from "node:diagnostics_channel";
import {
	closeSync,
	existsSync,
	fsyncSync,
	ftruncateSync,
	openSync,
	readFileSync,
	renameSync,
	statSync,
	writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { syncDirectory } from "../lib/atomic-file.ts";
import { spaceFault } from "../lib/free-space.ts";

/** What the journal says about a step. `begin` is durable before the step touches anything. */
export type JournalPhase = "begin" | "done" | "failed" | "undo-begin" | "undone";

export interface JournalRecord {
	readonly formatVersion: 1;
	/** Counts from 1 within a journal file, without gaps. */
	readonly seq: number;
	/** Names one run of one command, so that runs can be told apart. */
	readonly run: string;
	readonly command: string;
	readonly step: string;
	readonly phase: JournalPhase;
	/** ISO 8601, UTC. */
	readonly at: string;
}

/** What is published on the diagnostics channel `ironstrap:journal`, synchronously, around each record. */
export interface JournalMoment {
	readonly when: "before" | "after";
	readonly record: JournalRecord;
}

export interface Journal {
	/** Appends a record and returns once it is on the disk. */
	append(step: string, phase: JournalPhase): void;
	close(): void;
}

const journalChannel = channel("ironstrap:journal");
const rotateAtBytes = 4 * 1024 * 1024;

/**
 * Opens a journal for one run of a command: one JSON object a line, each fsync'd before `append` returns.
 * A last line cut off by a crash is removed; a large journal is set aside as `PATH.1` first.
 */
export async function openJournal(path: string, command: string, run: string): Promise<Journal> {
	if (existsSync(path) && statSync(path).size > rotateAtBytes) {
		renameSync(path, `${path}.1`);
		await syncDirectory(dirname(path));
	}
	const known = readRecords(path);
	let seq = known.records.at(-1)?.seq ?? 0;
	const fd = openSync(path, "a", 0o600);
	ftruncateSync(fd, known.bytes);
	return {
		append(step, phase) {
			seq += 1;
			const record: JournalRecord = {
				formatVersion: 1,
				seq,
				run,
				command,
				step,
				phase,
				at: new Date().toISOString(),
			};
			journalChannel.publish({ when: "before", record } satisfies JournalMoment);
			try {
				writeSync(fd, `${JSON.stringify(record)}\n`);
				fsyncSync(fd);
			} catch (error) {
				throw spaceFault(path, error);
			}
			journalChannel.publish({ when: "after", record } satisfies JournalMoment);
		},
		close: () => closeSync(fd),
	};
}

/** The complete records of a journal file, oldest first; none if the file does not exist. */
export function readJournal(path: string): readonly JournalRecord[] {
	return readRecords(path).records;
}

/** `bytes` is the length of the intact part: what follows it is a line that a crash cut off. */
function readRecords(path: string): { records: JournalRecord[]; bytes: number } {
	if (!existsSync(path)) return { records: [], bytes: 0 };
	const text = readFileSync(path, "utf8");
	const records: JournalRecord[] = [];
	let bytes = 0;
	for (const line of text.split("\n").slice(0, -1)) {
		try {
			records.push(JSON.parse(line) as JournalRecord);
		} catch {
			break;
		}
		bytes += Buffer.byteLength(line) + 1;
	}
	return { records, bytes };
}
