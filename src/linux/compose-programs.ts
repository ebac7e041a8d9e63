import { execa } from "execa";

/** A program of this machine that runs Compose files. */
export interface ComposeProgram {
	readonly name: "docker compose" | "docker-compose" | "podman-compose";
	/** E.g. `2.26.1-4`. */
	readonly version: string;
}

const questions: readonly (readonly [ComposeProgram["name"], readonly string[]])[] = [
	["docker compose", ["docker", "compose", "version", "--short"]],
	["docker-compose", ["docker-compose", "version", "--short"]],
	["podman-compose", ["podman-compose", "version"]],
];

/** The Compose programs that are installed here, each asked for its version. */
export async function composePrograms(signal: AbortSignal): Promise<readonly ComposeProgram[]> {
	const found = await Promise.all(
		questions.map(async ([name, [file = "", ...words]]) => {
			const options = { reject: false, stdin: "ignore", timeout: 10_000, cancelSignal: signal } as const;
			const { failed, stdout } = await execa(file, words, options);
			signal.throwIfAborted();
			const version = failed ? undefined : parseComposeVersion(stdout);
			return version === undefined ? [] : [{ name, version }];
		}),
	);
	return found.flat();
}

/** The first line, or that of `podman-compose version 1.3.0` among those of Podman. Exported for its test. */
export function parseComposeVersion(text: string): string | undefined {
	const own = /^podman-composer? version\s+(\S+)/m.exec(text)?.[1];
	return own ?? /^v?(\d+\.\d+\S*)/.exec(text.trim())?.[1];
}
