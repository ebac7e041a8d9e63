import { generateKeyPairSync } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { Agent } from "undici";
import { imageRoute } from "../../../src/fetch/image-route.ts";
import { issueAuthority, issueLeaf } from "../../../src/pki/certificates.ts";

const signal = new AbortController().signal;

async function listening(t: ExecutionContext, server: ReturnType<typeof createServer>): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	return (server.address() as AddressInfo).port;
}

test("every host that a server redirects to, by whole addresses and by paths", async (t) => {
	const far = await listening(
		t,
		createServer((_request, response) => void response.end()),
	);
	const answer: RequestListener = ({ method, url }, response) => {
		t.is(method, "HEAD", "nothing is downloaded");
		const location = url === "/image" ? "/mirror" : `http://127.0.0.1:${far}/image`;
		response.writeHead(302, { location }).end();
	};
	const near = await listening(t, createServer(answer));
	t.deepEqual(await imageRoute(`http://127.0.0.1:${near}/image`, { signal }), [
		`http://127.0.0.1:${near}/mirror`,
		`http://127.0.0.1:${far}/image`,
	]);
});

test("a circle ends", async (t) => {
	const port = await listening(
		t,
		createServer((_request, response) => void response.writeHead(301, { location: "/" }).end()),
	);
	t.is((await imageRoute(`http://127.0.0.1:${port}/`, { signal }))?.length, 10);
});

test("who cannot be asked is unknown; a checksum leads nowhere", async (t) => {
	t.is(await imageRoute("http://127.0.0.1:1/image", { signal }), undefined);
	t.deepEqual(await imageRoute("d41d8cd98f00b204e9800998ecf8427e", { signal }), []);
});

function keys() {
	return generateKeyPairSync("rsa", {
		modulusLength: 2048,
		publicKeyEncoding: { type: "spki", format: "pem" },
		privateKeyEncoding: { type: "pkcs8", format: "pem" },
	});
}

test("a registry leads to who gives out its tokens, and to where its layers are", async (t) => {
	const validity = {
		notBefore: new Date(Date.now() - 86_400_000),
		notAfter: new Date(Date.now() + 86_400_000),
	};
	const authority = issueAuthority("registry", keys(), validity, "01");
	const request = { commonName: "registry", names: ["registry"], addresses: ["127.0.0.1"] };
	const { certificate, key } = issueLeaf(request, authority, keys(), validity, "02");
	const asked: string[] = [];
	const registry = createTlsServer({ cert: certificate, key }, ({ headers, method, url }, response) => {
		asked.push(`${method} ${url} ${headers.authorization ?? ""}`);
		const answers: Readonly<Record<string, () => void>> = {
			"/v2/": () =>
				response
					.writeHead(401, { "www-authenticate": `Bearer realm="${self}/token",service="registry"` })
					.end(),
			"/token?scope=repository%3Aos%2Fdebian%3Apull&service=registry": () => response.end('{"token":"t0"}'),
			"/v2/os/debian/manifests/13": () => response.end('{"manifests":[{"digest":"sha256:aa"}]}'),
			"/v2/os/debian/manifests/sha256:aa": () => response.end('{"layers":[{"digest":"sha256:bb"}]}'),
			"/v2/os/debian/blobs/sha256:bb": () =>
				response.writeHead(307, { location: `${self}/storage/bb` }).end(),
		};
		(answers[url ?? ""] ?? (() => response.end()))();
	});
	const self: string = `https://127.0.0.1:${await listening(t, registry)}`;
	const dispatcher = new Agent({ connect: { ca: authority.certificate } });
	t.teardown(() => dispatcher.destroy());
	t.deepEqual(await imageRoute(`${self.replace("https", "oci")}/os/debian:13`, { signal, dispatcher }), [
		`${self}/token`,
		`${self}/storage/bb`,
	]);
	t.true(asked.includes("GET /v2/os/debian/manifests/13 Bearer t0"));
	t.true(asked.includes("HEAD /storage/bb "), "the token stays with the registry");
});
