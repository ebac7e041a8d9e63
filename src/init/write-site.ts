import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { SiteFile } from "./site-text.ts";

/** Refuses a folder that has manifests already: it is somebody's work. Errors: `site-exists`. */
export async function refuseExistingSite(directory: string): Promise<void> {
	const names = await readdir(directory).catch((error: unknown) => {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
		throw unwritable(directory, error);
	});
	const manifests = names.filter((name) => !name.startsWith(".") && /\.(ya?ml|json)$/i.test(name));
	if (manifests.length > 0) throw exists(directory, manifests, anotherSite(directory));
}

/**
 * Writes the files of a site; never over another file. If one cannot be written, those that were are removed again.
 * Errors: `site-exists`, `site-unwritable`.
 *
 * @param fixIfThere what to do where one of the files is there already
 */
export async function writeSite(
	directory: string,
	files: readonly SiteFile[],
	fixIfThere = anotherSite(directory),
): Promise<void> {
	const written: string[] = [];
	try {
		await mkdir(directory, { recursive: true, mode: 0o700 });
		for (const file of files) {
			await writeNew(directory, file, fixIfThere);
			written.push(file.name);
		}
		await syncDirectory(directory);
	} catch (error) {
		for (const name of written) await unlink(join(directory, name)).catch(() => undefined);
		throw error instanceof IronstrapError ? error : unwritable(directory, error);
	}
}

/** A file that is complete from its first moment: linked into place, which fails where a name is taken. */
async function writeNew(
	directory: string,
	{ name, text, mode }: SiteFile,
	fixIfThere: string,
): Promise<void> {
	const temporary = join(directory, `.${randomUUID()}.tmp`);
	const handle = await open(temporary, "wx", mode);
	try {
		await handle.writeFile(text);
		await handle.chmod(mode); // the umask has cut the mode given to open()
		await handle.sync();
		await link(temporary, join(directory, name));
	} catch (error) {
		throw (error as NodeJS.ErrnoException).code === "EEXIST" ? exists(directory, [name], fixIfThere) : error;
	} finally {
		await handle.close();
		await unlink(temporary);
	}
}

function anotherSite(directory: string): string {
	return `choose another folder (\`ironstrap init OTHER\`), or edit these and run \`ironstrap lint -f ${directory}\``;
}

function exists(directory: string, names: readonly string[], fix: string): IronstrapError {
	return new IronstrapError({
		code: "site-exists",
		message: `${directory} holds manifests already, and they are not overwritten`,
		seen: names.slice(0, 5).join(", "),
		fix,
	});
}

function unwritable(directory: string, cause: unknown): IronstrapError {
	return new IronstrapError({
		code: "site-unwritable",
		message: `${directory} cannot be written`,
		seen: (cause as Error).message,
		fix: "choose a folder that you may write, with free space",
		cause,
	});
}
