import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Asked {
	readonly method: string;
	readonly url: string;
	readonly headers: IncomingMessage["headers"];
	readonly body: unknown;
}

export interface Canned {
	readonly status?: number;
	readonly body?: unknown;
	/** Sent as it is instead of JSON. */
	readonly text?: string;
}

export interface RecordedIronic {
	readonly baseUrl: string;
	readonly asked: Asked[];
	close(): Promise<void>;
}

const VERSIONS = {
	"x-openstack-ironic-api-minimum-version": "1.1",
	"x-openstack-ironic-api-maximum-version": "1.96",
};

/** Answers with what a real Ironic answered once; `GET /v1` is always there. */
export async function recordedIronic(
	answer: (asked: Asked, count: number) => Canned,
	options: { readonly maximum?: string; readonly tls?: { readonly key: string; readonly cert: string } } = {},
): Promise<RecordedIronic> {
	const asked: Asked[] = [];
	const listener: RequestListener = (request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			const text = Buffer.concat(chunks).toString();
			const one: Asked = {
				method: request.method ?? "",
				url: request.url ?? "",
				headers: request.headers,
				body: text === "" ? undefined : JSON.parse(text),
			};
			const isVersion = one.url === "/v1";
			if (!isVersion) asked.push(one);
			const canned: Canned = isVersion
				? { body: { name: "OpenStack Ironic API" } }
				: answer(one, asked.length);
			const maximum = options.maximum ?? VERSIONS["x-openstack-ironic-api-maximum-version"];
			response.writeHead(canned.status ?? 200, {
				...VERSIONS,
				"x-openstack-ironic-api-maximum-version": maximum,
				"content-type": "application/json",
			});
			response.end(canned.text ?? (canned.body === undefined ? "" : JSON.stringify(canned.body)));
		});
	};
	const server: Server =
		options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
		asked,
		close: () =>
			new Promise((resolve) => {
				server.closeAllConnections();
				server.close(() => resolve());
			}),
	};
}

/** The double wrapping of Ironic's API (`parsable_error.py`). */
export function fault(faultstring: string): unknown {
	return { error_message: JSON.stringify({ faultcode: "Client", faultstring, debuginfo: null }) };
}
