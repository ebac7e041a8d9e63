import { createHmac } from "node:crypto";
import type { SecretStore } from "../state/secret-store.ts";

/**
 * A hash over secrets, keyed with a secret of the site's own: what it gives away is whether something has changed.
 * `undefined` before the site's first `up`.
 */
export async function fingerprinter(secrets: SecretStore): Promise<((text: string) => string) | undefined> {
	const key = await secrets.read("hash-key");
	if (key === undefined) return undefined;
	return (text) => createHmac("sha256", key).update(text).digest("hex");
}
