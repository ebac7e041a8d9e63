import { generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { htpasswdLine, matchesHtpasswd } from "../pki/htpasswd.ts";
import type { Site } from "../resources/site.ts";
import type { SecretStore } from "../state/secret-store.ts";
import { ensureAuthority, ensureLeaf } from "./trust.ts";

/** Everything secret that a stack needs. Texts are PEM where they are certificates or keys. */
export interface StackCredentials {
	readonly api: { readonly username: string; readonly password: string };
	readonly htpasswd: string;
	readonly databasePassword: string;
	readonly tls: { readonly certificate: string; readonly key: string; readonly ca: string };
	/** Keys the hashes over secret file contents, so that a label never lets anyone test a guess. */
	readonly hashKey: string;
}

/**
 * Takes the credentials that the site gives (`apiCredentialsName`, `tls.certificateName`) and makes and stores the
 * rest once: a second run finds the same ones. `addresses` are those that the certificate must be good for.
 */
export async function ensureCredentials(
	site: Site,
	store: SecretStore,
	addresses: readonly string[],
	now: Date,
): Promise<StackCredentials> {
	const api = await apiCredentials(site, store);
	await keep(store, "api-username", api.username);
	await keep(store, "api-password", api.password);
	const tls = await serverCertificate(site, store, addresses, now);
	await keep(store, "api-ca", tls.ca);
	await keep(store, "api-server-name", serverName(tls.certificate, addresses));
	return {
		api,
		htpasswd: await storedHtpasswd(store, api),
		databasePassword: await store.ensure("database-password", randomPassword),
		tls,
		hashKey: await store.ensure("hash-key", randomPassword),
	};
}

/** Stores what is not stored yet: each write waits for the disk, and most runs change nothing. */
async function keep(store: SecretStore, name: string, value: string): Promise<void> {
	if ((await store.read(name)) !== value) await store.write(name, value);
}

async function apiCredentials(site: Site, store: SecretStore): Promise<StackCredentials["api"]> {
	const given = siteSecret(site, site.ironic.spec.apiCredentialsName);
	// IrSO trims both values, so what a person pasted with a newline works there and must work here
	if (given !== undefined)
		return { username: (given.username ?? "").trim(), password: (given.password ?? "").trim() };
	return {
		username: await store.ensure("api-username", () => "ironic"),
		password: await store.ensure("api-password", randomPassword),
	};
}

/** bcrypt salts anew on every call: the stored line is kept while it fits, or every `up` would change a file. */
async function storedHtpasswd(store: SecretStore, api: StackCredentials["api"]): Promise<string> {
	const known = await store.read("api-htpasswd");
	if (known !== undefined && (await matchesHtpasswd(known, api.username, api.password))) return known;
	const line = await htpasswdLine(api.username, api.password);
	await store.write("api-htpasswd", line);
	return line;
}

async function serverCertificate(
	site: Site,
	store: SecretStore,
	addresses: readonly string[],
	now: Date,
): Promise<StackCredentials["tls"]> {
	const given = siteSecret(site, site.ironic.spec.tls.certificateName);
	if (given !== undefined) {
		const certificate = given["tls.crt"] ?? "";
		return { certificate, key: given["tls.key"] ?? "", ca: given["ca.crt"] ?? certificate };
	}
	const authority = await ensureAuthority(site.name, store, now, newKeys);
	const { metadata, spec } = site.ironic;
	const external = spec.networking.externalIP;
	const leaf = await ensureLeaf(
		{
			commonName: `${site.name} ironic`,
			// the last one is what BMO calls the API in the target cluster, which keeps this certificate
			names: ["localhost", `${metadata.name}.${metadata.namespace}.svc`],
			addresses: [
				...new Set(["127.0.0.1", ...addresses, ...(external === undefined ? [] : [external])]),
			].filter((address) => isIP(address) !== 0),
		},
		authority,
		store,
		now,
		newKeys,
	);
	return { ...leaf, ca: authority.certificate };
}

/**
 * What our own client checks the certificate for. A user's own is good for the addresses that it was asked for, and
 * cert-manager's never is for loopback, where the full API is.
 */
function serverName(certificate: string, addresses: readonly string[]): string {
	const leaf = new X509Certificate(certificate);
	const known = ["127.0.0.1", ...addresses].filter((address) => isIP(address) !== 0);
	return known.find((address) => leaf.checkIP(address) !== undefined) ?? "127.0.0.1";
}

function siteSecret(site: Site, name: string | undefined): Readonly<Record<string, string>> | undefined {
	const { namespace } = site.ironic.metadata;
	return site.secrets.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace)
		?.data;
}

/** 32 characters of `[A-Za-z0-9_-]`, 192 bits: safe in every file and URL that a password ends up in. */
function randomPassword(): string {
	return randomBytes(24).toString("base64url");
}

/** RSA, because the library that issues certificates knows no elliptic curves. */
function newKeys(bits: number): { publicKey: string; privateKey: string } {
	return generateKeyPairSync("rsa", {
		modulusLength: bits,
		publicKeyEncoding: { type: "spki", format: "pem" },
		privateKeyEncoding: { type: "pkcs8", format: "pem" },
	});
}
