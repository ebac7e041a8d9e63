import test, { type ExecutionContext } from "ava";
import forge from "node-forge";
import { createIronicClient, type IronicClientOptions } from "../../../src/ironic/client.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import { CA, leafFor } from "../../support/certificate.ts";
import { type Asked, type Canned, fault, recordedIronic } from "./_server.ts";

const UUID = "5c9f4d9e-6d5e-4f9a-9f50-0d3a1d0f2b11";

async function connected(
	t: ExecutionContext,
	answer: (asked: Asked, count: number) => Canned,
	options: Partial<IronicClientOptions> & { maximum?: string } = {},
) {
	const server = await recordedIronic(
		answer,
		options.maximum === undefined ? {} : { maximum: options.maximum },
	);
	const client = createIronicClient({ baseUrl: server.baseUrl, retryMs: 2000, ...options });
	t.teardown(async () => {
		await client.close();
		await server.close();
	});
	return { client, asked: server.asked };
}

const code = (error: unknown) => (error instanceof IronstrapError ? error.code : String(error));

test("the newest version that both sides know is spoken", async (t) => {
	for (const [maximum, spoken] of [
		["1.96", "1.96"],
		["1.115", "1.96"],
		["1.82", "1.82"],
	] as const) {
		const { client, asked } = await connected(t, () => ({ body: { nodes: [] } }), { maximum });
		t.is(await client.version(), spoken);
		await client.listNodes();
		t.is(asked[0]?.headers["x-openstack-ironic-api-version"], spoken);
	}
	const { client } = await connected(t, () => ({}), { maximum: "1.58" });
	const error = await t.throwsAsync(client.version(), { instanceOf: IronstrapError });
	t.is(error.code, "ironic-version");
	t.is(error.seen, "the server has 1.1 to 1.58, ironstrap 1.81 to 1.96");
});

test("credentials are sent as HTTP basic authentication, and wrong ones are told as such", async (t) => {
	const { client, asked } = await connected(
		t,
		() => ({ status: 401, body: { error: { message: "Incorrect username or password", code: 401 } } }),
		{
			username: "ironic",
			password: "p:w",
		},
	);
	const error = await t.throwsAsync(client.drivers(), { instanceOf: IronstrapError });
	t.is(asked[0]?.headers.authorization, `Basic ${Buffer.from("ironic:p:w").toString("base64")}`);
	t.is(error.code, "ironic-unauthorized");
	t.is(error.seen, "HTTP 401: Incorrect username or password");
	t.false(JSON.stringify(error).includes("p:w"));
});

test("lists follow only the marker, never the host that Ironic names, and include child nodes", async (t) => {
	const { client, asked } = await connected(t, (_, count) =>
		count === 1
			? { body: { nodes: [{ uuid: "a" }], next: "https://public.example:6385/v1/nodes?limit=1&marker=a" } }
			: { body: { nodes: [{ uuid: "b" }] } },
	);
	t.deepEqual(
		(await client.listNodes()).map(({ uuid }) => uuid),
		["a", "b"],
	);
	t.deepEqual(
		asked.map(({ url }) => url),
		["/v1/nodes?detail=true&include_children=true", "/v1/nodes?detail=true&include_children=true&marker=a"],
	);
});

test("an API that does not know include_children is not asked for it", async (t) => {
	const { client, asked } = await connected(t, () => ({ body: { nodes: [] } }), { maximum: "1.82" });
	await client.listNodes();
	t.is(asked[0]?.url, "/v1/nodes?detail=true");
});

test("a node that Ironic does not have is undefined; a 404 of something else is an error", async (t) => {
	const missing = await connected(t, () => ({
		status: 404,
		body: fault(`Node metal3~cp-0 could not be found.`),
	}));
	t.is(await missing.client.findNode("metal3~cp-0"), undefined);
	t.is(missing.asked[0]?.url, "/v1/nodes/metal3~cp-0");
	const proxy = await connected(t, () => ({
		status: 404,
		text: "<!DOCTYPE HTML><title>404 Not Found</title>",
	}));
	t.is(code(await t.throwsAsync(proxy.client.findNode("metal3~cp-0"))), "ironic-not-ironic");
});

test("a locked node is tried again until it is free", async (t) => {
	const { client, asked } = await connected(t, (_, count) =>
		count < 3
			? {
					status: 409,
					body: fault(
						`Node ${UUID} is locked by host labs-ironic, please retry after the current operation is completed.`,
					),
				}
			: { status: 202 },
	);
	await client.setProvisionState(UUID, { target: "manage" });
	t.is(asked.length, 3);
	t.deepEqual(asked[2]?.body, { target: "manage" });
});

test("a node that stays locked is told when the deadline has passed", async (t) => {
	const words = `Node ${UUID} is locked by host labs-ironic, please retry after the current operation is completed.`;
	const { client } = await connected(t, () => ({ status: 409, body: fault(words) }), { retryMs: 600 });
	const error = await t.throwsAsync(client.patchNode(UUID, []), { instanceOf: IronstrapError });
	t.is(error.code, "ironic-conflict");
	t.is(error.message, `Ironic refused PATCH /v1/nodes/${UUID}`);
	t.is(error.seen, `HTTP 409: ${words}`);
});

