import { IronstrapError } from "../lib/errors.ts";
import { assembleSite } from "../site/assemble.ts";
import type { Finding } from "../site/finding.ts";
import { parseDocuments } from "../site/parse.ts";
import type { SiteFile } from "./site-text.ts";

/**
 * Lints manifests before they are written, and returns the warnings. Pure. Errors: whatever the linter says, as it
 * would after writing; nothing that is refused afterwards is ever written.
 */
export function checkSite(files: readonly SiteFile[]): readonly Finding[] {
	const texts = files.map(({ name, text }) => parseDocuments(text, name));
	try {
		return assembleSite(
			texts.flatMap(({ documents }) => documents),
			texts.flatMap(({ findings }) => findings),
		).warnings;
	} catch (cause) {
		throw new IronstrapError({
			code: "site-refused",
			message: "the site that follows from the answers would be refused, so it was not written",
			seen: cause instanceof AggregateError ? faultList(cause.errors) : String(cause),
			fix: "change the answer that it names",
			cause,
		});
	}
}

function faultList(errors: readonly unknown[]): string {
	return errors.map((each) => (each instanceof Error ? each.message : String(each))).join("; ");
}
