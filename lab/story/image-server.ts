import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { BMC_NETWORK } from "../network.ts";
import type { Sandbox } from "../sandbox.ts";
import { imagePort } from "./site.ts";

const program = fileURLToPath(new URL("file-server.js", import.meta.url));

/** Serves a folder on the BMC network until the sandbox ends; returns once it listens. */
export async function serveImages(
	sandbox: Sandbox,
	folder: string,
	signal: AbortSignal,
	port: number = imagePort,
): Promise<void> {
	const server = sandbox.spawn(process.execPath, [program, folder, BMC_NETWORK.address, String(port)]);
	const listening = new Promise<void>((resolve) => {
		if (server.stdout !== undefined) createInterface({ input: server.stdout }).once("line", () => resolve());
	});
	const ended = server.result.then(({ stderr }) => {
		throw new Error(`the image server ended: ${stderr}`);
	});
	ended.catch(() => undefined);
	await Promise.race([listening, ended]);
	signal.throwIfAborted();
}
