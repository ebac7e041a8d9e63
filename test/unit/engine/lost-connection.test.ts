import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { connectEngine } from "../../../src/engine/connect.ts";

const { signal } = new AbortController();

/** An engine that describes itself, and answers anything else as the test says. */
async function engine(
	answer: (response: ServerResponse) => void,
): Promise<{ socket: string; end(): Promise<void> }> {
	const folder = await mkdtemp(join(tmpdir(), "ironstrap-engine-"));
	const socket = join(folder, "engine.sock");
	const server = createServer((request, response) => {
		if (/\/(version|info)$/.test(request.url ?? "")) response.end('{"Version":"1"}');
		else answer(response);
	});
	await new Promise<void>((resolve) => server.listen(socket, resolve));
	return {
		socket,
		async end() {
			server.close();
			server.closeAllConnections();
			await rm(folder, { recursive: true });
		},
	};
}

for (const [title, answer] of [
	["before its answer", (response: ServerResponse) => void response.destroy()],
	[
		"in the middle of its answer",
		(response: ServerResponse) => {
			response.writeHead(200, { "content-length": 1000 });
			response.write('{"Id":', () => response.destroy());
		},
	],
] as const)
	test(`an engine that goes away ${title} fails the call`, async (t) => {
		t.timeout(10_000);
		const { end, socket } = await engine(answer);
		const found = await connectEngine({ kind: "auto", socket, environment: {} }, signal);
		await t.throwsAsync(found.containerState("x", signal), { code: "engine-gone" });
		await end();
	});

test("a complete answer is one, also when the connection closes with it", async (t) => {
	const { end, socket } = await engine((response) => {
		response.writeHead(200, { connection: "close" });
		response.end('{"Name":"x","State":{"Status":"running","ExitCode":0,"Pid":7}}');
	});
	const found = await connectEngine({ kind: "auto", socket, environment: {} }, signal);
	t.deepEqual(await found.containerState("x", signal), { status: "running", exitCode: 0, pid: 7 });
	await end();
});
