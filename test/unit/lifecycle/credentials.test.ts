import { X509Certificate } from "node:crypto";
import test from "ava";
import { ensureCredentials } from "../../../src/lifecycle/credentials.ts";
import type { Site } from "../../../src/resources/site.ts";
import type { SecretStore } from "../../../src/state/secret-store.ts";
import { CA, leafFor } from "../../support/certificate.ts";

function memoryStore(): SecretStore & { readonly map: Map<string, string> } {
	const map = new Map<string, string>();
	return {
		map,
		read: async (name) => map.get(name),
		write: async (name, value) => void map.set(name, value),
		async ensure(name, make) {
			const value = map.get(name) ?? (await make());
			map.set(name, value);
			return value;
		},
		remove: async (name) => void map.delete(name),
		list: async () => [...map.keys()],
	};
}

function site(secrets: Record<string, Record<string, string>> = {}, spec: object = {}): Site {
	return {
		name: "metal3",
		ironic: {
			metadata: { name: "ironic", namespace: "default" },
			spec: { networking: {}, tls: {}, ...spec },
		},
		secrets: Object.entries(secrets).map(([name, data]) => ({
			metadata: { name, namespace: "default" },
			data,
		})),
	} as unknown as Site;
}

const now = new Date("2026-08-01T10:00:00Z");

test("credentials are made once: a second run changes nothing", async (t) => {
	const store = memoryStore();
	const first = await ensureCredentials(site(), store, ["172.22.0.1"], now);
	t.deepEqual(await ensureCredentials(site(), store, ["172.22.0.1"], now), first);
	t.regex(first.api.password, /^[A-Za-z0-9_-]{32}$/);
	t.regex(first.htpasswd, /^ironic:\$2[aby]\$10\$/);
});

test("the certificate is good for loopback, the provisioning address and the target's service name, and is signed by the CA", async (t) => {
	const { tls } = await ensureCredentials(site(), memoryStore(), ["172.22.0.1", "fd00:1abc::1"], now);
	const certificate = new X509Certificate(tls.certificate);
	t.truthy(certificate.checkIP("127.0.0.1"));
	t.truthy(certificate.checkIP("172.22.0.1"));
	t.truthy(certificate.checkIP("fd00:1abc::1"));
	t.truthy(certificate.checkHost("ironic.default.svc"));
	t.is(certificate.checkIP("172.22.0.2"), undefined);
	t.true(certificate.verify(new X509Certificate(tls.ca).publicKey));
	t.false(certificate.ca);
});

test("a new address or a near end renews the leaf and keeps the CA", async (t) => {
	const store = memoryStore();
	const first = await ensureCredentials(site(), store, ["172.22.0.1"], now);
	const moved = await ensureCredentials(site(), store, ["172.22.0.9"], now);
	t.not(moved.tls.certificate, first.tls.certificate);
	t.is(moved.tls.ca, first.tls.ca);
	const nextYear = new Date("2027-08-15T00:00:00Z");
	const renewed = await ensureCredentials(site(), store, ["172.22.0.9"], nextYear);
	t.not(renewed.tls.certificate, moved.tls.certificate);
});

test("what our own client expects of the certificate: loopback of ours, an asked address of a user's", async (t) => {
	const store = memoryStore();
	await ensureCredentials(site(), store, ["172.22.0.1"], now);
	t.is(store.map.get("api-server-name"), "127.0.0.1");
	const leaf = leafFor([], ["172.22.0.1"]);
	const secret = { "tls.crt": leaf.certificate, "tls.key": leaf.key, "ca.crt": CA.certificate };
	const given = site({ cert: secret }, { tls: { certificateName: "cert" } });
	await ensureCredentials(given, store, ["172.22.0.1"], now);
	t.is(store.map.get("api-server-name"), "172.22.0.1");
});

test("given credentials are taken, trimmed as IrSO trims them; the hash follows a changed password", async (t) => {
	const store = memoryStore();
	const given = site({ api: { username: "admin\n", password: "s3cret\n" } }, { apiCredentialsName: "api" });
	const first = await ensureCredentials(given, store, [], now);
	t.deepEqual(first.api, { username: "admin", password: "s3cret" });
	const changed = site({ api: { username: "admin", password: "other" } }, { apiCredentialsName: "api" });
	t.not((await ensureCredentials(changed, store, [], now)).htpasswd, first.htpasswd);
});

test("what bcrypt cannot tell apart and what a password file cannot hold is refused", async (t) => {
	const long = site({ api: { username: "admin", password: "ü".repeat(37) } }, { apiCredentialsName: "api" });
	await t.throwsAsync(ensureCredentials(long, memoryStore(), [], now), { code: "api-password-too-long" });
	const odd = site({ api: { username: "ad:min", password: "x" } }, { apiCredentialsName: "api" });
	await t.throwsAsync(ensureCredentials(odd, memoryStore(), [], now), { code: "api-username-characters" });
});
