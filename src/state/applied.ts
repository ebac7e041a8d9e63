import { readFile } from "node:fs/promises";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { BootstrapSpec } from "../resources/bootstrap.ts";
import type { Site } from "../resources/site.ts";
import { type AppliedSite, serialiseSite, siteFromApplied } from "../site/applied.ts";
import type { SitePaths } from "./layout.ts";
import type { SecretStore } from "./secret-store.ts";

/** The first line of the stored manifests: they are YAML, and a comment is where a format version can stand. */
const header = "# ironstrap applied site, format version 1\n";
const secretName = "site-secrets";

/** Stores a site as it was applied: manifests readable by root, Secrets in the secret store. */
export async function storeApplied(site: Site, paths: SitePaths, secrets: SecretStore): Promise<void> {
	const applied = serialiseSite(site);
	// the Secrets first: manifests without them would be taken for a complete site
	await secrets.write(secretName, applied.secrets);
	await writeFileAtomic(paths.applied, `${header}${applied.manifests}`, { mode: 0o600 });
}

/** Whether exactly this site is stored already. */
export async function appliedMatches(site: Site, paths: SitePaths, secrets: SecretStore): Promise<boolean> {
	const wanted = serialiseSite(site);
	const stored = await readTexts(paths, secrets);
	return stored?.manifests === wanted.manifests && stored.secrets === wanted.secrets;
}

/** The same, or `undefined` when there is none. */
export async function readAppliedIfAny(paths: SitePaths, secrets: SecretStore): Promise<Site | undefined> {
	return (await readTexts(paths, secrets)) === undefined ? undefined : readApplied(paths, secrets);
}

/** The site as it was applied last. Errors: `site-not-up` when there is none, `state-too-new`. */
export async function readApplied(paths: SitePaths, secrets: SecretStore): Promise<Site> {
	const stored = await readTexts(paths, secrets);
	if (stored === undefined)
		throw new IronstrapError({
			code: "site-not-up",
			message: "this site was never applied completely",
			fix: "run `ironstrap up -f …` with its manifests",
		});
	return siteFromApplied(stored, { manifests: paths.applied, secrets: "the stored Secrets" });
}

/** Like `readApplied`, for those who can do without: `undefined` when no site was stored completely. */
export async function findApplied(paths: SitePaths, secrets: SecretStore): Promise<Site | undefined> {
	const stored = await readTexts(paths, secrets);
	return stored === undefined ? undefined : siteFromApplied(stored);
}

/** Where an applied site's engine is; what `auto` finds when nothing was stored. */
export function engineOf(applied: Site | undefined): BootstrapSpec["engine"] {
	return applied === undefined ? { kind: "auto" } : applied.bootstrap.spec.engine;
}

async function readTexts(paths: SitePaths, secrets: SecretStore): Promise<AppliedSite | undefined> {
	const text = await readFile(paths.applied, "utf8").catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return undefined;
		throw error;
	});
	const secretText = await secrets.read(secretName);
	if (text === undefined || secretText === undefined) return undefined;
	if (!text.startsWith(header))
		throw new IronstrapError({
			code: "state-too-new",
			message: `${paths.applied} was written by a newer ironstrap`,
			seen: text.split("\n")[0],
			fix: "use the ironstrap that wrote it, or a later one",
		});
	return { manifests: text.slice(header.length), secrets: secretText };
}
