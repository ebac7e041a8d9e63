import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** What is known about an image archive; lies beside it with the ending `.json`. */
export interface ArchiveRecord {
	readonly format: 1;
	readonly name: string;
	/** Upstream version, the image's tag. */
	readonly version: string;
	readonly key: string;
	readonly suite: string;
	readonly imageId: string;
	readonly tags: readonly string[];
	readonly bytes: number;
	readonly sha256: string;
	/** The packages that were asked for, with their exact versions. */
	readonly packages: Readonly<Record<string, string>>;
}

/** `ironic-29.0.5-0123456789abcdef`: the common part of the archive's and the record's file name. */
export function archiveStem({ name, version, key }: Pick<ArchiveRecord, "name" | "version" | "key">): string {
	return `${name}-${version}-${key.slice(0, 16)}`;
}

/** The record of an archive whose content still is what was written, or undefined. */
export async function readIntactArchive(folder: string, stem: string): Promise<ArchiveRecord | undefined> {
	const record = await readRecord(join(folder, `${stem}.json`));
	if (record === undefined) return undefined;
	const sha256 = await sha256OfFile(join(folder, `${stem}.tar`)).catch(() => undefined);
	return sha256 === record.sha256 ? record : undefined;
}

/** The records of all archives in a folder, without looking at the archives. */
export async function listArchives(folder: string): Promise<readonly ArchiveRecord[]> {
	const names = (await readdir(folder).catch(() => [])).filter((name) => /^[^.].*\.json$/.test(name)).sort();
	const records = await Promise.all(names.map((name) => readRecord(join(folder, name))));
	return records.filter((record) => record !== undefined);
}

/** sha256 of a file as 64 hexadecimal digits. */
export async function sha256OfFile(path: string): Promise<string> {
	const hash = createHash("sha256");
	await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
	return hash.digest("hex");
}

async function readRecord(path: string): Promise<ArchiveRecord | undefined> {
	const text = await readFile(path, "utf8").catch(() => undefined);
	if (text === undefined) return undefined;
	const record = JSON.parse(text) as ArchiveRecord;
	return record.format === 1 ? record : undefined;
}
