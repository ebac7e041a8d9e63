import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { lockFile } from "../lib/file-lock.ts";
import { type ArchiveRecord, archiveStem, listArchives } from "./archive-record.ts";

/** An image archive that an earlier build left in the cache. */
export interface StoredArchive {
	readonly archive: string;
	readonly record: ArchiveRecord;
	/** When it was built, in milliseconds since 1970. */
	readonly built: number;
}

/** The complete archives in a folder; none if there is no such folder. */
export async function storedArchives(folder: string): Promise<readonly StoredArchive[]> {
	const found = (await listArchives(folder)).map(async (record) => {
		const archive = join(folder, `${archiveStem(record)}.tar`);
		const file = await stat(archive).catch(() => undefined);
		return file === undefined ? [] : [{ archive, record, built: file.mtimeMs }];
	});
	return (await Promise.all(found)).flat();
}

/** Removes an archive and its record, not while an image of that name is built. */
export async function removeArchive(
	{ archive, record }: StoredArchive,
	folder: string,
	{ signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
): Promise<void> {
	const lock = await lockFile(join(folder, `.${record.name}.lock`), signal, onWait);
	try {
		// the archive first: a record without one is not used
		await rm(archive, { force: true });
		await rm(archive.replace(/\.tar$/, ".json"), { force: true });
	} finally {
		await lock.close();
	}
}
