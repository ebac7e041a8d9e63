import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";

/**
 * A web server for one folder, as a process of its own: `file-server.js FOLDER ADDRESS PORT`. It stands for the image
 * server that a user has somewhere in the network.
 */
export function serveFolder(folder: string, address: string, port: number): void {
	createServer((request, response) => {
		const file = join(folder, basename(decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname)));
		const size = sizeOf(file);
		if (size === undefined || (request.method !== "GET" && request.method !== "HEAD")) {
			response.writeHead(404).end();
			return;
		}
		response.writeHead(200, { "content-length": size, "content-type": "application/octet-stream" });
		if (request.method === "HEAD") response.end();
		else createReadStream(file).pipe(response);
	}).listen(port, address, () => process.stdout.write("listening\n"));
}

function sizeOf(file: string): number | undefined {
	const found = statSync(file, { throwIfNoEntry: false });
	return found?.isFile() === true ? found.size : undefined;
}

const [, script, folder, address, port] = process.argv;
if (script?.endsWith("file-server.js") && folder !== undefined && address !== undefined)
	serveFolder(folder, address, Number(port));
