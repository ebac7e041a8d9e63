import { existsSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "../sandbox.ts";
import { until } from "../until.ts";
import { CLUSTER_DIRECTORY } from "./start.ts";

/** A way into the sandbox for programs outside, on this machine's loopback alone. */
export interface Door {
	/** `https://127.0.0.1:PORT`; the API server's certificate is good for it. */
	readonly server: string;
	close(): Promise<void>;
}

/** Opens a door to a port of the sandbox. */
export async function openDoor(sandbox: Sandbox, port: number): Promise<Door> {
	const inside = `${CLUSTER_DIRECTORY}/door.sock`;
	const main = fileURLToPath(new URL("./door-main.js", import.meta.url));
	const child = sandbox.spawn(process.execPath, [main, inside, String(port)]);
	await until(() => existsSync(sandbox.path(inside)), {
		what: "the door into the sandbox",
		deadlineMs: 20_000,
	});
	const open = new Set<Socket>();
	const server = createServer((outer) => {
		const inner = connect(sandbox.path(inside));
		outer.pipe(inner).pipe(outer);
		for (const [one, other] of [
			[outer, inner],
			[inner, outer],
		] as const) {
			open.add(one);
			one
				.on("error", () => other.destroy())
				.on("close", () => {
					open.delete(one);
					other.destroy();
				});
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close() {
			for (const socket of open) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
			child.kill("SIGTERM");
		},
	};
}
