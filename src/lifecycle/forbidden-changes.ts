import type { Site } from "../resources/site.ts";
import { failOnErrors } from "../site/finding.ts";
import { lintChange } from "../site/lint-change.ts";
import { readAppliedIfAny } from "../state/applied.ts";
import type { SitePaths } from "../state/layout.ts";
import type { SecretStore } from "../state/secret-store.ts";

/**
 * Throws all changes that a site which was applied cannot take, before the new text takes the place of the applied
 * one. Codes: `database-changed`, `boot-mac-changed`.
 */
export async function refuseForbiddenChanges(
	wanted: Site,
	paths: SitePaths,
	secrets: SecretStore,
): Promise<void> {
	const applied = await readAppliedIfAny(paths, secrets);
	if (applied !== undefined) failOnErrors([...lintChange(applied, wanted)]);
}
