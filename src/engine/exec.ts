import { PassThrough, type Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type Docker from "dockerode";
import type { ExecOptions, ExecResult } from "./engine.ts";
import { asking } from "./failures.ts";

/** Runs a command in a running container. An exit code is no error here: callers know what theirs means. */
export async function execIn(
	docker: Docker,
	name: string,
	command: readonly string[],
	{ signal, user, input, output }: ExecOptions,
): Promise<ExecResult> {
	return asking(`run ${command[0] ?? "nothing"} in ${name}`, signal, async () => {
		const exec = await docker.getContainer(name).exec({
			Cmd: [...command],
			AttachStdin: input !== undefined,
			AttachStdout: true,
			AttachStderr: true,
			...(user === undefined ? {} : { User: user }),
			abortSignal: signal,
		});
		const stream = await exec.start({ hijack: true, stdin: input !== undefined, abortSignal: signal });
		const onAbort = () => stream.destroy();
		signal.addEventListener("abort", onAbort, { once: true });
		try {
			const stdout = collector(output);
			const stderr = collector(undefined);
			docker.modem.demuxStream(stream, stdout.stream, stderr.stream);
			const fed = input === undefined ? undefined : pipeline(input, stream, { end: true, signal });
			await Promise.all([finished(stream, { writable: false }), fed]);
			stdout.stream.end();
			stderr.stream.end();
			await Promise.all([finished(stdout.stream), finished(stderr.stream)]);
			const { ExitCode } = await exec.inspect({ abortSignal: signal } as object);
			return { exitCode: ExitCode ?? -1, stdout: stdout.text(), stderr: stderr.text() };
		} finally {
			signal.removeEventListener("abort", onAbort);
		}
	});
}

function collector(output: Writable | undefined): { readonly stream: Writable; text(): string } {
	if (output !== undefined) return { stream: output, text: () => "" };
	const chunks: Buffer[] = [];
	const stream = new PassThrough();
	stream.on("data", (chunk: Buffer) => chunks.push(chunk));
	return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
}
