import { describe } from "../../resources/site.ts";
import type { Path } from "../document.ts";
import { type Draft, refOf } from "../draft.ts";
import type { Finding } from "../finding.ts";
import type { SiteObject } from "../kinds.ts";
import type { Problem } from "./ironic-rule.ts";

/** Pure; looks at all objects together. */
export type SiteRule = (draft: Draft) => Iterable<Finding>;

/** A finding about the value at this path of an object (from its top: `["spec", "bmc", "address"]`). */
export function on(draft: Draft, object: SiteObject, path: Path, code: string, problem: Problem): Finding {
	const { severity = "error", ...rest } = problem;
	return { code, severity, subject: describe(refOf(object)), where: draft.locate(object, path), ...rest };
}
