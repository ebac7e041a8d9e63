import { importBaremetalCreate } from "./baremetal-create.ts";
import { importBifrost } from "./bifrost.ts";
import { importEksA } from "./eks-a.ts";
import type { Imported } from "./imported.ts";
import { importInstallConfig } from "./install-config.ts";
import { importTable } from "./table.ts";
import { decodeText } from "./text.ts";

/** The formats of files; `text` and its file's name → hosts. */
const FORMATS = {
	"install-config": importInstallConfig,
	bifrost: importBifrost,
	"baremetal-create": importBaremetalCreate,
	"eks-a": importEksA,
	csv: (text: string, file: string) => importTable(text, file),
} as const satisfies Readonly<Record<string, (text: string, file: string) => Imported>>;

export type FileFormat = keyof typeof FORMATS;

/** What else people call them. */
const ALIASES: Readonly<Record<string, FileFormat>> = {
	openshift: "install-config",
	eksa: "eks-a",
	tsv: "csv",
};

export const FILE_FORMATS = Object.keys(FORMATS) as FileFormat[];

export function fileFormat(name: string): FileFormat | undefined {
	return (
		FILE_FORMATS.find((format) => format === name) ??
		(Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined)
	);
}

/** One file, in whatever encoding. Never throws for what is in it. */
export function importBytes(format: FileFormat, bytes: Uint8Array, file: string): Imported {
	const { encoding, guessed, text } = decodeText(bytes);
	const imported = FORMATS[format](text, file);
	if (!guessed) return imported;
	const note = `read as ${encoding}; if umlauts or accents are wrong, save the file as UTF-8`;
	const where = { file, line: 1, column: 1 };
	return {
		...imported,
		remarks: [{ kind: "inferred", where, field: "encoding", note }, ...imported.remarks],
	};
}

/** Several sources as one; only one of them can describe the stack. */
export function mergeImported(parts: readonly Imported[]): Imported {
	return {
		hosts: parts.flatMap(({ hosts }) => hosts),
		ironic: parts.find(({ ironic }) => ironic !== undefined)?.ironic,
		remarks: parts.flatMap(({ remarks }) => remarks),
	};
}
