import { describe, type ObjectRef } from "../resources/site.ts";
import type { SourceDocument } from "./document.ts";
import type { Finding } from "./finding.ts";
import { findingsOfIssues } from "./issues.ts";
import {
	groupOf,
	isSiteKind,
	OWN_GROUPS,
	SITE_KIND_NAMES,
	SITE_KINDS,
	type SiteObject,
	UNUSED_METAL3_KINDS,
} from "./kinds.ts";
import { nearest } from "./nearest.ts";

export interface Decoded {
	/** Absent if the document is of a foreign kind or was refused. */
	readonly object?: SiteObject;
	/** What the document claims to be, also when it was refused; so that a reference to it is not called missing too. */
	readonly claims?: ObjectRef;
	readonly findings: readonly Finding[];
}

const TAKEN = `ironstrap takes ${SITE_KIND_NAMES.slice(0, -1).join(", ")} and ${SITE_KIND_NAMES.at(-1)}`;

/** Reads a document as the kind that it says it is. Never throws: all faults of the document are findings. */
export function decodeDocument(document: SourceDocument): Decoded {
	const { value } = document;
	if (!isMapping(value))
		return refuse(document, [], "not-an-object", "this is not a Kubernetes object", TAKEN);
	const { apiVersion, kind } = value;
	if (typeof kind !== "string" || kind === "")
		return refuse(
			document,
			[],
			"kind-missing",
			"the object has no `kind`",
			`${TAKEN}; inventories of other tools are not read`,
		);
	if (typeof apiVersion !== "string" || apiVersion === "") {
		const fix = isSiteKind(kind) ? `write \`apiVersion: ${SITE_KINDS[kind].apiVersion}\`` : TAKEN;
		return refuse(document, ["kind"], "api-version-missing", `the ${kind} has no \`apiVersion\``, fix);
	}
	if (!isSiteKind(kind)) return foreign(document, kind, apiVersion);
	const wanted = SITE_KINDS[kind].apiVersion;
	if (apiVersion !== wanted) {
		const message = `${kind} of apiVersion ${apiVersion} is not known`;
		return {
			...refuse(document, ["apiVersion"], "api-version-wrong", message, `write \`apiVersion: ${wanted}\``),
			...claim(value, kind),
		};
	}
	const result = SITE_KINDS[kind].schema.safeParse(nullsAsAbsent(value));
	const claims = claim(value, kind);
	if (result.success) return { object: compact(result.data), ...claims, findings: [] };
	const subject = claims.claims === undefined ? kind : describe(claims.claims);
	return {
		...claims,
		findings: findingsOfIssues(result.error.issues, {
			document,
			kind,
			subject,
			schema: SITE_KINDS[kind].schema,
		}),
	};
}

function foreign(document: SourceDocument, kind: string, apiVersion: string): Decoded {
	const group = groupOf(apiVersion);
	const meant = nearest(kind, SITE_KIND_NAMES);
	const isOwn = OWN_GROUPS.has(group);
	if ((isOwn && !UNUSED_METAL3_KINDS.has(kind)) || (group === "" && meant !== undefined)) {
		const fix = meant === undefined ? TAKEN : `did you mean \`kind: ${meant}\`? ${TAKEN}`;
		return refuse(
			document,
			["kind"],
			"kind-unknown",
			`${kind} is not a kind of ${apiVersion} that is known`,
			fix,
		);
	}
	const finding: Finding = {
		code: "kind-not-used",
		severity: "warning",
		message: `${kind} (${apiVersion}) is not used by ironstrap`,
		where: document.locate(["kind"]),
		fix: "nothing to do if it is meant for a cluster; it is neither applied nor handed over",
	};
	return { findings: [finding] };
}

function refuse(
	document: SourceDocument,
	path: readonly string[],
	code: string,
	message: string,
	fix: string,
): Decoded {
	return { findings: [{ code, severity: "error", message, where: document.locate(path), fix }] };
}

function claim(value: Record<string, unknown>, kind: string): { claims?: ObjectRef } {
	const metadata = isMapping(value.metadata) ? value.metadata : {};
	const { name, namespace } = metadata;
	if (typeof name !== "string") return {};
	return { claims: { kind, name, namespace: typeof namespace === "string" ? namespace : "default" } };
}

/** Fields that the CRDs call nullable; `null` anywhere else is dropped by the API server as if it were not there. */
const NULLABLE: ReadonlySet<string> = new Set(["hardwareRAIDVolumes", "softwareRAIDVolumes", "start", "end"]);

/** Fields whose content is kept as it is: below `target`, `null` means "remove this field". */
const OPAQUE: ReadonlySet<string> = new Set(["target", "managedFields"]);

/** `null` → `undefined`; the key stays, because an unknown field must be reported even if it is empty. */
function nullsAsAbsent(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(nullsAsAbsent);
	if (!isMapping(value)) return value;
	const pairs = Object.entries(value).map(([key, inner]) => {
		if (inner === null) return [key, NULLABLE.has(key) ? null : undefined];
		return [key, OPAQUE.has(key) ? inner : nullsAsAbsent(inner)];
	});
	return Object.fromEntries(pairs);
}

/** Without the keys that are there but undefined: they would come back as `null` when written out. */
function compact<T>(value: T): T {
	if (Array.isArray(value)) return value.map(compact) as T;
	if (!isMapping(value)) return value;
	const pairs = Object.entries(value).filter(([, inner]) => inner !== undefined);
	return Object.fromEntries(pairs.map(([key, inner]) => [key, compact(inner)])) as T;
}

function isMapping(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
