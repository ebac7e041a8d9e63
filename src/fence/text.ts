import { IronstrapError } from "../lib/errors.ts";

/** A named set: what comes and goes with hosts lies in sets, so that it can be changed in place. */
export interface FenceSet {
	readonly name: string;
	/** Why it is there; kept by the kernel and shown by `nft list`. */
	readonly comment: string;
	/** nftables' own words: `type ipv4_addr`, `flags interval`. */
	readonly properties: readonly string[];
	readonly elements: readonly string[];
}

export function setText({ comment, elements, name, properties }: FenceSet): string {
	const lines = [...properties, `comment ${quoted(comment)}`];
	if (elements.length > 0) lines.push(`elements = { ${elements.join(", ")} }`);
	return block(`set ${name}`, lines);
}

/** @param hook nftables' own words, e.g. `filter hook input priority filter - 10`; none for a chain that others jump to */
export function chainText(name: string, lines: readonly string[], hook?: string): string {
	return block(`chain ${name}`, [...(hook === undefined ? [] : [`type ${hook}; policy accept;`]), ...lines]);
}

export function block(head: string, lines: readonly string[]): string {
	const inner = lines.flatMap((line) => line.split("\n")).map((line) => (line === "" ? "" : `\t${line}`));
	return [`${head} {`, ...inner, "}"].join("\n");
}

/** nftables has no escapes inside quotes. */
export function quoted(text: string): string {
	return `"${text.replace(/["\\\n]/g, "_")}"`;
}

/** An interface's name as nftables takes it. The kernel allows more characters than can be written in a ruleset. */
export function link(name: string): string {
	if (/^[^\s/"\\*]{1,15}$/.test(name) && !hasControl(name)) return `"${name}"`;
	throw new IronstrapError({
		code: "interface-name-invalid",
		message: "an interface of this machine has a name that nftables cannot take",
		seen: JSON.stringify(name),
		fix: "rename the interface (`ip link set dev OLD name NEW`)",
	});
}

function hasControl(text: string): boolean {
	return [...text].some((character) => character < " " || character === "\u007f");
}

/** `{ a, b }`, or `a` alone. */
export function anyOf(values: readonly (string | number)[]): string {
	return values.length === 1 ? String(values[0]) : `{ ${values.join(", ")} }`;
}

/** `ip saddr`, `ip6 daddr`: the header field of an address's family. */
export function header(address: string, field: "saddr" | "daddr"): string {
	return `${address.includes(":") ? "ip6" : "ip"} ${field}`;
}
