import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { IronstrapError } from "../lib/errors.ts";
import { parseTarHeader } from "../lib/tar-header.ts";
import { type Key, unseal } from "./encryption.ts";
import {
	type BackupIndex,
	damaged,
	databaseMember,
	parseIndex,
	parseState,
	type StateFile,
	stateMember,
} from "./format.ts";

export interface ReadBackup {
	readonly index: BackupIndex;
	readonly state: readonly StateFile[];
}

const block = 512;
const ageMagic = "age-encryption.org/v1";

/**
 * Reads a backup to its end and compares everything with its checksums. The dump of the database goes to `database`,
 * if one is given. Errors: `backup-unreadable`, `backup-damaged`, `backup-locked`, `backup-too-new`.
 */
export async function readBackup(
	file: string,
	key: Key,
	signal: AbortSignal,
	database?: Writable,
): Promise<ReadBackup> {
	try {
		const members = membersOf(await plainBytes(file, key, signal), file);
		const first = await nextMember(members, "backup.json", file);
		const index = parseIndex(await textOf(first.chunks), file);
		const state = parseState(
			await checkedText(await nextMember(members, stateMember, file), index, file),
			file,
		);
		const dump = await nextMember(members, databaseMember, file);
		for await (const chunk of checked(dump, index, file)) {
			signal.throwIfAborted();
			if (database?.write(chunk) === false) await new Promise((resolve) => database.once("drain", resolve));
		}
		if ((await members.next()).done !== true) throw damaged(file, "it has more than a backup has");
		return { index, state };
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof IronstrapError) throw error;
		throw damaged(file, (error as Error).message);
	}
}

/** Reads everything and throws unless it is whole. */
export async function verifyBackup(file: string, key: Key, signal: AbortSignal): Promise<BackupIndex> {
	return (await readBackup(file, key, signal)).index;
}

async function plainBytes(file: string, key: Key, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
	const encrypted = await isEncrypted(file);
	const source = createReadStream(file, { highWaterMark: 1 << 20 });
	const gunzip = createGunzip();
	const packed = encrypted
		? Readable.fromWeb((await unseal(Readable.toWeb(source), key, file)) as never)
		: source;
	// what goes wrong is thrown to whoever reads
	pipeline(packed, gunzip, { signal }).catch(() => undefined);
	return gunzip;
}

async function isEncrypted(file: string): Promise<boolean> {
	try {
		const handle = await open(file, "r");
		try {
			const start = Buffer.alloc(ageMagic.length);
			await handle.read(start, 0, start.length, 0);
			return start.toString("latin1") === ageMagic;
		} finally {
			await handle.close();
		}
	} catch (cause) {
		throw new IronstrapError({
			code: "backup-unreadable",
			message: `${file} cannot be read`,
			seen: (cause as Error).message,
			fix: "name the file of a backup",
			cause,
		});
	}
}

interface Member {
	readonly name: string;
	readonly size: number;
	/** Must be read to its end before the next member is asked for. */
	readonly chunks: AsyncIterable<Buffer>;
}

async function* membersOf(bytes: AsyncIterable<Buffer>, file: string): AsyncGenerator<Member> {
	const input = bytes[Symbol.asyncIterator]();
	let rest: Buffer = Buffer.alloc(0);
	/** As many bytes as there are, at most `limit`; none at the end. */
	const take = async (limit: number): Promise<Buffer> => {
		while (rest.length === 0) {
			const next = await input.next();
			if (next.done === true) return rest;
			rest = next.value;
		}
		const taken = rest.subarray(0, limit);
		rest = rest.subarray(taken.length);
		return taken;
	};
	const exactly = async (size: number): Promise<Buffer> => {
		const parts: Buffer[] = [];
		for await (const part of upTo(size)) parts.push(part);
		return Buffer.concat(parts);
	};
	async function* upTo(size: number): AsyncGenerator<Buffer> {
		for (let left = size; left > 0; ) {
			const part = await take(left);
			if (part.length === 0) throw damaged(file, "it is cut off");
			left -= part.length;
			yield part;
		}
	}
	for (;;) {
		const header = await exactly(block);
		if (header.every((byte) => byte === 0)) break;
		const found = parseTarHeader(header);
		if (found === undefined) throw damaged(file, "it is no archive that ironstrap wrote");
		yield { ...found, chunks: upTo(found.size) };
		await exactly((block - (found.size % block)) % block);
	}
	await exactly(block);
	if ((await take(1)).length > 0) throw damaged(file, "something follows its end");
}

async function nextMember(members: AsyncGenerator<Member>, name: string, file: string): Promise<Member> {
	const { value, done } = await members.next();
	if (done === true || value.name !== name) throw damaged(file, `${name} is not where it should be`);
	return value;
}

async function* checked(
	{ chunks, name, size }: Member,
	{ members }: BackupIndex,
	file: string,
): AsyncGenerator<Buffer> {
	const hash = createHash("sha256");
	for await (const chunk of chunks) {
		hash.update(chunk);
		yield chunk;
	}
	const wanted = members.find((each) => each.name === name);
	if (wanted?.bytes !== size || wanted.sha256 !== hash.digest("hex"))
		throw damaged(file, `${name} is not what its checksum says`);
}

async function checkedText(member: Member, index: BackupIndex, file: string): Promise<string> {
	return textOf(checked(member, index, file));
}

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
	const parts: Buffer[] = [];
	for await (const chunk of chunks) parts.push(chunk);
	return Buffer.concat(parts).toString("utf8");
}
