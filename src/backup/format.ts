import { IronstrapError } from "../lib/errors.ts";

/** Raised when an older ironstrap could misread what a newer one writes. */
export const backupFormat = 1;
export const backupKind = "ironstrap-backup";

/**
 * The first member of a backup, `backup.json`: what the others are. The file is a tar (POSIX ustar) through gzip, and
 * through age where it is encrypted, so that it can be opened without ironstrap: `age -d F | tar xz`.
 */
export interface BackupIndex {
	readonly kind: typeof backupKind;
	readonly formatVersion: number;
	readonly site: string;
	/** RFC 3339, UTC. */
	readonly createdAt: string;
	/** The ironstrap that wrote it. */
	readonly writtenBy: string;
	readonly database: {
		readonly kind: "mariadb" | "sqlite";
		/** Rows of each table in the dump. */
		readonly rows: Readonly<Record<string, number>>;
	};
	/** What ran then: references, ids and versions. */
	readonly images: Readonly<
		Record<string, { readonly reference: string; readonly id: string; readonly version?: string | undefined }>
	>;
	/** SHA-256 in hexadecimal and size of the other members, in their order. */
	readonly members: readonly MemberSum[];
}

export interface MemberSum {
	readonly name: string;
	readonly bytes: number;
	readonly sha256: string;
}

/** The other members, in their order. */
export const stateMember = "state.json";
export const databaseMember = "database.sql";

/** A file of the state directory, by its path there. */
export interface StateFile {
	readonly path: string;
	readonly content: string;
}

/** Only these folders of a state directory have files in them. */
const statePath = /^(?:(?:secrets|hosts)\/)?[A-Za-z0-9][A-Za-z0-9._~-]*$/;

/** A site is named as its folder is: RFC 1123, as Kubernetes has it. */
const siteName = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

export function parseIndex(text: string, file: string): BackupIndex {
	const value = parsed(text, file) as Partial<BackupIndex>;
	if (value.kind !== backupKind || typeof value.formatVersion !== "number")
		throw damaged(file, "it does not begin with a backup's index");
	if (value.formatVersion > backupFormat)
		throw new IronstrapError({
			code: "backup-too-new",
			message: `${file} was written by a newer ironstrap`,
			seen: `format ${value.formatVersion}, written by ${value.writtenBy ?? "unknown"}; this one reads up to ${backupFormat}`,
			fix: "use the ironstrap that wrote it, or a later one",
		});
	if (typeof value.site !== "string" || !siteName.test(value.site))
		throw damaged(file, `it is of a site ${JSON.stringify(value.site)}`);
	return value as BackupIndex;
}

/** What would be written outside of the state directory is refused. */
export function parseState(text: string, file: string): readonly StateFile[] {
	const files = parsed(text, file) as readonly StateFile[];
	const odd = files.find(({ path }) => !statePath.test(path));
	if (odd !== undefined) throw damaged(file, `it has a file ${JSON.stringify(odd.path)}`);
	return files;
}

export function damaged(file: string, seen: string): IronstrapError {
	return new IronstrapError({
		code: "backup-damaged",
		message: `${file} is not a whole backup`,
		seen,
		fix: "take another backup file; `ironstrap backup verify FILE` tells whether one is whole",
	});
}

function parsed(text: string, file: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw damaged(file, "it does not hold what a backup holds");
	}
}
