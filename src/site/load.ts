import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { IronstrapError } from "../lib/errors.ts";
import { assembleSite, type LoadedSite } from "./assemble.ts";
import type { Finding } from "./finding.ts";
import { MAX_TEXT_LENGTH, type ParsedText, parseDocuments } from "./parse.ts";

export interface LoadOptions {
	/** What `-` reads; the process's standard input if absent. */
	readonly stdin?: AsyncIterable<string | Uint8Array> | undefined;
}

/** The name under which standard input appears in messages. */
const STDIN_NAME = "<stdin>";

/**
 * Reads a site from files, folders (their `*.yaml`, `*.yml` and `*.json`, sorted, no hidden ones, not their
 * sub-folders) and standard input (`-`). Throws `IronstrapErrors` with everything that is wrong.
 */
export async function loadSite(inputs: readonly string[], options: LoadOptions = {}): Promise<LoadedSite> {
	const texts = await parseInputs(inputs, options);
	return assembleSite(
		texts.flatMap(({ documents }) => documents),
		texts.flatMap(({ findings }) => findings),
	);
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
		const bytes = file === "-" ? await readStream(stdin ?? process.stdin) : await readOrExplain(file);
		texts.push(parseBytes(bytes, file === "-" ? STDIN_NAME : file));
	}
	return texts;
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

/** Bytes → documents; text that is not UTF-8 is a finding at the first wrong character. */
export function parseBytes(bytes: Uint8Array, file: string): ParsedText {
	try {
		return parseDocuments(new TextDecoder("utf-8", { fatal: true }).decode(bytes), file);
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
	}
	const upToFault = new TextDecoder("utf-8").decode(bytes).split("\uFFFD")[0] ?? "";
	const lines = upToFault.split("\n");
	const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
	const finding: Finding = {
		code: "not-utf8",
		severity: "error",
		message: `the text is ${isUtf16 ? "UTF-16" : "not UTF-8"}`,
		where: { file, line: lines.length, column: (lines.at(-1) ?? "").length + 1 },
		fix: "save the file as UTF-8",
	};
	return { documents: [], findings: [finding] };
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
