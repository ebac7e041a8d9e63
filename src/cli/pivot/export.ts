import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { withExportSource } from "../../lifecycle/export-source.ts";
import { exportBundle } from "../../pivot/bundle.ts";
import { collectHosts } from "../../pivot/host-export.ts";
import { writeBundle } from "../../pivot/write-bundle.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { runCommand } from "../run.ts";
import { takeOverOf } from "./flags.ts";

export interface ExportFlags extends SiteOptions {
	readonly export: string;
	readonly as: string;
}

export function runExport({ as, export: target, json, site: wanted }: ExportFlags): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const takeOver = takeOverOf(as);
		const directory = resolve(target);
		let hosts = 0;
		await withExportSource(
			{ site: wanted, roots: defaultRoots, emit: report.emit, signal },
			async (source) => {
				const { credentials, dump, ironic, site, store } = source;
				const exports = await collectHosts({ site, ironic, store }, signal);
				const files = exportBundle({
					site,
					hosts: exports,
					access: { credentials: credentials.api, tls: credentials.tls },
					runId: randomBytes(4).toString("hex"),
					createdAt: new Date().toISOString(),
					as: takeOver,
				});
				await writeBundle(files, { directory, site: site.name, dump, signal });
				hosts = exports.length;
			},
		);
		report.result(
			{ bundle: directory, hosts },
			`${hosts} hosts are in ${directory}; its README.md says what is what. It holds secrets: keep it as such.`,
		);
		return undefined;
	});
}
