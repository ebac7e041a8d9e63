import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { IronstrapError } from "../lib/errors.ts";
import { assembleSite, type LoadedSite, siteOf } from "./assemble.ts";
import type { SourceDocument } from "./document.ts";
import { type Finding, isError } from "./finding.ts";
import { lint } from "./lint.ts";
import { MAX_TEXT_LENGTH, type ParsedText, parseDocuments } from "./parse.ts";
import { parseBytes } from "./parse-bytes.ts";
import {
	fileExposed,
	fileUnreadable,
	type ValueRequest,
	valueRequests,
	variableMissing,
	withValues,
} from "./value-from.ts";

export interface LoadOptions {
	/** What `-` reads; the process's standard input if absent. */
	readonly stdin?: AsyncIterable<string | Uint8Array> | undefined;
	/** What a Secret's `valueFrom: {KEY: {env: NAME}}` reads; the process's own environment if absent. */
	readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
	/** When certificates are looked at; the present if absent. */
	readonly now?: Date | undefined;
	/** Texts that are read after the inputs: what is about to be written beside them. */
	readonly more?: readonly { readonly name: string; readonly text: string }[] | undefined;
}

/** The name under which standard input appears in messages. */
const STDIN_NAME = "<stdin>";

/**
 * Reads a site from files, folders (their `*.yaml`, `*.yml` and `*.json`, sorted, no hidden ones, not their
 * sub-folders) and standard input (`-`). Throws `IronstrapErrors` with everything that is wrong.
 */
export async function loadSite(inputs: readonly string[], options: LoadOptions = {}): Promise<LoadedSite> {
	const { documents, findings } = await readInputs(inputs, options);
	return assembleSite(documents, findings, { now: options.now ?? new Date() });
}

export interface LintedSite {
	/** Absent if there is an error among the findings. */
	readonly site: LoadedSite["site"] | undefined;
	readonly findings: readonly Finding[];
}

/** The same, with errors and warnings as findings; throws only if an input cannot be read at all. */
export async function lintInputs(inputs: readonly string[], options: LoadOptions = {}): Promise<LintedSite> {
	const read = await readInputs(inputs, options);
	const { draft, findings } = lint(read.documents, read.findings, { now: options.now ?? new Date() });
	return { site: findings.some(isError) ? undefined : siteOf(draft), findings };
}

async function readInputs(inputs: readonly string[], options: LoadOptions): Promise<ParsedText> {
	const more = (options.more ?? []).map(({ name, text }) => parseDocuments(text, name));
	const texts = [...(await parseInputs(inputs, options)), ...more];
	const found = await fillIn(
		texts.flatMap(({ documents }) => documents),
		options.environment ?? process.env,
	);
	return {
		documents: found.documents,
		findings: [...texts.flatMap(({ findings }) => findings), ...found.findings],
	};
}

/** Reads and parses the inputs; throws `IronstrapError` if one cannot be read at all. */
export async function parseInputs(
	inputs: readonly string[],
	{ stdin }: LoadOptions = {},
): Promise<ParsedText[]> {
	const files: string[] = [];
	for (const input of inputs) files.push(...(input === "-" ? ["-"] : await filesOf(input)));
	const unique = [...new Map(files.map((file) => [file === "-" ? "-" : resolve(file), file])).values()];
	if (unique.length === 0)
		throw new IronstrapError({
			code: "input-missing",
			message: "no manifests were given",
			fix: "name a file or a folder of YAML manifests, or `-` for standard input",
		});
	const texts: ParsedText[] = [];
	for (const file of unique) {
		const { bytes, name } = await readInput(file, { stdin });
		texts.push(parseBytes(bytes, name));
	}
	return texts;
}

/** One file, or standard input for `-`, and its name for messages. Throws `IronstrapError` if it cannot be read. */
export async function readInput(
	file: string,
	{ stdin }: LoadOptions = {},
): Promise<{ readonly bytes: Uint8Array; readonly name: string }> {
	if (file === "-") return { bytes: await readStream(stdin ?? process.stdin), name: STDIN_NAME };
	return { bytes: await readOrExplain(file), name: file };
}

