import { X509Certificate } from "node:crypto";

export interface CertificateFacts {
	/** One line: `CN=idrac, O=Dell Inc.`. */
	readonly subject: string;
	readonly issuer: string;
	/** ISO times. */
	readonly validFrom: string;
	readonly validTo: string;
	readonly selfSigned: boolean;
	/** Names and addresses that it was issued for. */
	readonly names: readonly string[];
	/** SHA-256, colon form. */
	readonly fingerprint: string;
}

/** Reads a certificate in DER form. */
export function certificateFacts(der: Uint8Array): CertificateFacts {
	const certificate = new X509Certificate(der);
	return {
		subject: oneLine(certificate.subject),
		issuer: oneLine(certificate.issuer),
		validFrom: new Date(certificate.validFrom).toISOString(),
		validTo: new Date(certificate.validTo).toISOString(),
		selfSigned: certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey),
		names: (certificate.subjectAltName ?? "")
			.split(", ")
			.filter((name) => name !== "")
			.map((name) => name.replace(/^(?:DNS|IP Address):/, "")),
		fingerprint: certificate.fingerprint256,
	};
}

function oneLine(name: string): string {
	return name.split("\n").reverse().join(", ");
}

/** Why a certificate is not trusted, from the code that Node gives, in words. */
export function distrustText(code: string, certificate: CertificateFacts, now: number): string {
	if (Date.parse(certificate.validTo) < now) return `it expired on ${certificate.validTo.slice(0, 10)}`;
	if (Date.parse(certificate.validFrom) > now)
		return `it is valid only from ${certificate.validFrom.slice(0, 10)} on`;
	if (certificate.selfSigned) return "it is self-signed";
	if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
		return `it was issued for ${certificate.names.join(", ") || certificate.subject}`;
	return `it was issued by ${certificate.issuer}, which is no public authority`;
}
