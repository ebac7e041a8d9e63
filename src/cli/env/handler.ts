import { readFile } from "node:fs/promises";
import { clientAccess } from "../../lifecycle/client-access.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { SiteOptions } from "../command.ts";
import { runCommand } from "../run.ts";

export interface EnvFlags extends SiteOptions {
	readonly clouds?: boolean;
}

export function runEnv({ clouds, json, site }: EnvFlags): Promise<number> {
	return runCommand(json, async ({ report }) => {
		const access = await clientAccess(site, defaultRoots);
		for (const message of access.notes) report.emit({ type: "note", level: "warning", message });
		const text =
			clouds === true
				? (await readFile(access.cloudsFile, "utf8")).trimEnd()
				: [
						`export OS_CLIENT_CONFIG_FILE=${access.cloudsFile}`,
						`export OS_CLOUD=${access.cloud}`,
						`# run: eval "$(ironstrap env)", then for example: baremetal node list`,
					].join("\n");
		report.result(access, text);
		return undefined;
	});
}
