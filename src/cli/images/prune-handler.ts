import { join } from "node:path";
import { formatBytes } from "../../lib/free-space.ts";
import { pruneImages } from "../../lifecycle/prune-images.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { CommonOptions } from "../command.ts";
import { runCommand } from "../run.ts";

export interface PruneFlags extends CommonOptions {
	readonly cacheDir?: string;
	readonly dryRun?: boolean;
}

export function runImagesPrune({ json, cacheDir, dryRun = false }: PruneFlags): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const archiveFolder = cacheDir ?? join(defaultRoots.cache, "images");
		const unused = await pruneImages({
			roots: defaultRoots,
			archiveFolder,
			dryRun,
			emit: report.emit,
			signal,
		});
		const gone = [
			...unused.images.map(({ id, tags, sizeBytes }) => ({ what: tags.join(", ") || id, bytes: sizeBytes })),
			...unused.archives.map(({ archive, record }) => ({ what: archive, bytes: record.bytes })),
		];
		const bytes = gone.reduce((sum, each) => sum + each.bytes, 0);
		const verb = dryRun ? "would be removed" : "removed";
		report.result(
			{ dryRun, removed: gone, bytes },
			gone.length === 0
				? "every image that ironstrap built is in use, or the latest: nothing to do"
				: [
						...gone.map((each) => `${each.what} (${formatBytes(each.bytes)})`),
						`${verb}, together ${formatBytes(bytes)}`,
					].join("\n"),
		);
		return undefined;
	});
}
