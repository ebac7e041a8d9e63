import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureDirectory, writeFileAtomic } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";
import { type ApiAccess, apiAccess } from "../state/api-access.ts";
import { readApplied } from "../state/applied.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { chooseSite } from "./session.ts";

export interface ClientAccess {
	/** The name of the site's entry in `clouds.yaml`. */
	readonly cloud: string;
	/** 0600, on a tmpfs, gone after `down`. */
	readonly cloudsFile: string;
	readonly endpoint: string;
	readonly notes: readonly string[];
}

/**
 * Writes what OpenStack's clients need to use the site's Ironic from this machine: a `clouds.yaml` and the CA. The
 * password is in that file alone. A site that is not up is the error `site-not-up`.
 */
export async function clientAccess(wanted: string | undefined, roots: StateRoots): Promise<ClientAccess> {
	const name = await chooseSite(wanted, roots);
	const paths = sitePaths(name, roots);
	const secrets = openSecretStore(paths.secretsDirectory);
	const site = await readApplied(paths, secrets);
	const access = await apiAccess(secrets, site.ironic.spec.networking.apiPort);
	if (!existsSync(paths.runDirectory))
		throw new IronstrapError({
			code: "site-not-up",
			message: `${name} is down: no API is there to talk to`,
			fix: "run `ironstrap up -f …` first",
		});
	const directory = join(paths.runDirectory, "client");
	const [caFile, cloudsFile] = [join(directory, "ca.crt"), join(directory, "clouds.yaml")];
	await ensureDirectory(directory, { mode: 0o700 });
	await writeFileAtomic(caFile, access.ca, { mode: 0o600 });
	await writeFileAtomic(cloudsFile, cloudsYaml(name, access, caFile), { mode: 0o600 });
	return { cloud: name, cloudsFile, endpoint: access.baseUrl, notes: notesOn(access) };
}

/**
 * https://docs.openstack.org/openstacksdk/latest/user/config/configuration.html; `http_basic` is keystoneauth's name
 * for Basic authentication without Keystone.
 */
export function cloudsYaml(cloud: string, access: ApiAccess, caFile: string): string {
	const quoted = JSON.stringify; // a JSON string is a YAML string, whatever is in it
	return `clouds:
  ${quoted(cloud)}:
    auth_type: http_basic
    auth:
      endpoint: ${quoted(access.baseUrl)}
      username: ${quoted(access.username)}
      password: ${quoted(access.password)}
    baremetal_endpoint_override: ${quoted(access.baseUrl)}
    cacert: ${quoted(caFile)}
`;
}

/** Our own client knows which name a user's certificate is good for; theirs only knows the address it dials. */
function notesOn({ baseUrl, serverName }: ApiAccess): readonly string[] {
	const { hostname } = new URL(baseUrl);
	if (serverName === hostname) return [];
	return [
		`the certificate of this site is good for ${serverName}, not for ${hostname}: a client will refuse it ` +
			`unless the certificate also names ${hostname}`,
	];
}
