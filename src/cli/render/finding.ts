import type { Finding } from "../../site/finding.ts";

/** A lint finding on one line: `site.yaml:7:3: message; fix [code]`. */
export function findingText({ code, fix, message, where }: Finding): string {
	const place = where === undefined ? "" : `${where.file}:${where.line}:${where.column}: `;
	return `${place}${message}${fix === undefined ? "" : `; ${fix}`} [${code}]`;
}
