/** One object of what `nft -j list table` prints: `{ "rule": { … } }`, `{ "set": { … } }`. */
export type NftObject = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** How the kernel's table compares with the one that was rendered. */
export type Comparison =
	| { readonly verdict: "intact" }
	/** The rules are right, and these sets have other elements. */
	| { readonly verdict: "elements"; readonly sets: readonly string[] }
	| { readonly verdict: "altered" };

/**
 * Compares two listings of a table. What the kernel numbers and counts, and what it learnt by itself (elements that
 * time out), is left out. Order counts for rules, not inside sets.
 */
export function compareListings(found: readonly NftObject[], wanted: readonly NftObject[]): Comparison {
	if (structure(found) !== structure(wanted)) return { verdict: "altered" };
	const ours = elements(wanted);
	const sets = [...elements(found)].filter(([name, text]) => ours.get(name) !== text).map(([name]) => name);
	return sets.length === 0 ? { verdict: "intact" } : { verdict: "elements", sets };
}

function structure(listing: readonly NftObject[]): string {
	const own = listing.filter((object) => !("metainfo" in object));
	const rules = own.filter((object) => "rule" in object).map((object) => JSON.stringify(plain(object)));
	const rest = own.filter((object) => !("rule" in object)).map((object) => JSON.stringify(plain(object)));
	return JSON.stringify([rest.sort(), rules]);
}

/** Elements of the sets that only ironstrap fills, as one text a set. */
function elements(listing: readonly NftObject[]): ReadonlyMap<string, string> {
	return new Map(
		listing
			.flatMap(({ set }) => (set === undefined || "timeout" in set ? [] : [set]))
			.map((set) => [String(set.name), JSON.stringify(sorted((set.elem as unknown[] | undefined) ?? []))]),
	);
}

/** Keys that say nothing about what a table does. */
const fleeting: ReadonlySet<string> = new Set(["handle", "elem", "packets", "bytes"]);

function plain(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(plain);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([key]) => !fleeting.has(key))
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([key, inner]) => [key, key === "set" && Array.isArray(inner) ? sorted(inner) : plain(inner)]),
	);
}

function sorted(values: readonly unknown[]): readonly unknown[] {
	return values
		.map((value) => JSON.stringify(plain(value)))
		.sort()
		.map((text) => JSON.parse(text) as unknown);
}