/** Secrets get the values that their `valueFrom` names; one that lacks a value is left out and complained about. */
async function fillIn(
	documents: readonly SourceDocument[],
	environment: Readonly<Record<string, string | undefined>>,
): Promise<ParsedText> {
	const filled: SourceDocument[] = [];
	const findings: Finding[] = [];
	for (const document of documents) {
		const wanted = valueRequests(document);
		const found = new Map<string, string>();
		const faults = [...wanted.findings];
		for (const request of wanted.requests) {
			const outcome = await readValue(request, environment);
			if (outcome.value !== undefined) found.set(request.key, outcome.value);
			faults.push(...outcome.findings);
		}
		if (!faults.some(isError)) filled.push(found.size > 0 ? withValues(document, found) : document);
		findings.push(...faults);
	}
	return { documents: filled, findings };
}

/** A Secret holds at most 1 MiB, so a larger file cannot be meant. */
const MAX_VALUE_BYTES = 1024 * 1024;

async function readValue(
	request: ValueRequest,
	environment: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly value?: string; readonly findings: readonly Finding[] }> {
	const { document, source } = request;
	if ("env" in source) {
		const value = environment[source.env];
		return value ? { value, findings: [] } : { findings: [variableMissing(request, source.env)] };
	}
	const path = resolve(document.file === STDIN_NAME ? "." : dirname(document.file), source.file);
	try {
		const info = await stat(path);
		if (!info.isFile() || info.size > MAX_VALUE_BYTES)
			return { findings: [fileUnreadable(request, path, "it is not a file of up to 1 MiB")] };
		const value = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
		return { value, findings: (info.mode & 0o004) === 0 ? [] : [fileExposed(request, path)] };
	} catch (error) {
		const why = error instanceof TypeError ? "it is not UTF-8 text" : (error as NodeJS.ErrnoException).code;
		return { findings: [fileUnreadable(request, path, why ?? "unknown")] };
	}
}

async function filesOf(input: string): Promise<string[]> {
	const info = await stat(input).catch((error: unknown) => {
		throw unreadable(input, error);
	});
	if (!info.isDirectory()) return [input];
	const names = await readdir(input).catch((error: unknown) => {
		throw unreadable(input, error);
	});
	const manifests = names.filter((name) => !name.startsWith(".") && /\.(ya?ml|json)$/i.test(name)).sort();
	const files: string[] = [];
	// stat, not the directory's own entry types: a mounted ConfigMap consists of links.
	for (const name of manifests)
		if ((await stat(join(input, name)).catch(() => undefined))?.isFile()) files.push(join(input, name));
	if (files.length === 0)
		throw new IronstrapError({
			code: "input-empty",
			message: `the folder ${input} has no manifests`,
			where: { file: input, line: 1, column: 1 },
			fix: "put *.yaml, *.yml or *.json files into it; sub-folders are not looked into",
		});
	return files;
}

async function readOrExplain(file: string): Promise<Uint8Array> {
	try {
		const { size } = await stat(file);
		if (size > MAX_TEXT_LENGTH) throw tooLarge(file);
		return await readFile(file);
	} catch (error) {
		throw error instanceof IronstrapError ? error : unreadable(file, error);
	}
}

async function readStream(stream: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of stream) {
		const bytes = Buffer.from(chunk as Uint8Array);
		size += bytes.length;
		if (size > MAX_TEXT_LENGTH) throw tooLarge(STDIN_NAME);
		chunks.push(bytes);
	}
	return Buffer.concat(chunks);
}

function tooLarge(file: string): IronstrapError {
	return new IronstrapError({
		code: "text-too-long",
		message: "the text is longer than 8 MiB, which no manifest is",
		where: { file, line: 1, column: 1 },
		fix: "pass the manifests only; split them into several files",
	});
}

function unreadable(file: string, cause: unknown): IronstrapError {
	const { code } = cause as NodeJS.ErrnoException;
	return new IronstrapError({
		code: "input-unreadable",
		message: code === "ENOENT" ? `${file} does not exist` : `${file} cannot be read`,
		where: { file, line: 1, column: 1 },
		seen: code,
		fix: code === "EACCES" ? "give yourself read permission, or run as the file's owner" : "check the path",
		cause,
	});
}
