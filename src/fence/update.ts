import type { Fence } from "./fence.ts";

/**
 * For `nft -f`: gives the named sets of a fence that stands the elements of the wanted one, in one transaction. The
 * rules, what they counted and which unknown servers were seen stay.
 */
export function updateElements({ sets, table }: Fence, names: readonly string[]): string {
	const lines = sets
		.filter(({ name }) => names.includes(name))
		.flatMap(({ elements, name }) => [
			`flush set inet ${table} ${name}`,
			...(elements.length === 0 ? [] : [`add element inet ${table} ${name} { ${elements.join(", ")} }`]),
		]);
	return `${lines.join("\n")}\n`;
}

/** For `nft -f`: the table is not there afterwards, whether or not it was before. */
export function removeTable(table: string): string {
	return `table inet ${table}\ndelete table inet ${table}\n`;
}

/** Whether two texts of a fence differ in nothing but what is in sets, and in the head that counts them. */
export function sameButElements(one: string, other: string): boolean {
	const [first, second] = [one, other].map((text) => text.replace(/^(?:#.*|\t+elements = .*)\n/gm, ""));
	return first === second;
}
