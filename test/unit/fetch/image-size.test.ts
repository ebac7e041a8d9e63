import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { imageSize } from "../../../src/fetch/image-size.ts";

/** The first 32 bytes that `qemu-img create -f qcow2 IMAGE 1100M` writes. */
const qcow2 = Buffer.from("514649fb0000000300000000000000000000000000000010" + "0000000044c00000", "hex");

async function served(t: ExecutionContext, answer: RequestListener): Promise<string> {
	const server = createServer(answer);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/image`;
}

const signal = new AbortController().signal;

test("a qcow2 image is as large as its header says, whether the server knows ranges or not", async (t) => {
	const ranged = await served(t, (_request, response) => {
		response.writeHead(206, { "content-range": "bytes 0-31/196640" }).end(qcow2);
	});
	t.is(await imageSize(ranged, signal), 1_153_433_600);
	const whole = await served(t, (_request, response) => {
		response.writeHead(200, { "content-length": 196_640 }).end(Buffer.concat([qcow2, Buffer.alloc(196_608)]));
	});
	t.is(await imageSize(whole, signal), 1_153_433_600);
});

test("any other image is as large as the file", async (t) => {
	const raw = await served(t, (_request, response) => {
		response.writeHead(206, { "content-range": "bytes 0-31/2147483648" }).end(Buffer.alloc(32));
	});
	t.is(await imageSize(raw, signal), 2_147_483_648);
});

test("what cannot be asked is unknown, not an error", async (t) => {
	const missing = await served(t, (_request, response) => {
		response.writeHead(404).end("no");
	});
	t.is(await imageSize(missing, signal), undefined);
	t.is(await imageSize("http://127.0.0.1:1/none", signal), undefined);
	t.is(await imageSize("file:///srv/image", signal), undefined);
	t.is(await imageSize("oci://registry.example.org/image", signal), undefined);
});
