import { IronstrapError } from "../lib/errors.ts";
import type { SecretStore } from "./secret-store.ts";

const LOOPBACK = "127.0.0.1";

/** How this machine reaches the full API of a site's Ironic. */
export interface ApiAccess {
	readonly baseUrl: string;
	/** PEM of the CA that the API's certificate is checked against. */
	readonly ca: string;
	/** What the certificate is good for: a user's own need not name loopback. */
	readonly serverName: string;
	readonly username: string;
	readonly password: string;
}

/** The full API is published on loopback only; what it takes to use it was stored when the stack was rendered. */
export async function apiAccess(store: SecretStore, port: number): Promise<ApiAccess> {
	const [ca, username, password] = await Promise.all(
		["api-ca", "api-username", "api-password"].map((name) => store.read(name)),
	);
	if (ca === undefined || username === undefined || password === undefined)
		throw new IronstrapError({
			code: "site-not-up",
			message: "this site has no API credentials yet",
			fix: "run `ironstrap up -f …` first",
		});
	const serverName = (await store.read("api-server-name")) ?? LOOPBACK;
	return { baseUrl: `https://${LOOPBACK}:${port}`, ca, serverName, username, password };
}
