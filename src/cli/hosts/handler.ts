import { type Candidate, chooseHosts } from "../../hosts/choose.ts";
import { objectOf } from "../../hosts/objects.ts";
import { hostRow } from "../../hosts/rows.ts";
import { hostsOf } from "../../lifecycle/host-verbs.ts";
import { documentText } from "../../site/yaml-text.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { hostTable, wideHostTable } from "../render/host-table.ts";
import { runCommand } from "../run.ts";
import { description } from "./describe.ts";

export interface ListFlags extends SiteOptions {
	readonly output?: "wide" | "json" | "yaml" | "name";
}

export function runHosts(words: readonly string[], { json, output, site }: ListFlags): Promise<number> {
	return runCommand(json, async ({ report }) => {
		const { hosts, site: name } = await hostsOf(site, defaultRoots);
		const chosen = chooseHosts(hosts, words);
		const rows = chosen.map((candidate) => hostRow(candidate, Date.now()));
		const stored = chosen.flatMap((candidate) => candidate.stored ?? []);
		report.result({ site: name, rows, hosts: stored }, listing(chosen, output));
		return undefined;
	});
}

export function runDescribe(words: readonly string[], { json, site }: ListFlags): Promise<number> {
	return runCommand(json, async ({ report }) => {
		const { hosts, site: name } = await hostsOf(site, defaultRoots);
		const chosen = chooseHosts(hosts, words);
		const text = chosen.map((candidate) => description(candidate)).join("\n\n");
		report.result({ site: name, hosts: chosen.map(objectOf) }, text || "no hosts");
		return undefined;
	});
}

/** As `kubectl get baremetalhosts -A -o FORMAT` prints them. Exported for its test. */
export function listing(hosts: readonly Candidate[], output: ListFlags["output"]): string {
	const items = hosts.map(objectOf);
	const rows = hosts.map((candidate) => hostRow(candidate, Date.now()));
	switch (output) {
		case "json":
			return JSON.stringify({ apiVersion: "v1", kind: "List", items }, undefined, 4);
		case "yaml":
			return documentText({ apiVersion: "v1", items, kind: "List" })
				.replace(/^---\n/, "")
				.trimEnd();
		case "name":
			return hosts.map(({ name }) => `baremetalhost.metal3.io/${name}`).join("\n");
		case "wide":
			return rows.length === 0 ? "no hosts" : wideHostTable(rows);
		default:
			return rows.length === 0 ? "no hosts" : hostTable(rows);
	}
}
