import { ProxyAgent, request } from "undici";

/** How much of a file it takes to know its format. */
const headBytes = 32;
const deadlineMs = 10_000;

/**
 * Bytes that a disk image takes on a disk: the virtual size of a qcow2 image, the length of any other. `undefined`
 * when the server cannot be asked from here, or does not tell: Ironic, which asks from its container, then decides.
 */
export async function imageSize(
	url: string,
	signal: AbortSignal,
	proxy?: string,
): Promise<number | undefined> {
	if (!/^https?:/.test(url)) return undefined;
	const dispatcher = proxy === undefined ? undefined : new ProxyAgent(proxy);
	try {
		const { body, headers, statusCode } = await request(url, {
			headers: { range: `bytes=0-${headBytes - 1}` },
			...(dispatcher === undefined ? {} : { dispatcher }),
			signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
		});
		const head = await firstBytes(body);
		if (statusCode !== 200 && statusCode !== 206) return undefined;
		return sizeFrom(
			head,
			statusCode === 206 ? headers["content-range"] : undefined,
			headers["content-length"],
		);
	} catch {
		signal.throwIfAborted();
		return undefined;
	} finally {
		await dispatcher?.destroy();
	}
}

/** Pure. A qcow2 header has its virtual size at offset 24 (https://www.qemu.org/docs/master/interop/qcow2.html). */
export function sizeFrom(
	head: Uint8Array,
	contentRange: string | readonly string[] | undefined,
	contentLength: string | readonly string[] | undefined,
): number | undefined {
	const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
	if (bytes.length >= headBytes && bytes.readUInt32BE(0) === 0x514649fb)
		return Number(bytes.readBigUInt64BE(24));
	const total = contentRange === undefined ? contentLength : /\/(\d+)$/.exec(String(contentRange))?.[1];
	return total === undefined ? undefined : Number(total);
}

/** The rest is not read: a server without ranges would send the whole image. */
async function firstBytes(body: AsyncIterable<Uint8Array> & { destroy(): unknown }): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		chunks.push(chunk);
		length += chunk.byteLength;
		if (length >= headBytes) break;
	}
	body.destroy();
	return Buffer.concat(chunks).subarray(0, headBytes);
}
