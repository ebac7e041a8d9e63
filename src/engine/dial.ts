import type Docker from "dockerode";

export interface DialRequest {
	readonly path: string;
	readonly method: "GET" | "POST" | "DELETE";
	readonly body?: unknown;
	readonly signal: AbortSignal;
	/** Codes that are no failure. */
	readonly statusCodes: Readonly<Record<number, true>>;
}

/** A call that dockerode has no noun for: Podman's own API. A body goes out as JSON. */
export async function dial(docker: Docker, request: DialRequest): Promise<unknown> {
	return new Promise((resolve, reject) => {
		docker.modem.dial(
			{
				path: request.path,
				method: request.method,
				statusCodes: request.statusCodes,
				abortSignal: request.signal,
				...(request.body === undefined ? {} : { options: request.body as object }),
			},
			(error: unknown, result: unknown) => {
				if (error instanceof Error) reject(error);
				else if (error) reject(new Error(String(error)));
				else resolve(result);
			},
		);
	});
}
