import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import {
	issueAuthority,
	issueLeaf,
	type KeyMaterial,
	type KeyPair,
	type LeafRequest,
} from "../pki/certificates.ts";
import type { SecretStore } from "../state/secret-store.ts";

const day = 24 * 3600 * 1000;
/** Long enough to outlive the hand-over: the target keeps this CA. */
const authorityDays = 3650;
const authorityBits = 3072;
/** Under the 398 days that clients accept. */
const leafDays = 397;
const leafBits = 2048;
const renewBeforeDays = 30;
/** A server whose clock is behind must still accept what was issued just now. */
const backdateDays = 1;

/** The site's CA, made once. */
export async function ensureAuthority(
	site: string,
	store: SecretStore,
	now: Date,
	newKeys: (bits: number) => KeyMaterial,
): Promise<KeyPair> {
	const certificate = await store.read("ca-certificate");
	const key = await store.read("ca-key");
	if (certificate !== undefined && key !== undefined) return { certificate, key };
	const made = issueAuthority(site, newKeys(authorityBits), validity(now, authorityDays), serial());
	// the key first: a certificate without its key would be taken for a complete CA
	await store.write("ca-key", made.key);
	await store.write("ca-certificate", made.certificate);
	return made;
}

/** The listeners' certificate; issued anew when a name is missing, it nears its end, or another CA signed it. */
export async function ensureLeaf(
	request: LeafRequest,
	authority: KeyPair,
	store: SecretStore,
	now: Date,
	newKeys: (bits: number) => KeyMaterial,
): Promise<KeyPair> {
	const certificate = await store.read("tls-certificate");
	const key = await store.read("tls-key");
	if (certificate !== undefined && key !== undefined && serves(certificate, key, request, authority, now))
		return { certificate, key };
	const made = issueLeaf(request, authority, newKeys(leafBits), validity(now, leafDays), serial());
	await store.write("tls-key", made.key);
	await store.write("tls-certificate", made.certificate);
	return made;
}

function serves(pem: string, key: string, request: LeafRequest, authority: KeyPair, now: Date): boolean {
	const certificate = new X509Certificate(pem);
	return (
		request.names.every((name) => certificate.checkHost(name) !== undefined) &&
		request.addresses.every((address) => certificate.checkIP(address) !== undefined) &&
		Date.parse(certificate.validTo) - now.getTime() > renewBeforeDays * day &&
		certificate.checkIssued(new X509Certificate(authority.certificate)) &&
		certificate.checkPrivateKey(createPrivateKey(key))
	);
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
	return {
		notBefore: new Date(now.getTime() - backdateDays * day),
		notAfter: new Date(now.getTime() + days * day),
	};
}

/** 128 random bits; the first is 0, because DER would read a 1 as a negative number. */
function serial(): string {
	const bytes = randomBytes(16);
	bytes.writeUInt8(bytes.readUInt8(0) & 0x7f, 0);
	return bytes.toString("hex");
}
