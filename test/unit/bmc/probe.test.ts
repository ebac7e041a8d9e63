import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcp } from "node:net";
import test, { type ExecutionContext } from "ava";
import { probeBmc } from "../../../src/bmc/probe.ts";
import { parseProbeTarget } from "../../../src/bmc/target.ts";
import type { IronstrapError } from "../../../src/lib/errors.ts";
import { lenovo } from "./_vendors.ts";

const credentials = { username: "admin", password: "s3cret" };
const limits = { signal: new AbortController().signal, connectMs: 500, requestMs: 1000, totalMs: 5000 };

async function listening(
	t: ExecutionContext,
	server: Server | ReturnType<typeof createTcp>,
): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
	t.teardown(() => server.close());
	return (server.address() as AddressInfo).port;
}

const http = (t: ExecutionContext, listener: RequestListener) => listening(t, createServer(listener));
const probe = (address: string, login: typeof credentials | undefined = credentials) =>
	probeBmc(parseProbeTarget(address), { ...limits, credentials: login });
const refusal = (t: ExecutionContext, address: string) => t.throwsAsync<IronstrapError>(probe(address));

/** A BMC whose session service answers `login` and whose systems answer `systems`. */
function bmc(
	login: number,
	systems: number,
	body: object = {},
): { listener: RequestListener; seen: string[] } {
	const seen: string[] = [];
	return {
		seen,
		listener(request, response) {
			seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`.trim());
			const isLogin = request.url?.endsWith("/Sessions") === true;
			const isRoot = request.url === "/redfish/v1/";
			const status = request.method === "DELETE" ? 204 : isLogin ? login : isRoot ? 200 : systems;
			const document = isRoot || status === 200 ? lenovo[request.url ?? ""] : body;
			const token = isLogin && login === 201 ? { "X-Auth-Token": "t", Location: "/redfish/v1/s/1" } : {};
			response.writeHead(status, { "content-type": "application/json", ...token });
			response.end(status === 204 ? undefined : JSON.stringify(document ?? {}));
		},
	};
}

test("accepted: the systems are read, the session is ended, nothing is written", async (t) => {
	const { listener, seen } = bmc(201, 200);
	const port = await http(t, listener);
	const found = await probe(`http://127.0.0.1:${port}`);
	t.is(found.authentication, "accepted");
	t.is(found.proposals[0]?.address, `redfish-virtualmedia+http://127.0.0.1:${port}/redfish/v1/Systems/1`);
	t.is(found.endpoint.localAddress, "127.0.0.1");
	t.deepEqual(
		seen.filter((line) => !line.startsWith("GET ")),
		["POST /redfish/v1/SessionService/Sessions", "DELETE /redfish/v1/s/1"],
	);
});

test("a BMC without a session to spare gets the log-in with each request", async (t) => {
	const { listener, seen } = bmc(503, 200);
	const found = await probe(`http://127.0.0.1:${await http(t, listener)}`);
	t.is(found.authentication, "accepted");
	t.true(seen.includes("GET /redfish/v1/Systems Basic YWRtaW46czNjcmV0"));
});

test("wrong, too few rights, an initial password, and no log-in at all are told apart", async (t) => {
	const change = {
		error: { "@Message.ExtendedInfo": [{ MessageId: "Base.1.8.PasswordChangeRequired" }] },
	};
	for (const [login, systems, body, expected] of [
		[401, 401, {}, "refused"],
		[400, 401, {}, "refused"],
		[201, 403, {}, "lacking-rights"],
		[201, 403, change, "must-change-password"],
		[201, 500, {}, "unknown"],
		[503, 401, {}, "refused"],
	] as const) {
		const port = await http(t, bmc(login, systems, body).listener);
		const found = await probe(`http://127.0.0.1:${port}`);
		t.is(found.authentication, expected, `${login} ${systems}`);
		t.true(found.warnings.length > 0);
	}
	const { listener, seen } = bmc(201, 401);
	const found = await probeBmc(parseProbeTarget(`http://127.0.0.1:${await http(t, listener)}`), {
		...limits,
		credentials: undefined,
	});
	t.is(found.authentication, "none-given");
	t.false(seen.some((line) => line.startsWith("POST")));
});

test("a password is not sent over HTTP that nobody asked for", async (t) => {
	const { listener, seen } = bmc(201, 401);
	const found = await probe(`127.0.0.1:${await http(t, listener)}`);
	t.is(found.authentication, "not-sent");
	t.false(seen.some((line) => line.startsWith("POST") || line.includes("Basic")));
	t.regex(found.warnings[0] ?? "", /write http:\/\//);
});

test("a system that is not there: those that are", async (t) => {
	const error = await refusal(
		t,
		`http://127.0.0.1:${await http(t, bmc(201, 200).listener)}/redfish/v1/Systems/9`,
	);
	t.is(error?.code, "bmc-system-unknown");
	t.is(error?.seen, "it has /redfish/v1/Systems/1");
});

test("nobody, another web server, and a port that says nothing", async (t) => {
	const closed = await listening(t, createTcp());
	t.is((await refusal(t, "http://127.0.0.1:1"))?.code, "bmc-unreachable");
	t.is((await refusal(t, "no-such-name.invalid"))?.code, "bmc-unreachable");
	const page = await http(t, (_request, response) => response.end("<html>Welcome</html>"));
	const other = await refusal(t, `127.0.0.1:${page}`);
	t.is(other?.code, "bmc-not-found");
	t.regex(other?.seen ?? "", /GET \/redfish\/v1\/ answers 200 without a JSON document/);
	t.is((await refusal(t, `127.0.0.1:${closed}`))?.code, "bmc-not-found");
});

test("an interrupted probe ends at once, with the reason", async (t) => {
	const port = await listening(t, createTcp());
	const controller = new AbortController();
	const probing = probeBmc(parseProbeTarget(`https://127.0.0.1:${port}`), {
		...{ ...limits, connectMs: 60_000, totalMs: 60_000 },
		credentials,
		signal: controller.signal,
	});
	controller.abort(new Error("Ctrl-C"));
	await t.throwsAsync(probing, { message: "Ctrl-C" });
});

test("a BMC that takes for ever is given up", async (t) => {
	const port = await http(t, (request, response) => {
		if (request.url === "/redfish/v1/") response.end(JSON.stringify(lenovo["/redfish/v1/"]));
	});
	const error = await t.throwsAsync<IronstrapError>(
		probeBmc(parseProbeTarget(`http://127.0.0.1:${port}`), {
			...{ ...limits, requestMs: 60_000, totalMs: 400 },
			credentials,
		}),
	);
	t.is(error?.code, "bmc-slow");
});
