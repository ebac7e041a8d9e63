import type { SourceDocument } from "./document.ts";
import { type Draft, draftOf } from "./draft.ts";
import { type Finding, inReadingOrder, isError } from "./finding.ts";
import { authorities } from "./rules/authorities.ts";
import { bootstrap } from "./rules/bootstrap.ts";
import { certificates } from "./rules/certificates.ts";
import { duplicates } from "./rules/duplicates.ts";
import { hostBmc } from "./rules/host-bmc.ts";
import { hostDhcp } from "./rules/host-dhcp.ts";
import { hostIdentity } from "./rules/host-identity.ts";
import { hostImage } from "./rules/host-image.ts";
import { hostNetworks } from "./rules/host-networks.ts";
import { images } from "./rules/images.ts";
import { ironics } from "./rules/ironic.ts";
import { references } from "./rules/references.ts";
import type { SiteRule } from "./rules/site-rule.ts";
import { target } from "./rules/target.ts";

const RULES: readonly SiteRule[] = [
	duplicates,
	ironics,
	references,
	authorities,
	hostNetworks,
	hostBmc,
	hostImage,
	images,
	hostIdentity,
	hostDhcp,
	bootstrap,
	target,
];

export interface LintOptions {
	/** When certificates are looked at; without it nothing is said about their dates. */
	readonly now?: Date | undefined;
}

export interface LintResult {
	readonly draft: Draft;
	readonly findings: readonly Finding[];
}

/**
 * All that is wrong or doubtful, in reading order. Pure: looks at the text only, not at this machine. Pass what
 * `parseDocuments` found as well: after an unreadable text nothing is called missing, because it may have been there.
 */
export function lintDocuments(
	documents: readonly SourceDocument[],
	textFindings: readonly Finding[] = [],
	options: LintOptions = {},
): readonly Finding[] {
	return lint(documents, textFindings, options).findings;
}

/** The same, with the objects that could be read. */
export function lint(
	documents: readonly SourceDocument[],
	textFindings: readonly Finding[],
	{ now }: LintOptions = {},
): LintResult {
	const { draft, findings } = draftOf(documents, textFindings.some(isError));
	const found = [...RULES.flatMap((rule) => [...rule(draft)]), ...certificates(draft, now)];
	const all = [...textFindings, ...findings, ...found];
	return { draft, findings: inReadingOrder(all) };
}
