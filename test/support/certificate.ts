import { generateKeyPairSync } from "node:crypto";
import { issueAuthority, issueLeaf, type KeyPair, type Validity } from "../../src/pki/certificates.ts";

/** Making a key takes a second, so there are two in all. */
const [caKeys, leafKeys] = [keys(), keys()];

export const VALID: Validity = {
	notBefore: new Date("2026-01-01T00:00:00Z"),
	notAfter: new Date("2026-12-31T00:00:00Z"),
};

export const CA: KeyPair = issueAuthority("test", caKeys, VALID, "01");

/** A certificate of the test CA that is good for these names and addresses. */
export function leafFor(names: readonly string[], addresses: readonly string[], validity = VALID): KeyPair {
	return issueLeaf({ commonName: "leaf", names, addresses }, CA, leafKeys, validity, "02");
}

function keys() {
	return generateKeyPairSync("rsa", {
		modulusLength: 2048,
		publicKeyEncoding: { type: "spki", format: "pem" },
		privateKeyEncoding: { type: "pkcs8", format: "pem" },
	});
}
