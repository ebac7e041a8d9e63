import { type FileFormat, importBytes } from "../../src/site/import/formats.ts";
import { manifestsOf } from "../../src/site/import/manifests.ts";
import { PASSWORD_PART } from "./inventories.ts";

export interface BadImport {
	readonly kind: "crash" | "unlocated" | "leak";
	readonly what: string;
}

/** What is wrong with how these bytes are imported; `undefined` if nothing is. */
export function badImport(format: FileFormat, bytes: Uint8Array): BadImport | undefined {
	try {
		const imported = importBytes(format, bytes, "f");
		const { files, findings, remarks } = manifestsOf(imported, "metal3");
		const lost = remarks.find(({ where }) => where === undefined || where.line < 1 || where.column < 1);
		if (lost !== undefined) return { kind: "unlocated", what: JSON.stringify(lost) };
		const nowhere = findings.find(({ where }) => where === undefined);
		if (nowhere !== undefined && files.length > 0) return { kind: "unlocated", what: nowhere.code };
		if (files.length === 0 && !remarks.some(({ kind }) => kind === "wrong" || kind === "missing"))
			return { kind: "unlocated", what: "nothing was imported, and nothing is said" };
		// where a delimiter is damaged a password may become a part of another field: of the notes, none may quote it
		const shown = JSON.stringify([
			remarks.map(({ note }) => note),
			findings.map(({ message, seen }) => [message, seen]),
		]);
		return shown.includes(PASSWORD_PART) && !isNoPassword(imported.hosts)
			? { kind: "leak", what: shown }
			: undefined;
	} catch (error) {
		return { kind: "crash", what: error instanceof Error ? (error.stack ?? error.message) : String(error) };
	}
}

/** Whether the damage made the password a part of what is shown of a host. */
function isNoPassword(
	hosts: readonly { readonly name: string; readonly bmc?: object | undefined }[],
): boolean {
	return hosts.some(({ bmc, name }) => {
		const shown = { name, bmc: { ...bmc, password: undefined } };
		return JSON.stringify(shown).includes(PASSWORD_PART);
	});
}
