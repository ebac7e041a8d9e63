import type { TakeOver } from "./host-export.ts";

export const BUNDLE_KIND = "ironstrap-pivot-bundle";

/** Recognises a bundle: `bundle.json`. */
export interface BundleIndex {
	readonly formatVersion: 1;
	readonly kind: typeof BUNDLE_KIND;
	readonly site: string;
	readonly run: string;
	/** RFC 3339, UTC. */
	readonly createdAt: string;
	readonly takeOver: TakeOver;
	readonly hosts: readonly { readonly namespace: string; readonly name: string; readonly node: string }[];
}
