import iconv from "iconv-lite";

export interface DecodedText {
	readonly text: string;
	readonly encoding: "UTF-8" | "UTF-16LE" | "UTF-16BE" | "Windows-1252";
	/** The encoding was not marked or certain, but concluded. */
	readonly guessed: boolean;
}

/**
 * Bytes → text, whatever spreadsheet wrote them: a byte order mark decides; without one, text whose every other byte is
 * zero is UTF-16, what is valid UTF-8 is UTF-8, and anything else Windows-1252, in which every byte is a character.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (starts(buffer, 0xef, 0xbb, 0xbf)) return { ...utf8OrAnsi(buffer.subarray(3)), guessed: false };
	if (starts(buffer, 0xff, 0xfe)) return decode(buffer.subarray(2), "UTF-16LE", false);
	if (starts(buffer, 0xfe, 0xff)) return decode(buffer.subarray(2), "UTF-16BE", false);
	const sample = buffer.subarray(0, 4096);
	if (zeros(sample, 1) > 0.6 && zeros(sample, 0) < 0.1) return decode(buffer, "UTF-16LE", true);
	if (zeros(sample, 0) > 0.6 && zeros(sample, 1) < 0.1) return decode(buffer, "UTF-16BE", true);
	return utf8OrAnsi(buffer);
}

function decode(bytes: Buffer, encoding: DecodedText["encoding"], guessed: boolean): DecodedText {
	return { text: iconv.decode(bytes, encoding), encoding, guessed };
}

function utf8OrAnsi(bytes: Buffer): DecodedText {
	try {
		const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
		return { text, encoding: "UTF-8", guessed: false };
	} catch {
		return decode(bytes, "Windows-1252", true);
	}
}

function starts(bytes: Buffer, ...wanted: readonly number[]): boolean {
	return wanted.every((byte, index) => bytes[index] === byte);
}

/** The share of zero bytes among those at odd (1) or even (0) places. */
function zeros(bytes: Buffer, parity: 0 | 1): number {
	let count = 0;
	let all = 0;
	for (let index = parity; index < bytes.length; index += 2) {
		all++;
		if (bytes[index] === 0) count++;
	}
	return all === 0 ? 0 : count / all;
}
