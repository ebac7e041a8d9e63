/**
 * The two IPMI messages that need no log-in (IPMI v2.0 §13.1, §13.2.3, §22.13; ASF 2.0 §3.2.4): the presence ping and
 * "Get Channel Authentication Capabilities", which also tells whether RMCP+ (IPMI 2.0) is spoken.
 */

export interface IpmiFacts {
	/** `2.0` where RMCP+ is offered; `undefined` if only the ping was answered. */
	readonly version: "1.5" | "2.0" | undefined;
	/** Log-in methods of IPMI 1.5, strongest last. */
	readonly authenticationTypes: readonly string[];
	/** A session can be opened with an empty user name and password. */
	readonly anonymousLogin: boolean;
}

const RMCP = [0x06, 0x00, 0xff];
const CLASS_ASF = 0x06;
const CLASS_IPMI = 0x07;
const ASF_ENTERPRISE = [0x00, 0x00, 0x11, 0xbe];

/** The presence ping, with a tag that the pong repeats. */
export function asfPing(tag: number): Buffer {
	return Buffer.from([...RMCP, CLASS_ASF, ...ASF_ENTERPRISE, 0x80, tag, 0x00, 0x00]);
}

/** "Get Channel Authentication Capabilities" for the present channel, administrator level, IPMI 2.0 data. */
export function authenticationCapabilitiesRequest(): Buffer {
	const [responder, netFn, requester, sequence, command] = [0x20, 0x06 << 2, 0x81, 0x00, 0x38];
	const data = [0x8e, 0x04];
	const message = [
		...[responder, netFn, checksum([responder, netFn])],
		...[requester, sequence, command, ...data],
		checksum([requester, sequence, command, ...data]),
	];
	const session = [0x00, ...new Array<number>(8).fill(0), message.length];
	return Buffer.from([...RMCP, CLASS_IPMI, ...session, ...message]);
}

/** What an answer says: a pong, capabilities, or nothing that we asked for. */
export function parseIpmiAnswer(packet: Buffer): "pong" | IpmiFacts | undefined {
	if (packet.length < 12 || packet[0] !== 0x06) return undefined;
	const kind = (packet[3] ?? 0) & 0x1f;
	if (kind === CLASS_ASF) return packet[8] === 0x40 ? "pong" : undefined;
	if (kind !== CLASS_IPMI) return undefined;
	// RMCP header (4), session header without authentication (10), then address, function and checksum (3), address,
	// sequence, command (3), completion code, channel, authentication types, status, extended capabilities
	const message = packet.subarray(14);
	if (message[1] !== 0x07 << 2 || message[5] !== 0x38 || message[6] !== 0x00) return undefined;
	const [types = 0, status = 0, extended = 0] = [message[8], message[9], message[10]];
	const hasExtended = (types & 0x80) !== 0;
	const names = ["none", "MD2", "MD5", undefined, "password", "OEM"];
	return {
		version: hasExtended && (extended & 0x02) !== 0 ? "2.0" : "1.5",
		authenticationTypes: names.flatMap((name, bit) =>
			name !== undefined && (types & (1 << bit)) !== 0 ? [name] : [],
		),
		anonymousLogin: (status & 0x01) !== 0,
	};
}

function checksum(bytes: readonly number[]): number {
	return (0x100 - (bytes.reduce((sum, byte) => sum + byte, 0) & 0xff)) & 0xff;
}
