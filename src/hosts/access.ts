import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import { credentialsOf } from "../resources/credentials.ts";
import type { StoredHost } from "../state/host-store.ts";
import type { HostContext } from "./context.ts";
import { findSecret } from "./host-data.ts";

/**
 * A fingerprint of how the host's BMC is reached: address, certificate check, user name and password. `undefined`
 * where the context keeps none or the host has no BMC.
 */
export function accessOf({ fingerprint, site }: HostContext, host: BareMetalHost): string | undefined {
	const { bmc } = host.spec;
	if (fingerprint === undefined || bmc === undefined) return undefined;
	const secret = findSecret(host, site, ["bmc", "credentialsName"], bmc.credentialsName);
	const { username, password } = credentialsOf(secret);
	const { address, disableCertificateVerification = false } = bmc;
	return fingerprint(JSON.stringify([address, disableCertificateVerification, username, password]));
}

/** The BMC is to be reached otherwise than Ironic was told. */
export function accessChanged(context: HostContext, host: BareMetalHost, stored?: StoredHost): boolean {
	return stored?.access !== undefined && stored.access !== accessOf(context, host);
}
