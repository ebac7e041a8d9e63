import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An engine as far as its description of itself goes; the path of its socket. */
export async function describedEngine(version: object, info: object): Promise<string> {
	const socket = join(mkdtempSync(join(tmpdir(), "engine-")), "e.sock");
	const server = createServer((request, response) => {
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify(request.url?.includes("version") ? version : info));
	});
	await new Promise<void>((resolve) => server.listen(socket, resolve));
	server.unref();
	return socket;
}
