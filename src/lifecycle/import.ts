import { lstat, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createIronicClient } from "../ironic/client.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { IronstrapError, IronstrapErrors } from "../lib/errors.ts";
import type { Finding } from "../site/finding.ts";
import { type FileFormat, importBytes, mergeImported } from "../site/import/formats.ts";
import type { Imported, Remark } from "../site/import/imported.ts";
import { importIronicApi } from "../site/import/ironic-api.ts";
import { manifestsOf } from "../site/import/manifests.ts";
import { readInput } from "../site/load.ts";

export interface ImportOptions {
	/** Where the manifests are written; made if it is not there. */
	readonly directory: string;
	/** Of hosts whose source names none. */
	readonly namespace: string;
	/** Replace files that are there. */
	readonly force: boolean;
	readonly signal: AbortSignal;
}

export interface ImportResult {
	readonly hosts: number;
	readonly files: readonly string[];
	readonly report: readonly Remark[];
	/** What the linter says about what was written. */
	readonly findings: readonly Finding[];
}

/** Inventories and installation files → a site. */
export async function importFiles(
	format: FileFormat,
	files: readonly string[],
	options: ImportOptions,
): Promise<ImportResult> {
	const parts: Imported[] = [];
	for (const file of files) {
		const { bytes, name } = await readInput(file);
		parts.push(importBytes(format, bytes, name));
	}
	return writeSite(mergeImported(parts), options);
}

/** How a running Ironic is reached; it must be Ironic's own API with HTTP basic authentication, or none. */
export interface IronicSource {
	readonly url: string;
	readonly username?: string | undefined;
	readonly passwordFile?: string | undefined;
	/** PEM of the CA of its certificate. */
	readonly caFile?: string | undefined;
}

/** Hosts that take seconds to answer are not worth a minute of waiting: nothing is waited for here. */
const RETRY_MS = 5_000;

/** The nodes of a running Ironic → a site. Reads only. */
export async function importIronic(
	{ caFile, passwordFile, url, username }: IronicSource,
	options: ImportOptions,
): Promise<ImportResult> {
	const address = checkedUrl(url);
	const client = createIronicClient({
		baseUrl: address,
		...(username === undefined ? {} : { username }),
		...(passwordFile === undefined ? {} : { password: (await text(passwordFile)).replace(/\r?\n$/, "") }),
		...(caFile === undefined ? {} : { ca: await text(caFile) }),
		retryMs: RETRY_MS,
		signal: options.signal,
	});
	try {
		const [nodes, ports] = await Promise.all([client.listNodes(), client.listPorts()]);
		return await writeSite(importIronicApi(nodes, ports, address), options);
	} finally {
		await client.close();
	}
}

async function writeSite(imported: Imported, options: ImportOptions): Promise<ImportResult> {
	const { files, findings, remarks } = manifestsOf(imported, options.namespace, (name) =>
		join(options.directory, name),
	);
	if (files.length === 0) throw nothingImported(remarks);
	const targets = files.map((file) => ({ ...file, path: join(options.directory, file.name) }));
	if (!options.force) await refuseExisting(targets.map(({ path }) => path));
	await mkdir(options.directory, { recursive: true });
	for (const { path, secret, text: content } of targets)
		await writeFileAtomic(path, content, { mode: secret ? 0o600 : 0o644 });
	return {
		hosts: imported.hosts.length,
		files: targets.map(({ path }) => path),
		report: remarks,
		findings,
	};
}

/** All of them at once, and before anything is written: half an old site and half a new one is neither. */
async function refuseExisting(paths: readonly string[]): Promise<void> {
	const existing: string[] = [];
	for (const path of paths) if ((await lstat(path).catch(() => undefined)) !== undefined) existing.push(path);
	if (existing.length > 0)
		throw new IronstrapError({
			code: "usage",
			message: "nothing was written: the import would overwrite what is there",
			seen: existing.join(", "),
			fix: "name another folder with -o, or add --force",
		});
}

function nothingImported(remarks: readonly Remark[]): IronstrapErrors {
	const wrong = remarks.filter(({ kind }) => kind === "wrong" || kind === "missing");
	return new IronstrapErrors(
		wrong.map(
			({ field, note, where }) =>
				new IronstrapError({
					code: "import-nothing",
					message: `nothing can be imported: ${note}`,
					where,
					subject: field,
					fix: "correct the file, or name its format: `ironstrap import --help`",
				}),
		),
	);
}

function checkedUrl(text: string): string {
	const refuse = (message: string) =>
		new IronstrapError({
			code: "usage",
			message,
			fix: "write it as https://HOST:6385; user name and password have options of their own",
		});
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !/^https?:$/.test(url.protocol))
		throw refuse("the address of the Ironic API is not an http(s) URL");
	if (url.username !== "" || url.password !== "") throw refuse("the address carries a user name or password");
	// with or without the version: both are what people have in their clouds.yaml
	return text.replace(/\/(v1\/?)?$/, "");
}

async function text(file: string): Promise<string> {
	return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
		throw new IronstrapError({
			code: "input-unreadable",
			message: `${file} cannot be read`,
			seen: error.code,
			where: { file, line: 1, column: 1 },
			fix: "check path and permissions",
		});
	});
}
