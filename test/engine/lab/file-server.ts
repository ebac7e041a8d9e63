// Serves the files of one directory: node file-server.js ADDRESS PORT DIRECTORY [CERTIFICATE KEY]
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { basename, join } from "node:path";

const [address, port, directory = ".", certificate, key] = process.argv.slice(2);
const serve: RequestListener = (request, response) => {
	const file = join(directory, basename(request.url ?? ""));
	if (existsSync(file)) createReadStream(file).pipe(response);
	else response.writeHead(404).end();
};
const server =
	certificate === undefined || key === undefined
		? createServer(serve)
		: createTlsServer({ cert: readFileSync(certificate), key: readFileSync(key) }, serve);
server.listen(Number(port), address, () => console.log("listening"));
