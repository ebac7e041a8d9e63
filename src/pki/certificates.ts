import forge from "node-forge";

export interface KeyPair {
	readonly certificate: string;
	readonly key: string;
}

/** Keys are made by the caller (PEM, PKCS #8), so that issuing is pure. */
export interface KeyMaterial {
	readonly publicKey: string;
	readonly privateKey: string;
}

export interface Validity {
	readonly notBefore: Date;
	readonly notAfter: Date;
}

const organization = { name: "organizationName", value: "ironstrap" };

/** A site's own certificate authority: signs leaves only (`pathlen:0`). */
export function issueAuthority(name: string, keys: KeyMaterial, validity: Validity, serial: string): KeyPair {
	const certificate = blank(keys, validity, serial);
	const subject = [organization, { name: "commonName", value: `${name} ironstrap CA` }];
	certificate.setSubject(subject);
	certificate.setIssuer(subject);
	certificate.setExtensions([
		{ name: "basicConstraints", cA: true, pathLenConstraint: 0, critical: true },
		{ name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
		{ name: "subjectKeyIdentifier" },
	]);
	certificate.sign(forge.pki.privateKeyFromPem(keys.privateKey), forge.md.sha256.create());
	return { certificate: forge.pki.certificateToPem(certificate), key: keys.privateKey };
}

export interface LeafRequest {
	readonly commonName: string;
	/** Every name and address that a client may use; the certificate is good for nothing else. */
	readonly names: readonly string[];
	readonly addresses: readonly string[];
}

/** A server certificate signed by `authority`. Alternative names: DNS = type 2, IP = type 7 (RFC 5280 §4.2.1.6). */
export function issueLeaf(
	request: LeafRequest,
	authority: KeyPair,
	keys: KeyMaterial,
	validity: Validity,
	serial: string,
): KeyPair {
	const issuer = forge.pki.certificateFromPem(authority.certificate);
	const certificate = blank(keys, validity, serial);
	certificate.setSubject([organization, { name: "commonName", value: request.commonName }]);
	certificate.setIssuer(issuer.subject.attributes);
	certificate.setExtensions([
		{ name: "basicConstraints", cA: false, critical: true },
		{ name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
		{ name: "extKeyUsage", serverAuth: true },
		{ name: "subjectKeyIdentifier" },
		{ name: "authorityKeyIdentifier", keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
		{
			name: "subjectAltName",
			altNames: [
				...request.names.map((value) => ({ type: 2, value })),
				...request.addresses.map((ip) => ({ type: 7, ip })),
			],
		},
	]);
	certificate.sign(forge.pki.privateKeyFromPem(authority.key), forge.md.sha256.create());
	return { certificate: forge.pki.certificateToPem(certificate), key: keys.privateKey };
}

function blank(keys: KeyMaterial, validity: Validity, serial: string): forge.pki.Certificate {
	const certificate = forge.pki.createCertificate();
	certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicKey);
	certificate.serialNumber = serial;
	certificate.validity.notBefore = validity.notBefore;
	certificate.validity.notAfter = validity.notAfter;
	return certificate;
}
