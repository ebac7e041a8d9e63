import { restore } from "../../lifecycle/restore.ts";
import { defaultRoots } from "../../state/layout.ts";
import { keyOf } from "../backup-key.ts";
import type { CommonOptions } from "../command.ts";
import type { KeyFlags } from "../key-option.ts";
import { findingText } from "../render/finding.ts";
import { runCommand } from "../run.ts";

export function runRestore(file: string, flags: KeyFlags & CommonOptions): Promise<number> {
	return runCommand(flags.json, async ({ report, signal }) => {
		const options = { roots: defaultRoots, emit: report.emit, signal };
		const { here, index } = await restore(file, await keyOf(flags), options);
		report.result(
			{ site: index.site, createdAt: index.createdAt, rows: index.database.rows, here },
			[
				`${index.site} is restored, as of ${index.createdAt}. No server was asked for anything.`,
				...(here.length === 0
					? ["Bring it up with `ironstrap up`, which loads its database first."]
					: [
							"Before `ironstrap up`, which loads its database, this must change here or in the site's manifests (`ironstrap up -f`):",
							...here.map((finding) => `  ${findingText(finding)}`),
						]),
			].join("\n"),
		);
		return undefined;
	});
}
