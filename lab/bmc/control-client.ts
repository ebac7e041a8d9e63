import { request } from "node:http";
import { IronstrapError } from "../../src/lib/errors.ts";
import type { ServerState } from "./control.ts";
import type { Fault } from "./faults.ts";
import type { ResetType } from "./system.ts";

/** The switches of a running emulator (control.ts), for tests. Errors: `lab-bmc-control`. */
export interface BmcControl {
	servers(): Promise<readonly ServerState[]>;
	/** Somebody at the server's own power button: nothing of it is in the request log. */
	reset(server: string, type: ResetType): Promise<void>;
	/** Replaces the list of faults; [] heals the BMC. */
	setFaults(faults: readonly Fault[]): Promise<void>;
	forgetSessions(): Promise<void>;
}

/** `socketPath` is the outside path of the emulator's control socket. */
export function bmcControl(socketPath: string): BmcControl {
	return {
		servers: async () => (await call(socketPath, "GET", "/servers")) as ServerState[],
		async reset(server, ResetType) {
			await call(socketPath, "POST", `/servers/${server}/reset`, { ResetType });
		},
		async setFaults(faults) {
			await call(socketPath, "PUT", "/faults", faults);
		},
		async forgetSessions() {
			await call(socketPath, "POST", "/sessions/forget");
		},
	};
}

function call(socketPath: string, method: string, path: string, body?: unknown): Promise<unknown> {
	return new Promise((resolve, reject) => {
		const fail = (seen: string) =>
			reject(
				new IronstrapError({
					code: "lab-bmc-control",
					message: `The emulated BMC did not do ${method} ${path}`,
					seen,
					fix: "Look at bmc.log in the lab's work directory",
				}),
			);
		const outgoing = request({ socketPath, method, path, agent: false }, (response) => {
			let text = "";
			response.setEncoding("utf8").on("data", (chunk: string) => {
				text += chunk;
			});
			response.on("end", () => {
				if (response.statusCode === 200) resolve(JSON.parse(text));
				else fail(`${response.statusCode} ${text}`);
			});
		});
		outgoing.on("error", (error) => fail(error.message));
		outgoing.end(body === undefined ? undefined : JSON.stringify(body));
	});
}
