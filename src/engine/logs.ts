import { PassThrough, Readable } from "node:stream";
import type Docker from "dockerode";
import type { LogOptions } from "./engine.ts";
import { asking } from "./failures.ts";

export async function containerLogs(
	docker: Docker,
	name: string,
	{ signal, follow, tail, since, timestamps }: LogOptions,
): Promise<Readable> {
	return asking(`read the log of ${name}`, signal, async () => {
		const options = {
			stdout: true as const,
			stderr: true as const,
			timestamps: timestamps === true,
			...(tail === undefined ? {} : { tail }),
			...(since === undefined ? {} : { since: Math.floor(Date.parse(since) / 1000) }),
			abortSignal: signal,
		};
		const container = docker.getContainer(name);
		const merged = new PassThrough();
		if (follow) {
			const source = await container.logs({ ...options, follow: true });
			docker.modem.demuxStream(source, merged, merged);
			source.on("end", () => merged.end());
			source.on("error", (error: Error) => merged.destroy(signal.aborted ? undefined : error));
			return merged;
		}
		// Without `follow` the whole text comes as one buffer, in frames.
		const buffer = (await container.logs({ ...options, follow: false })) as unknown as Buffer | string;
		return Readable.from([frames(Buffer.from(buffer))]);
	});
}

export async function logTail(
	docker: Docker,
	name: string,
	lines: number,
	signal: AbortSignal,
): Promise<string> {
	const stream = await containerLogs(docker, name, { signal, follow: false, tail: lines });
	let text = "";
	for await (const chunk of stream) text += String(chunk);
	return text.trim();
}

/** Takes the 8-byte headers (stream, length) out. https://docs.docker.com/reference/api/engine/ (attach, stream format) */
function frames(buffer: Buffer): string {
	const parts: Buffer[] = [];
	let at = 0;
	while (at + 8 <= buffer.length) {
		const length = buffer.readUInt32BE(at + 4);
		parts.push(buffer.subarray(at + 8, at + 8 + length));
		at += 8 + length;
	}
	return Buffer.concat(parts).toString("utf8");
}
