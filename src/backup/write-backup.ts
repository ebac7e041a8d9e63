import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { syncDirectory } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";
import { spaceFault } from "../lib/free-space.ts";
import { tarEnd, tarHeader, tarPadding } from "../lib/tar-header.ts";
import { type ByteStream, type Lock, sealing } from "./encryption.ts";
import {
	type BackupIndex,
	backupFormat,
	backupKind,
	databaseMember,
	type MemberSum,
	type StateFile,
	stateMember,
} from "./format.ts";
import { verifyBackup } from "./read-backup.ts";

export interface BackupContent {
	readonly index: Omit<BackupIndex, "kind" | "formatVersion" | "members">;
	readonly state: readonly StateFile[];
	/** Path of the dump. */
	readonly database: string;
}

/**
 * Writes a backup beside its place (0600), reads it back to the end against its checksums, and only then gives it its
 * name. Errors: `backup-exists`, `age-recipient-invalid`, `disk-full`.
 */
export async function writeBackup(
	{ database, index, state }: BackupContent,
	to: string,
	lock: Lock,
	signal: AbortSignal,
): Promise<BackupIndex> {
	const target = resolve(to);
	await prepareTarget(target);
	const stateText = Buffer.from(JSON.stringify(state, undefined, 1));
	const complete: BackupIndex = {
		kind: backupKind,
		formatVersion: backupFormat,
		...index,
		members: [sumOf(stateMember, stateText), await sumOfFile(databaseMember, database)],
	};
	const aside = join(dirname(target), `.${basename(target)}.${randomUUID()}.partial`);
	const { key, seal } = await sealing(lock);
	try {
		const handle = await open(aside, "wx", 0o600);
		try {
			const gzip = createGzip();
			const packed = Readable.toWeb(gzip) as unknown as ByteStream;
			await Promise.all([
				pipeline(archive(complete, stateText, database), gzip, { signal }),
				seal(packed).then(async (sealed) => {
					for await (const chunk of Readable.fromWeb(sealed as never))
						await handle.writeFile(chunk as Buffer);
				}),
			]);
			await handle.sync();
		} finally {
			await handle.close();
		}
		await verifyBackup(aside, key, signal);
		await rename(aside, target);
		await syncDirectory(dirname(target));
		return complete;
	} catch (error) {
		await rm(aside, { force: true });
		throw spaceFault(target, error);
	}
}

async function* archive(index: BackupIndex, state: Buffer, database: string): AsyncGenerator<Buffer> {
	const indexText = Buffer.from(`${JSON.stringify(index, undefined, 2)}\n`);
	for (const [name, content] of [
		["backup.json", indexText],
		[stateMember, state],
	] as const)
		yield Buffer.concat([tarHeader(name, content.length), content, tarPadding(content.length)]);
	const size = index.members.at(-1)?.bytes ?? 0;
	yield tarHeader(databaseMember, size);
	yield* createReadStream(database, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>;
	yield Buffer.concat([tarPadding(size), tarEnd()]);
}

/**
 * Whether a backup can be written there, which is worth to know before a database is dumped. Removes what a killed run
 * left beside it: it holds secrets. Errors: `backup-exists`, `backup-unwritable`.
 */
export async function prepareTarget(target: string): Promise<void> {
	const names = await readdir(dirname(target)).catch((cause: Error) => {
		throw new IronstrapError({
			code: "backup-unwritable",
			message: `a backup cannot be written to ${target}`,
			seen: cause.message,
			fix: "name a file in a folder that exists (--to FILE)",
		});
	});
	for (const name of names)
		if (name.startsWith(`.${basename(target)}.`) && /\.[0-9a-f-]{36}\.partial$/.test(name))
			await rm(join(dirname(target), name), { force: true });
	if (names.includes(basename(target))) throw taken(target);
}

function sumOf(name: string, content: Buffer): MemberSum {
	return { name, bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}

async function sumOfFile(name: string, path: string): Promise<MemberSum> {
	const hash = createHash("sha256");
	await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
	return { name, bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}

function taken(target: string): IronstrapError {
	return new IronstrapError({
		code: "backup-exists",
		message: `${target} exists already`,
		fix: "name a file that does not exist yet (--to FILE)",
	});
}
