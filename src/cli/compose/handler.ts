import { composeText } from "../../lifecycle/compose.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { runCommand } from "../run.ts";

export function runCompose({ json, site }: SiteOptions): Promise<number> {
	return runCommand(json, async ({ report, signal }) => {
		const text = await composeText({ site, roots: defaultRoots, signal, emit: report.emit });
		report.result({ compose: text }, text.trimEnd());
		return undefined;
	});
}
