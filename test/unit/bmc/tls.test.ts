import { generateKeyPairSync } from "node:crypto";
import { createServer as createHttp } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { createServer as createTls, type TlsOptions } from "node:tls";
import test, { type ExecutionContext } from "ava";
import { examineTls } from "../../../src/bmc/tls.ts";
import { issueAuthority, issueLeaf } from "../../../src/pki/certificates.ts";

const limits = { deadlineMs: 3000, signal: new AbortController().signal, now: Date.now };
const day = 86_400_000;

function keys(modulusLength = 2048) {
	return generateKeyPairSync("rsa", {
		modulusLength,
		publicKeyEncoding: { type: "spki", format: "pem" },
		privateKeyEncoding: { type: "pkcs8", format: "pem" },
	});
}

function leaf({ from = -1, to = 30, bits = 2048 }: { from?: number; to?: number; bits?: number } = {}) {
	const validity = {
		notBefore: new Date(Date.now() + from * day),
		notAfter: new Date(Date.now() + to * day),
	};
	const authority = issueAuthority("bmc", keys(), validity, "01");
	const request = { commonName: "bmc-1", names: ["bmc-1"], addresses: ["127.0.0.1"] };
	const { certificate, key } = issueLeaf(request, authority, keys(bits), validity, "02");
	return { cert: certificate, key };
}

async function listening(t: ExecutionContext, server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	t.teardown(() => server.close());
	return (server.address() as AddressInfo).port;
}

const outcome = async (t: ExecutionContext, options: TlsOptions) =>
	examineTls("127.0.0.1", await listening(t, createTls(options)), limits);

test("the certificate is told, and why nobody vouches for it", async (t) => {
	const found = await outcome(t, leaf());
	if (found.kind !== "tls") return t.fail(found.kind);
	t.regex(found.tls.protocol, /^TLSv1\.[23]$/);
	t.regex(found.tls.certificate.subject, /^CN=bmc-1/);
	t.deepEqual(found.tls.certificate.names, ["bmc-1", "127.0.0.1"]);
	t.false(found.tls.certificate.selfSigned);
	t.regex(found.tls.distrust ?? "", /^it was issued by CN=bmc ironstrap CA.*which is no public authority$/);
	t.is(found.localAddress, "127.0.0.1");
});

test("expired, and not valid yet (often the BMC's clock at its making)", async (t) => {
	const expired = await outcome(t, leaf({ from: -30, to: -1 }));
	t.regex(expired.kind === "tls" ? (expired.tls.distrust ?? "") : expired.kind, /^it expired on \d{4}-/);
	const future = await outcome(t, leaf({ from: 5, to: 30 }));
	t.regex(future.kind === "tls" ? (future.tls.distrust ?? "") : future.kind, /^it is valid only from \d{4}-/);
});

test("TLS that Ironic would refuse, too, is refused and named", async (t) => {
	const old = await outcome(t, {
		...leaf(),
		minVersion: "TLSv1.1",
		maxVersion: "TLSv1.1",
		ciphers: "DEFAULT@SECLEVEL=0",
	});
	t.like(old, { kind: "refused", protocol: "TLSv1.1" });
});

test("plain HTTP on the port, and nobody there", async (t) => {
	const port = await listening(t, createHttp());
	t.like(await examineTls("127.0.0.1", port, limits), { kind: "no-tls", localAddress: "127.0.0.1" });
	t.like(await examineTls("127.0.0.1", 1, limits), { kind: "unreachable", code: "ECONNREFUSED" });
	t.like(await examineTls("no-such-name.invalid", 443, limits), { kind: "unreachable" });
});
