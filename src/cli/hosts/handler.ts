import { hostRows } from "../../hosts/rows.ts";
import { chooseSite } from "../../lifecycle/session.ts";
import { readApplied } from "../../state/applied.ts";
import { openHostStore } from "../../state/host-store.ts";
import { defaultRoots, sitePaths } from "../../state/layout.ts";
import { openSecretStore } from "../../state/secret-store.ts";
import type { SiteOptions } from "../command.ts";
import { hostTable } from "../render/host-table.ts";
import { runCommand } from "../run.ts";

export function runHosts({ json, site: wanted }: SiteOptions): Promise<number> {
	return runCommand(json, async ({ report }) => {
		const name = await chooseSite(wanted, defaultRoots);
		const paths = sitePaths(name, defaultRoots);
		const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
		const stored = await openHostStore(paths.hostsDirectory).list();
		const rows = hostRows(site, stored, Date.now());
		report.result({ site: name, rows, hosts: stored }, rows.length === 0 ? "no hosts" : hostTable(rows));
		return undefined;
	});
}
