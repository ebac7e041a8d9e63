import { createHmac } from "node:crypto";
import type { Engine } from "../engine/engine.ts";
import { imageSize } from "../fetch/image-size.ts";
import type { HostContext } from "../hosts/context.ts";
import { openTurns } from "../hosts/turns.ts";
import { createIronicClient } from "../ironic/client.ts";
import { proxyFor } from "../resources/proxy.ts";
import type { Site } from "../resources/site.ts";
import { plainMediaUrl } from "../stack/endpoints.ts";
import type { StackInputs } from "../stack/inputs.ts";
import { mediaDriverInfo } from "../stack/media.ts";
import { ramdiskProxy } from "../stack/proxy.ts";
import { apiAccess } from "../state/api-access.ts";
import type { SecretStore } from "../state/secret-store.ts";
import { addressKeeper } from "./keep-addresses.ts";
import { stallReader } from "./service-logs.ts";
import type { Session } from "./session.ts";

/** What of the machine the work on hosts needs: its engine, for logs, and its address on the provisioning network. */
export interface HostMachine {
	readonly engine: Engine;
	readonly provisioning: StackInputs["provisioning"];
}

/** Works on a site's hosts through its running Ironic. */
export async function withHosts<T>(
	site: Site,
	{ engine, provisioning }: HostMachine,
	session: Session,
	work: (context: HostContext) => Promise<T>,
): Promise<T> {
	const { hosts, run, secrets } = session;
	const access = await apiAccess(secrets, site.ironic.spec.networking.apiPort);
	const ironic = createIronicClient({ ...access, signal: run.signal });
	const fingerprint = await fingerprinter(secrets);
	const media = plainMediaUrl(site, provisioning.address);
	const stall = stallReader(engine, site.name);
	try {
		return await work({
			...{ site, ironic, store: hosts, plainMediaUrl: media, fingerprint, stall },
			keepAddresses: addressKeeper(engine, session),
			imageSize: (url, signal) => imageSize(url, signal, proxyFor(site, url)),
			driverInfo: (host) => ({
				...ramdiskProxy(site, { provisioning }),
				...mediaDriverInfo(site, provisioning, host),
			}),
			watchEveryMs: 1000,
			turns: openTurns(site.bootstrap.spec.limits),
		});
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
