import { readAsset } from "../../assets/assets.ts";
import type { CommonOptions } from "../command.ts";
import { runCommand } from "../run.ts";

/** A manifest, to be piped into kubectl. */
export function runRbac({ json }: CommonOptions): Promise<number> {
	return runCommand(json, async ({ report }) => {
		const manifest = readAsset("kubernetes/pivot-rbac.yaml");
		report.result({ manifest }, manifest.trimEnd());
		return undefined;
	});
}
