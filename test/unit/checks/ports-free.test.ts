import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import test from "ava";
import { portsFree, takenPorts, type WantedPort } from "../../../src/checks/ports-free.ts";
import type { Listener } from "../../../src/linux/listeners.ts";

const api: WantedPort = { protocol: "tcp", address: "172.22.0.1", port: 6385, use: "the API" };
const dhcp: WantedPort = { protocol: "udp", address: "0.0.0.0", port: 67, interface: "br-prov", use: "DHCP" };

function listener(text: string): Listener {
	const [protocol, address = "", port, link] = text.split(" ");
	return { protocol: protocol as "tcp" | "udp", address, port: Number(port), interface: link, holders: [] };
}

for (const [wanted, found, taken] of [
	[api, "tcp 172.22.0.1 6385", true],
	[api, "tcp 0.0.0.0 6385", true],
	[api, "tcp * 6385", true],
	[api, "tcp 127.0.0.1 6385", false],
	[api, "tcp :: 6385", false],
	[api, "tcp 172.22.0.1 6180", false],
	[api, "udp 172.22.0.1 6385", false],
	[dhcp, "udp 0.0.0.0 67", true],
	[dhcp, "udp 10.0.0.1 67", true],
	[dhcp, "udp 0.0.0.0 67 br-prov", true],
	[dhcp, "udp 0.0.0.0 67 virbr0", false],
	[{ ...api, address: "fd00::1" }, "tcp :: 6385", true],
	[{ ...api, address: "fd00::1" }, "tcp 0.0.0.0 6385", false],
] as const)
	test(`${wanted.use} on ${wanted.address} is ${taken ? "taken" : "not taken"} by ${found}`, (t) => {
		t.is(takenPorts([wanted], [listener(found)]).length, taken ? 1 : 0);
	});

test("who holds a port, and the field that gives it another number", async (t) => {
	const server = createServer().listen(0, "127.0.0.1");
	t.teardown(() => server.close());
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const wanted = { ...api, address: "127.0.0.1", port, field: "Ironic.spec.networking.apiPort" };
	const [fault, ...more] = await portsFree([wanted]).look(new AbortController().signal);
	t.deepEqual(more, []);
	t.is(fault?.code, "port-taken");
	t.regex(
		fault?.message ?? "",
		new RegExp(
			`^TCP port ${port} of 127\\.0\\.0\\.1, for the API, is taken by \\S+ \\(process ${process.pid}\\)$`,
		),
	);
	t.regex(fault?.fix ?? "", /, or give Ironic\.spec\.networking\.apiPort another number$/);
});
