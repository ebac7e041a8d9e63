import { createHmac } from "node:crypto";
import { imageSize } from "../fetch/image-size.ts";
import type { HostContext } from "../hosts/context.ts";
import { createIronicClient } from "../ironic/client.ts";
import type { Site } from "../resources/site.ts";
import { plainMediaUrl } from "../stack/endpoints.ts";
import { apiAccess } from "../state/api-access.ts";
import type { SecretStore } from "../state/secret-store.ts";
import type { Session } from "./session.ts";

/** Works on a site's hosts through its running Ironic. `address` is this machine's on the provisioning network. */
export async function withHosts<T>(
	site: Site,
	address: string,
	{ hosts, run, secrets }: Session,
	work: (context: HostContext) => Promise<T>,
): Promise<T> {
	const access = await apiAccess(secrets, site.ironic.spec.networking.apiPort);
	const ironic = createIronicClient({ ...access, signal: run.signal });
	const fingerprint = await fingerprinter(secrets);
	const media = plainMediaUrl(site, address);
	try {
		return await work({ site, ironic, store: hosts, plainMediaUrl: media, imageSize, fingerprint });
	} finally {
		await ironic.close();
	}
}

/** What it gives away of a secret is whether it has changed: the key is a secret of the site's own. */
async function fingerprinter(secrets: SecretStore): Promise<((text: string) => string) | undefined> {
	const key = await secrets.read("hash-key");
	if (key === undefined) return undefined;
	return (text) => createHmac("sha256", key).update(text).digest("hex");
}
