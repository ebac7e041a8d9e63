/** Another way to ask for something that must not be had. `line` is the request line without its version. */
export interface Trick {
	readonly line: string;
	readonly headers?: readonly string[];
	readonly body?: string;
	/** Default `HTTP/1.1`. */
	readonly version?: string;
}

const uuid = "11111111-2222-3333-4444-555555555555";

/** Ways to spell `/v1/nodes` (and other things that need the password) that some program may understand. */
const spellings = [
	"/v1/nodes",
	"/v1/nodes/",
	"/v1/nodes/detail",
	`/v1/nodes/${uuid}`,
	`/v1/nodes/${uuid}/states`,
	"/v1/drivers",
	"/v1/ports",
	"/v1/conductors",
	"/v1/allocations",
	"/v1/nodes.json",
	"/v1.json",
	"/nodes",
	"/nodes/",
	"/V1/NODES",
	"/v1/Nodes",
	"//v1/nodes",
	"/v1//nodes",
	"///v1///nodes",
	"/./v1/nodes",
	"/v1/./nodes",
	"/v1/../v1/nodes",
	"/v1/lookup/../nodes",
	"/v1/lookup/..;/nodes",
	"/v1/lookup;/../nodes",
	`/v1/heartbeat/${uuid}/../../nodes`,
	"/v1/continue_inspection/../nodes",
	"/v1/%2e%2e/v1/nodes",
	"/v1/%2e/nodes",
	"/v1/lookup/%2e%2e/nodes",
	"/v1/lookup%2f..%2fnodes",
	"/v1/lookup/%2e%2e%2fnodes",
	"/v1/lookup%252f..%252fnodes",
	"/v1/%6eodes",
	"/%76%31/nodes",
	"/v1%2fnodes",
	"/v1%2Fnodes",
	"/v1\\nodes",
	"/v1/lookup\\..\\nodes",
	"/v1/nodes.",
	"/v1/nodes..",
	"/v1./nodes",
	"/v1/nodes%20",
	"/v1/nodes%00",
	"/v1/lookup%00/../nodes",
	"/v1/nodes%0d%0aX:%20y",
	"/v1/nodes;x=1",
	"/v1/nodes?x=/v1/lookup",
	"/v1/nodes#/v1/lookup",
	"/v1?/nodes",
	"/?/v1/nodes",
	"*",
	"v1/nodes",
];

const methods = [
	"HEAD",
	"POST",
	"PUT",
	"PATCH",
	"DELETE",
	"OPTIONS",
	"TRACE",
	"CONNECT",
	"PROPFIND",
	"get",
	"G\u00c9T",
];

/** Headers by which proxies and frameworks take another address, method, path or user for the real one. */
const headerTricks = [
	"X-HTTP-Method-Override: GET",
	"X-Method-Override: DELETE",
	"X-Original-URL: /v1/lookup",
	"X-Rewrite-URL: /v1/lookup",
	"X-Forwarded-For: 127.0.0.1",
	"X-Real-IP: 127.0.0.1",
	"Forwarded: for=127.0.0.1;host=127.0.0.1",
	"X-Forwarded-Host: 127.0.0.1:6385",
	"X-Forwarded-Port: 6386",
	"X-Forwarded-Prefix: /v1/lookup",
	"X-Forwarded-User: ironic",
	"X-Remote-User: ironic",
	"REMOTE_USER: ironic",
	"X-Identity-Status: Confirmed",
	"X-Roles: admin",
	"X-Auth-Token: admin",
	"X-Is-Admin-Project: True",
	"OpenStack-System-Scope: all",
	"Connection: close, Authorization",
	"Upgrade: h2c",
];

/** Everything that must be refused on a listener of the API; `authorization` is the right one, which must not help. */
export function apiTricks(authorization: string): readonly Trick[] {
	return [
		...spellings.map((path) => ({ line: `GET ${path}` })),
		...spellings.slice(0, 8).map((path) => ({ line: `GET ${path}`, headers: [authorization] })),
		...methods.map((method) => ({ line: `${method} /v1/nodes` })),
		...headerTricks.map((header) => ({ line: "GET /v1/nodes", headers: [header] })),
		{ line: "GET https://172.22.0.1:6385/v1/nodes" },
		{ line: "GET https://127.0.0.1:6386/v1/nodes" },
		{ line: "GET http://ironic/v1/nodes" },
		{ line: "GET unix:/run/ironic/api.sock|http://ironic/v1/nodes" },
		{ line: "CONNECT 127.0.0.1:6386" },
		{ line: "GET /v1/nodes", version: "HTTP/1.0" },
		{ line: "GET /v1/nodes", version: "HTTP/2.0" },
		{ line: "GET /v1/nodes", version: "HTTP/1.1 HTTP/1.1" },
		{ line: "GET\t/v1/nodes" },
		{ line: "GET  /v1/nodes" },
		{ line: "POST /v1/nodes", headers: ["Content-Type: application/json"], body: '{"driver":"redfish"}' },
		{ line: `DELETE /v1/nodes/${uuid}` },
		{ line: `PUT /v1/nodes/${uuid}/states/power`, body: '{"target":"power off"}' },
		{ line: `POST /v1/heartbeat/${uuid}/x`, body: "{}" },
		{ line: "POST /v1/lookup", body: "{}" },
		{ line: "GET /v1/continue_inspection" },
	];
}

/** A request within a request: whatever answers the first must not pass the second on unseen. */
export const smuggled: readonly string[] = [
	smuggle("GET /v1", ["Content-Length: 31", "Transfer-Encoding: chunked"]),
	smuggle(`POST /v1/heartbeat/${uuid}`, ["Content-Length: 4", "Transfer-Encoding: chunked"]),
	smuggle("GET /v1", ["Transfer-Encoding: xchunked"]),
	smuggle("GET /v1", ["Content-Length: 0"]),
	smuggle("GET /v1", ["Content-Length: 5", "Content-Length: 0"]),
	smuggle("GET /v1", ["Content-Length : 0"]),
];

function smuggle(line: string, headers: readonly string[]): string {
	const inner = "GET /v1/nodes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
	return `${line} HTTP/1.1\r\nHost: x\r\n${headers.join("\r\n")}\r\n\r\n0\r\n\r\n${inner}`;
}

/** Ways out of the published folder, and into what is not published of it. `%` is a file below `/shared`. */
export function fileTricks(file: string): readonly Trick[] {
	const name = file.split("/").at(-1) ?? "";
	const below = file.replace(/^html\//, "");
	return [
		`/${below}`,
		`/../${file}`,
		`/images/../../${file}`,
		`/images/..%2f..%2f${file}`,
		`/images/%2e%2e/%2e%2e/${file}`,
		`/images/.%2e/.%2e/${file}`,
		`/images/..%252f..%252f${file}`,
		`/images/..\\..\\${file}`,
		`/images/..;/..;/${file}`,
		`/images//../../${file}`,
		`//${below}`,
		`/./${below}`,
		`/%2e/${below}`,
		`/${below}%00.ipxe`,
		`/${below}.`,
		`/${below.toUpperCase()}`,
		`/images/${name}`,
		`http://x/${below}`,
		`file:///shared/${file}`,
	].map((path) => ({ line: `GET ${path}` }));
}

/** The text that goes over the wire. */
export function onTheWire({ body, headers = [], line, version = "HTTP/1.1" }: Trick): string {
	const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
	const all = ["Host: 172.22.0.1", "Connection: close", ...headers, ...length];
	return `${line} ${version}\r\n${all.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
