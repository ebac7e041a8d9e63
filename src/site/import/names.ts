import type { ImportedHost, Say } from "./imported.ts";

/** Kubernetes allows 253 for the object, and its Secrets need room for their endings. */
const MAX_LENGTH = 200;

/**
 * A valid object name for every host, each once, in their order. A UUID would be taken for a node's own id by Ironic.
 */
export function assignNames(hosts: readonly ImportedHost[], say: Say): string[] {
	const taken = new Set<string>();
	return hosts.map(({ name, where }, index) => {
		const valid = validName(name) || `host-${index + 1}`;
		let chosen = valid;
		for (let count = 2; taken.has(chosen); count++) chosen = `${valid}-${count}`;
		taken.add(chosen);
		if (chosen !== name)
			say({
				kind: "inferred",
				where,
				host: name,
				field: "name",
				note:
					chosen === valid
						? `renamed to ${chosen}: a name that Kubernetes takes`
						: `renamed to ${chosen}: the name is given twice`,
			});
		return chosen;
	});
}

export function validName(name: string): string {
	const simple = name
		.normalize("NFKD")
		.toLowerCase()
		.replaceAll("ß", "ss")
		.replace(/[\u0300-\u036f]/g, "")
		.slice(0, MAX_LENGTH)
		.split(".")
		.map((part) => part.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, ""))
		.filter((part) => part !== "")
		.join(".");
	return /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/.test(simple) ? `node-${simple}` : simple;
}
