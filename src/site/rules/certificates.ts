import { createPrivateKey, X509Certificate } from "node:crypto";
import { parseIpAddress } from "../../resources/ip.ts";
import type { Ironic } from "../../resources/ironic.ts";
import type { Draft } from "../draft.ts";
import type { Finding } from "../finding.ts";
import { attempt, type Problem } from "./ironic-rule.ts";
import { keyPath } from "./secrets.ts";
import { on } from "./site-rule.ts";

/** What is found out about one certificate before it is in anybody's way. `code` and the problem. */
type Fault = readonly [code: string, key: string, problem: Problem];

/**
 * The certificate that the user gives (`tls.certificateName`): a pair that belongs together, valid at `now` (not looked
 * at when absent), good for every address that will be asked, and signed by the CA that lies beside it.
 */
export function* certificates(draft: Draft, now: Date | undefined): Iterable<Finding> {
	for (const ironic of draft.ironics) {
		const { certificateName } = ironic.spec.tls;
		const secret = draft.secrets.find(
			({ metadata }) => metadata.name === certificateName && metadata.namespace === ironic.metadata.namespace,
		);
		const text = secret?.data["tls.crt"]?.trim();
		if (!secret || !text) continue; // reported as missing
		for (const [code, key, problem] of faults(ironic, draft, secret.data, now))
			yield on(draft, secret, keyPath(draft, secret, key), code, problem);
	}
}

function* faults(
	ironic: Ironic,
	draft: Draft,
	data: Readonly<Record<string, string>>,
	now: Date | undefined,
): Iterable<Fault> {
	const chain = readChain(data["tls.crt"] ?? "");
	const [leaf] = chain ?? [];
	if (!chain || !leaf) {
		yield ["certificate-invalid", "tls.crt", invalid("`tls.crt` is not a PEM certificate")];
		return;
	}
	yield* pair(leaf, data["tls.key"] ?? "");
	yield* authority(chain, data["ca.crt"]);
	if (now) yield* dates(leaf, now);
	yield* names(leaf, ironic, draft);
}

function* pair(leaf: X509Certificate, text: string): Iterable<Fault> {
	if (text.trim() === "") return; // reported as missing
	const key = attempt(() => createPrivateKey(text));
	if (!key)
		yield [
			"certificate-key-invalid",
			"tls.key",
			{
				message: "`tls.key` is not a private key without a passphrase, in PEM",
				fix: "give the key itself; remove a passphrase with `openssl pkey -in KEY -out PLAIN`",
			},
		];
	else if (!attempt(() => leaf.checkPrivateKey(key)))
		yield [
			"certificate-key-foreign",
			"tls.key",
			{
				message: "`tls.key` does not belong to `tls.crt`",
				fix: "give the key with which the certificate was requested; the certificate itself stands first in `tls.crt`",
			},
		];
}

/** Whoever checks the certificate is given `ca.crt`, or `tls.crt` itself if there is none. */
function* authority(chain: readonly X509Certificate[], text: string | undefined): Iterable<Fault> {
	const last = chain.at(-1);
	if (!last) return;
	const given = text === undefined || text.trim() === "" ? undefined : readChain(text);
	if (text?.trim() && !given)
		yield ["certificate-authority-invalid", "ca.crt", invalid("`ca.crt` is not a PEM certificate")];
	else if (given && !given.some((ca) => chain.some((each) => each.checkIssued(ca))))
		yield [
			"certificate-authority-foreign",
			"ca.crt",
			{
				message: "`ca.crt` did not sign `tls.crt`",
				fix: "give the CA that signed it; intermediate ones follow the certificate in `tls.crt`",
			},
		];
	else if (!given && !last.checkIssued(last))
		yield [
			"certificate-authority-missing",
			"tls.crt",
			{
				message:
					"the Secret has no `ca.crt`, and the certificate is not signed by itself: nobody could check it",
				fix: "add `ca.crt`, the CA that signed it",
			},
		];
}

const DAY_MS = 24 * 60 * 60 * 1000;

function* dates(leaf: X509Certificate, now: Date): Iterable<Fault> {
	const left = Date.parse(leaf.validTo) - now.getTime();
	const renew = "issue it anew, or remove `tls.certificateName` to have ironstrap issue one";
	if (left <= 0)
		yield [
			"certificate-expired",
			"tls.crt",
			{
				message: "the certificate has expired",
				seen: `valid until ${leaf.validTo}`,
				fix: renew,
			},
		];
	else if (Date.parse(leaf.validFrom) > now.getTime())
		yield [
			"certificate-not-yet-valid",
			"tls.crt",
			{
				message: "the certificate is not valid yet",
				seen: `valid from ${leaf.validFrom}`,
				fix: "check the clocks of this machine and of the one that issued it",
			},
		];
	else if (left < 7 * DAY_MS)
		yield [
			"certificate-expires-soon",
			"tls.crt",
			{
				severity: "warning",
				message: "the certificate expires within a week",
				seen: `valid until ${leaf.validTo}`,
				fix: renew,
			},
		];
}

/** Ramdisks and BMCs ask by address; the target's baremetal-operator by the name of the Service. */
function* names(leaf: X509Certificate, ironic: Ironic, draft: Draft): Iterable<Fault> {
	const { ipAddress, externalIP } = ironic.spec.networking;
	const listen = draft.bootstraps[0]?.spec.api.listen ?? [];
	const asked = [ipAddress, externalIP, ...listen].flatMap((text) => {
		const ip = text ? attempt(() => parseIpAddress(text)) : undefined;
		return ip ? [ip.text] : [];
	});
	const lacking = [...new Set(asked)].filter((address) => leaf.checkIP(address) === undefined);
	const seen = leaf.subjectAltName ?? "no subjectAltName";
	if (lacking.length > 0)
		yield [
			"certificate-address-missing",
			"tls.crt",
			{
				message: `the certificate is not good for ${lacking.join(", ")}, by which it will be asked`,
				seen,
				fix: `issue it with the subjectAltName ${lacking.map((address) => `IP:${address}`).join(",")} as well`,
			},
		];
	const service = `${ironic.metadata.name}.${ironic.metadata.namespace}.svc`;
	if (leaf.checkHost(service) === undefined)
		yield [
			"certificate-name-missing",
			"tls.crt",
			{
				severity: "warning",
				message: `the certificate is not good for ${service}, the name by which the target cluster asks`,
				seen,
				fix: `issue it with the subjectAltName DNS:${service} as well`,
			},
		];
}

function invalid(message: string): Problem {
	return { message, fix: "give text that starts with -----BEGIN CERTIFICATE-----" };
}

/** All certificates of a PEM text, in its order; `undefined` if there is none or one cannot be read. */
export function readChain(text: string): readonly X509Certificate[] | undefined {
	const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
	const chain = attempt(() => blocks.map((block) => new X509Certificate(block)));
	return chain && chain.length > 0 ? chain : undefined;
}
