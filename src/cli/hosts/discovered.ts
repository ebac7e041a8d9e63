import { formatAge } from "../../hosts/rows.ts";
import { type DiscoveredServer, discoveredServers } from "../../lifecycle/discovered.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { table } from "../render/table.ts";
import { runCommand } from "../run.ts";

export function runDiscovered({ json, site }: SiteOptions): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const found = await discoveredServers(site, defaultRoots, signal);
		report.result(found, discoveredText(found.servers, Date.now()));
		return undefined;
	});
}

/** Exported for its test. */
export function discoveredText(servers: readonly DiscoveredServer[], now: number): string {
	const [first] = servers;
	if (first === undefined) return "no unknown server asked for anything during the last hour";
	const ago = (time: string) => formatAge(now - Date.parse(time));
	const rows = servers.map(({ firmware, firstSeen, lastSeen, mac, protocols, vendor }) => [
		mac,
		vendor ?? "",
		firmware ?? "",
		protocols.join(", "),
		ago(firstSeen),
		ago(lastSeen),
	]);
	return [
		table(["MAC", "VENDOR", "FIRMWARE", "ASKED FOR", "FIRST SEEN", "LAST SEEN"], rows),
		"",
		`\`ironstrap hosts add --mac ${first.mac}\` lets one in.`,
	].join("\n");
}
