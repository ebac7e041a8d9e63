import { resolve } from "node:path";
import type { Lock } from "../../backup/encryption.ts";
import type { BackupIndex } from "../../backup/format.ts";
import { verifyBackup } from "../../backup/read-backup.ts";
import { IronstrapError } from "../../lib/errors.ts";
import { backup } from "../../lifecycle/backup.ts";
import { defaultRoots } from "../../state/layout.ts";
import { keyOf } from "../backup-key.ts";
import type { CommonOptions, SiteOptions } from "../command.ts";
import type { KeyFlags } from "../key-option.ts";
import { readPasswordFile } from "../password-file.ts";
import { runCommand } from "../run.ts";
import { version } from "../version.ts";

export interface BackupFlags extends SiteOptions {
	readonly to?: string;
	readonly passphraseFile?: string;
	readonly encryptTo?: string;
}

export function runBackup(flags: BackupFlags): Promise<number> {
	const { json, site, to } = flags;
	return runCommand(json, async ({ report, signal }) => {
		const lock = await lockOf(flags);
		const { file, index } = await backup({
			site,
			lock,
			to: (name, createdAt) => resolve(to ?? defaultName(name, createdAt, lock)),
			writtenBy: `ironstrap ${version}`,
			...{ roots: defaultRoots, emit: report.emit, signal },
		});
		report.result(
			{ file, ...summaryOf(index) },
			[
				`${index.site} is in ${file}, and was read back: ${index.database.rows.nodes ?? 0} nodes.`,
				lock.kind === "none"
					? "It holds all secrets of the site, as plain text: keep it as such, or encrypt it (--passphrase-file, --encrypt-to)."
					: "Without its passphrase or key nobody can read it, this machine neither.",
			].join("\n"),
		);
		return undefined;
	});
}

export function runVerify(file: string, flags: KeyFlags & CommonOptions): Promise<number> {
	return runCommand(flags.json, async ({ report, signal }) => {
		const index = await verifyBackup(file, await keyOf(flags), signal);
		report.result(
			{ file, ...summaryOf(index) },
			`${file} is whole: site ${index.site}, ${index.createdAt}, ${index.database.rows.nodes ?? 0} nodes, written by ${index.writtenBy}`,
		);
		return undefined;
	});
}

async function lockOf({ encryptTo, passphraseFile }: BackupFlags): Promise<Lock> {
	if (encryptTo !== undefined && passphraseFile !== undefined)
		throw new IronstrapError({
			code: "usage",
			message: "a backup is encrypted with a passphrase or for a key, not both",
			fix: "leave out --passphrase-file or --encrypt-to",
		});
	if (encryptTo !== undefined) return { kind: "recipient", recipient: encryptTo };
	if (passphraseFile === undefined) return { kind: "none" };
	return { kind: "passphrase", passphrase: (await readPasswordFile(passphraseFile)).password };
}

/** `ironstrap-metal3-20261130T120000Z.tar.gz.age` */
function defaultName(site: string, createdAt: string, { kind }: Lock): string {
	const time = createdAt.replace(/\.\d+Z$/, "Z").replaceAll(/[-:]/g, "");
	return `ironstrap-${site}-${time}.tar.gz${kind === "none" ? "" : ".age"}`;
}

function summaryOf({ createdAt, database, site, writtenBy }: BackupIndex) {
	return { site, createdAt, writtenBy, database: database.kind, rows: database.rows };
}
