import type { SourceRef } from "../lib/errors.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { Bootstrap } from "../resources/bootstrap.ts";
import type { ConfigMap, Secret } from "../resources/core.ts";
import type { HardwareData } from "../resources/hardware-data.ts";
import type { Ironic } from "../resources/ironic.ts";
import { describe, type ObjectRef } from "../resources/site.ts";
import { type Decoded, decodeDocument } from "./decode.ts";
import type { Path, SourceDocument } from "./document.ts";
import type { Finding } from "./finding.ts";
import type { SiteKind, SiteObject } from "./kinds.ts";

/** The objects of all documents that could be read, before it is known whether they make a site. */
export interface Draft {
	readonly ironics: readonly Ironic[];
	readonly bootstraps: readonly Bootstrap[];
	readonly hosts: readonly BareMetalHost[];
	readonly hardwareData: readonly HardwareData[];
	readonly secrets: readonly Secret[];
	readonly configMaps: readonly ConfigMap[];
	/** Every document, also those of foreign kinds and those that were refused. */
	readonly documents: readonly SourceDocument[];
	/** True if an object of this name, or any object of this kind, was written but could not be read. */
	readonly isBroken: (
		kind: SiteKind,
		object?: { readonly namespace: string; readonly name: string },
	) => boolean;
	readonly locate: (object: SiteObject, path: Path) => SourceRef | undefined;
	readonly locateKey: (object: SiteObject, path: Path) => SourceRef | undefined;
	readonly documentOf: (object: SiteObject) => SourceDocument | undefined;
}

export interface DraftResult {
	readonly draft: Draft;
	readonly findings: readonly Finding[];
}

/** Reads every document. `textIsBroken`: some text could not be read at all, so that anything may have been in it. */
export function draftOf(documents: readonly SourceDocument[], textIsBroken: boolean): DraftResult {
	const decoded = documents.map((document) => ({ document, ...decodeDocument(document) }));
	const origin = new Map<SiteObject, SourceDocument>();
	for (const { object, document } of decoded) if (object) origin.set(object, document);
	const objects = [...origin.keys()];
	const broken = decoded.filter(isRefused);
	const brokenNames = new Set(broken.flatMap(({ claims }) => (claims ? [describe(claims)] : [])));
	const draft: Draft = {
		ironics: ofKind(objects, "Ironic"),
		bootstraps: ofKind(objects, "Bootstrap"),
		hosts: ofKind(objects, "BareMetalHost"),
		hardwareData: ofKind(objects, "HardwareData"),
		secrets: ofKind(objects, "Secret"),
		configMaps: ofKind(objects, "ConfigMap"),
		documents,
		isBroken: (kind, object) => {
			// An object that does not even tell its kind or name may be the one that is looked for.
			if (textIsBroken || broken.some(({ claims }) => claims === undefined)) return true;
			if (object) return brokenNames.has(describe({ kind, ...object }));
			return broken.some(({ claims }) => claims?.kind === kind);
		},
		locate: (object, path) => origin.get(object)?.locate(path),
		locateKey: (object, path) => origin.get(object)?.locateKey(path),
		documentOf: (object) => origin.get(object),
	};
	return { draft, findings: decoded.flatMap(({ findings }) => findings) };
}

export function refOf(object: SiteObject): ObjectRef {
	return { kind: object.kind, namespace: object.metadata.namespace, name: object.metadata.name };
}

function isRefused({ object, findings }: Decoded): boolean {
	return object === undefined && findings.some(({ severity }) => severity === "error");
}

function ofKind<Kind extends SiteKind>(objects: readonly SiteObject[], kind: Kind) {
	return objects.filter((object): object is Extract<SiteObject, { kind: Kind }> => object.kind === kind);
}
