import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { IronstrapError } from "../../src/lib/errors.ts";
import type { Sandbox } from "../sandbox.ts";

/** The command as a user runs it, from the repository that this file was compiled in. */
export const launcher = fileURLToPath(new URL("../../../bin/ironstrap.js", import.meta.url));

/** What the command printed with `--json`, one object a line. */
export type Line = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface Outcome {
	readonly exitCode: number | undefined;
	readonly lines: readonly Line[];
	/** The last line. */
	readonly result: Line | undefined;
	readonly stderr: string;
}

export interface ProductOptions {
	/** Called with each line as it comes. */
	readonly onLine?: ((line: Line) => void) | undefined;
	readonly env?: Readonly<Record<string, string>> | undefined;
	/** Flags for node itself, e.g. a preloaded module. */
	readonly nodeFlags?: readonly string[] | undefined;
}

/** Runs `ironstrap ARGS --json` inside the sandbox and reads its lines. A failure is an outcome, not an exception. */
export async function ironstrap(
	sandbox: Sandbox,
	args: readonly string[],
	options: ProductOptions = {},
): Promise<Outcome> {
	const { env, nodeFlags = [], onLine } = options;
	const child = sandbox.spawn(process.execPath, [...nodeFlags, launcher, ...args, "--json"], { env });
	const lines: Line[] = [];
	let stderr = "";
	child.stderr?.on("data", (chunk: Buffer) => {
		stderr += chunk.toString("utf8");
	});
	if (child.stdout !== undefined)
		for await (const text of createInterface({ input: child.stdout })) {
			const line = JSON.parse(text) as Line;
			lines.push(line);
			onLine?.(line);
		}
	const { exitCode } = await child.result;
	return { exitCode, lines, result: lines.at(-1), stderr };
}

/** For messages: what the command said went wrong. */
export function faultsIn({ exitCode, lines, stderr }: Outcome): string {
	const told = lines.filter(({ type }) => type === "error" || type === "step-failed").at(-1) ?? lines.at(-1);
	return `exit code ${exitCode}: ${JSON.stringify(told)}\n${stderr}`;
}

/** Throws when the command failed. */
export function succeed(what: string, outcome: Outcome): void {
	if (outcome.exitCode !== 0)
		throw new IronstrapError({
			code: "demo-failed",
			message: `ironstrap ${what} failed`,
			seen: faultsIn(outcome),
		});
}
