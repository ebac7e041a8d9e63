import { createSocket } from "node:dgram";
import { once } from "node:events";
import test, { type ExecutionContext } from "ava";
import { askIpmi } from "../../../src/bmc/ipmi.ts";
import {
	asfPing,
	authenticationCapabilitiesRequest,
	parseIpmiAnswer,
} from "../../../src/bmc/ipmi-packets.ts";

/** An answer as ipmitool's own sources and the specification's §22.13 lay it out: RMCP+, MD5 and password. */
const capabilities = Buffer.from(
	"0600ff07000000000000000000" + "10" + "811c63200038" + "00" + "0e" + "94" + "04" + "02" + "00000000" + "00",
	"hex",
);

test("the requests are those of the specification", (t) => {
	t.is(asfPing(0).toString("hex"), "0600ff06000011be80000000");
	t.is(authenticationCapabilitiesRequest().toString("hex"), "0600ff07000000000000000000092018c88100388e04b5");
});

test("capabilities are read", (t) => {
	t.deepEqual(parseIpmiAnswer(capabilities), {
		version: "2.0",
		authenticationTypes: ["MD5", "password"],
		anonymousLogin: false,
	});
});

test("a pong, and packets that are no answer", (t) => {
	t.is(
		parseIpmiAnswer(Buffer.from("0600ff06000011be40000010000011be000000008100000000000000", "hex")),
		"pong",
	);
	t.is(parseIpmiAnswer(Buffer.alloc(0)), undefined);
	t.is(parseIpmiAnswer(Buffer.from("hello, world")), undefined);
	t.is(parseIpmiAnswer(capabilities.subarray(0, 15)), undefined);
});

async function responder(
	t: ExecutionContext,
	answer: (packet: Buffer) => Buffer | undefined,
): Promise<number> {
	const server = createSocket("udp4");
	t.teardown(() => server.close());
	server.on("message", (packet, { port, address }) => {
		const reply = answer(packet);
		if (reply !== undefined) server.send(reply, port, address);
	});
	server.bind(0, "127.0.0.1");
	await once(server, "listening");
	return server.address().port;
}

test("over UDP: a BMC that answers, one that only pongs, one that loses the first packets, nobody", async (t) => {
	const signal = AbortSignal.timeout(10_000);
	const isRequest = (packet: Buffer) => packet[3] === 0x07;
	const speaking = await responder(t, (packet) => (isRequest(packet) ? capabilities : undefined));
	t.is((await askIpmi("127.0.0.1", { port: speaking, deadlineMs: 5000, signal }))?.version, "2.0");
	const pong = Buffer.from("0600ff06000011be40010010000011be000000008100000000000000", "hex");
	const ponging = await responder(t, (packet) => (isRequest(packet) ? undefined : pong));
	t.deepEqual(await askIpmi("127.0.0.1", { port: ponging, deadlineMs: 300, signal }), {
		version: undefined,
		authenticationTypes: [],
		anonymousLogin: false,
	});
	let lost = 0;
	const lossy = await responder(t, (packet) => (lost++ < 2 || !isRequest(packet) ? undefined : capabilities));
	t.is((await askIpmi("127.0.0.1", { port: lossy, deadlineMs: 1500, signal }))?.version, "2.0");
	const silent = await responder(t, () => undefined);
	t.is(await askIpmi("127.0.0.1", { port: silent, deadlineMs: 300, signal }), undefined);
});