test("any other conflict is told at once", async (t) => {
	const { client, asked } = await connected(t, () => ({
		status: 409,
		body: fault("A node with name metal3~cp-0 already exists."),
	}));
	t.is(
		code(await t.throwsAsync(client.createNode({ name: "metal3~cp-0", driver: "redfish", driver_info: {} }))),
		"ironic-conflict",
	);
	t.is(asked.length, 1);
});

test("a full worker pool is waited for", async (t) => {
	const { client, asked } = await connected(t, (_, count) =>
		count === 1
			? {
					status: 503,
					body: fault("Requested action cannot be performed due to lack of free conductor workers."),
				}
			: { status: 202 },
	);
	await client.setProvisionState(UUID, { target: "inspect" });
	t.is(asked.length, 2);
});

test("the caller's signal ends a wait for a lock", async (t) => {
	const { client } = await connected(t, () => ({ status: 409, body: fault("Node x is locked by host y") }), {
		retryMs: 60_000,
	});
	const controller = new AbortController();
	const call = client.setPowerState(UUID, "power on", { signal: controller.signal });
	setTimeout(() => controller.abort(new Error("interrupted")), 100);
	await t.throwsAsync(call);
	t.true(controller.signal.aborted);
});

test("an inventory that does not exist yet is undefined", async (t) => {
	const { client, asked } = await connected(t, () => ({
		status: 404,
		body: fault(`Inventory for node ${UUID} not found`),
	}));
	t.is(await client.inventory(UUID), undefined);
	t.is(asked[0]?.url, `/v1/nodes/${UUID}/inventory`);
});

test("maintenance is set with a reason and cleared without a body", async (t) => {
	const { client, asked } = await connected(t, () => ({ status: 202 }));
	await client.setMaintenance(UUID, "ironstrap.io/r-1");
	await client.setMaintenance(UUID, undefined);
	t.deepEqual(
		asked.map(({ method, body }) => [method, body]),
		[
			["PUT", { reason: "ironstrap.io/r-1" }],
			["DELETE", undefined],
		],
	);
});

test("nobody there is told with the address", async (t) => {
	const client = createIronicClient({ baseUrl: "http://127.0.0.1:9", retryMs: 300 });
	t.teardown(() => client.close());
	const error = await t.throwsAsync(client.drivers(), { instanceOf: IronstrapError });
	t.is(error.code, "ironic-unreachable");
	t.regex(error.seen ?? "", /ECONNREFUSED/);
});

test("TLS is verified against the given CA only", async (t) => {
	const { key, cert } = selfSigned();
	const server = await recordedIronic(() => ({ body: { drivers: [] } }), { tls: { key, cert } });
	const trusting = createIronicClient({ baseUrl: server.baseUrl, ca: cert });
	const other = createIronicClient({ baseUrl: server.baseUrl, ca: selfSigned().cert, retryMs: 300 });
	const none = createIronicClient({ baseUrl: server.baseUrl, retryMs: 300 });
	t.teardown(async () => {
		await Promise.all([trusting.close(), other.close(), none.close()]);
		await server.close();
	});
	t.deepEqual(await trusting.drivers(), []);
	t.is(code(await t.throwsAsync(other.drivers())), "ironic-certificate");
	t.is(code(await t.throwsAsync(none.drivers())), "ironic-certificate");
});

test("a certificate that is good for another address only is taken where that address is expected", async (t) => {
	const leaf = leafFor([], ["172.22.0.1"], {
		notBefore: new Date(Date.now() - 60_000),
		notAfter: new Date(Date.now() + 3_600_000),
	});
	const server = await recordedIronic(() => ({ body: { drivers: [] } }), {
		tls: { key: leaf.key, cert: leaf.certificate },
	});
	const client = (serverName?: string) =>
		createIronicClient({ baseUrl: server.baseUrl, ca: CA.certificate, retryMs: 300, serverName });
	const [expecting, other, plain] = [client("172.22.0.1"), client("172.22.0.2"), client()];
	t.teardown(async () => {
		await Promise.all([expecting.close(), other.close(), plain.close()]);
		await server.close();
	});
	t.deepEqual(await expecting.drivers(), []);
	for (const refusing of [other, plain])
		t.is(code(await t.throwsAsync(refusing.drivers())), "ironic-certificate");
});

function selfSigned(): { key: string; cert: string } {
	const keys = forge.pki.rsa.generateKeyPair(2048);
	const certificate = forge.pki.createCertificate();
	certificate.publicKey = keys.publicKey;
	certificate.serialNumber = "01";
	certificate.validity.notBefore = new Date(Date.now() - 60_000);
	certificate.validity.notAfter = new Date(Date.now() + 3_600_000);
	const subject = [{ name: "commonName", value: `test ${Math.random()}` }];
	certificate.setSubject(subject);
	certificate.setIssuer(subject);
	certificate.setExtensions([
		{ name: "basicConstraints", cA: true },
		{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] },
	]);
	certificate.sign(keys.privateKey, forge.md.sha256.create());
	return { key: forge.pki.privateKeyToPem(keys.privateKey), cert: forge.pki.certificateToPem(certificate) };
}
