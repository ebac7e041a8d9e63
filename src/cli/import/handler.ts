import { IronstrapError } from "../../lib/errors.ts";
import { type ImportOptions, type ImportResult, importFiles, importIronic } from "../../lifecycle/import.ts";
import { FILE_FORMATS, fileFormat } from "../../site/import/formats.ts";
import type { CommonOptions } from "../command.ts";
import { runCommand } from "../run.ts";
import { reportText } from "./report.ts";

export interface ImportFlags extends CommonOptions {
	readonly output: string;
	readonly namespace: string;
	readonly force?: boolean;
	readonly username?: string;
	readonly passwordFile?: string;
	readonly caFile?: string;
}

export function runImport(from: string, sources: readonly string[], flags: ImportFlags): Promise<number> {
	return runCommand(flags.json, async ({ report, signal }) => {
		const options = {
			directory: flags.output,
			namespace: checkedNamespace(flags.namespace),
			force: flags.force === true,
			signal,
		};
		const result = await importFrom(from, sources, flags, options);
		report.result({ from, ...result }, reportText(result, flags.output));
		return undefined;
	});
}

function importFrom(
	from: string,
	sources: readonly string[],
	flags: ImportFlags,
	options: ImportOptions,
): Promise<ImportResult> {
	if (from === "ironic") {
		const [url, ...rest] = sources;
		if (url === undefined || rest.length > 0)
			throw usage("`import ironic` takes one URL", "name the API's URL alone");
		return importIronic({ ...flags, url }, options);
	}
	const format = fileFormat(from);
	if (format === undefined)
		throw usage(`there is no format called ${from}`, `name one of ${FILE_FORMATS.join(", ")}, ironic`);
	return importFiles(format, sources, options);
}

function checkedNamespace(name: string): string {
	if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) return name;
	throw usage("the namespace is no name that Kubernetes takes", "use lower-case letters, digits and `-`");
}

function usage(message: string, fix: string): IronstrapError {
	return new IronstrapError({ code: "usage", message, fix });
}
