import type { SourceRef } from "../../lib/errors.ts";
import type { BareMetalHost } from "../../resources/bare-metal-host.ts";
import { bmcIdentity, parseBmcAddress } from "../../resources/bmc-address.ts";
import { describe } from "../../resources/site.ts";
import { type Draft, refOf } from "../draft.ts";
import type { Finding } from "../finding.ts";
import type { SiteObject } from "../kinds.ts";
import { attempt } from "./ironic-rule.ts";
import { on, type SiteRule } from "./site-rule.ts";

/** Nothing that must be unique occurs twice: objects, Ironic, Bootstrap, boot MACs, BMCs. */
export const duplicates: SiteRule = function* (draft) {
	yield* objects(draft);
	yield* oneOfEach(draft);
	yield* sameOfTwoHosts(
		draft,
		"boot-mac-twice",
		["spec", "bootMACAddress"],
		({ spec }) => spec.bootMACAddress,
	);
	yield* sameOfTwoHosts(draft, "bmc-address-twice", ["spec", "bmc", "address"], ({ spec }) => {
		const { bmc } = spec;
		return bmc && attempt(() => bmcIdentity(parseBmcAddress(bmc.address)));
	});
};

function* objects(draft: Draft): Iterable<Finding> {
	const first = new Map<string, SiteObject>();
	const all = [
		...draft.ironics,
		...draft.bootstraps,
		...draft.hosts,
		...draft.hardwareData,
		...draft.secrets,
		...draft.configMaps,
	];
	for (const object of all) {
		const name = describe(refOf(object));
		const other = first.get(name);
		if (other)
			yield on(draft, object, ["metadata", "name"], "object-twice", {
				message: `${name} is given twice`,
				fix: `remove one of the two; the other is at ${placeText(draft.locate(other, ["metadata", "name"]))}`,
			});
		else first.set(name, object);
	}
}

function* oneOfEach(draft: Draft): Iterable<Finding> {
	for (const [kind, list] of [
		["Ironic", draft.ironics],
		["Bootstrap", draft.bootstraps],
	] as const)
		for (const object of list.slice(1)) {
			const [first] = list;
			if (first && describe(refOf(first)) !== describe(refOf(object)))
				yield on(draft, object, ["metadata", "name"], `${kind.toLowerCase()}-more-than-one`, {
					message: `a site has one ${kind}, and ${describe(refOf(first))} is one already`,
					fix: `remove one of the two; the other is at ${placeText(draft.locate(first, ["metadata", "name"]))}`,
				});
		}
	if (draft.ironics.length === 0 && !draft.isBroken("Ironic"))
		yield {
			code: "ironic-missing",
			severity: "error",
			message: "no Ironic is among the manifests",
			where: draft.documents[0]?.locate([]),
			fix: "add one (`apiVersion: ironic.metal3.io/v1alpha1`, `kind: Ironic`), or name its file too",
		};
}

function* sameOfTwoHosts(
	draft: Draft,
	code: string,
	path: readonly string[],
	identity: (host: BareMetalHost) => string | undefined,
): Iterable<Finding> {
	const first = new Map<string, BareMetalHost>();
	for (const host of draft.hosts) {
		const id = identity(host);
		if (id === undefined) continue;
		const other = first.get(id);
		if (!other) first.set(id, host);
		// The same object given twice has been reported as such.
		else if (describe(refOf(other)) !== describe(refOf(host)))
			yield on(draft, host, path, code, {
				message: `\`${path.slice(1).join(".")}\` is that of ${describe(refOf(other))} too`,
				fix: `give each host its own; the other is at ${placeText(draft.locate(other, path))}`,
			});
	}
}

function placeText(where: SourceRef | undefined): string {
	return where === undefined ? "an unknown place" : `${where.file}:${where.line}:${where.column}`;
}
