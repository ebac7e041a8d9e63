import type { Lab } from "../../../lab/lab.ts";

export interface RedfishAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Record<string, unknown>;
}

export interface RedfishCall {
	readonly method: string;
	readonly path: string;
	readonly body?: unknown;
	/** Default: the lab's own Basic credentials. */
	readonly headers?: Readonly<Record<string, string>>;
}

// The BMC is reachable from inside the sandbox only, so the call is made there. Credentials come by standard input.
const SCRIPT = `
let text = ""; for await (const chunk of process.stdin) text += chunk;
const { url, method, headers, body } = JSON.parse(text);
const response = await fetch(url, { method, headers, body });
const answer = await response.text();
console.log(JSON.stringify({ status: response.status, headers: Object.fromEntries(response.headers), body: answer === "" ? {} : JSON.parse(answer) }));
`;

/** One request to the lab's BMC. */
export async function redfish(
	lab: Lab,
	{ method, path, body, headers }: RedfishCall,
): Promise<RedfishAnswer> {
	const { address, username, password } = lab.bmc;
	const basic = { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
	const input = JSON.stringify({
		url: `${address}${path}`,
		method,
		headers: { "Content-Type": "application/json", ...(headers ?? basic) },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const result = await lab.sandbox.run(process.execPath, ["--input-type=module", "-e", SCRIPT], {
		input,
		env: { NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" },
		timeoutMs: 60_000,
	});
	return JSON.parse(result.stdout) as RedfishAnswer;
}
