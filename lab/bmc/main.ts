/*
 * A FAKE BMC. It speaks the part of Redfish that Ironic and sushy use, and what it controls is a QEMU process
 * instead of a server's power supply. No real BMC can be had on a build machine; everything on the near side of it
 * is the real thing (Ironic, sushy, the network, firmware, boot loaders, the ramdisk, disks), and so is the server's
 * own behaviour: power, boot order, one-shot overrides, virtual media and firmware settings do what the documents
 * say to a real firmware. What a fake can never show is a vendor's deviations from the standard.
 *
 * Usage: node main.js CONFIG.json   (see config.ts; runs inside the sandbox, ends with SIGTERM)
 */
import type { Server } from "node:http";
import { readBmcConfig } from "./config.ts";
import { createControlServer } from "./control.ts";
import { createFaults } from "./faults.ts";
import { type LoggedRequest, openJsonLog } from "./request-log.ts";
import type { Bmc } from "./routes/route.ts";
import { createBmcServer } from "./server.ts";
import { createSessions } from "./sessions.ts";
import { createSystem } from "./system.ts";

async function main(configFile: string): Promise<void> {
	const config = await readBmcConfig(configFile);
	const record = openJsonLog<Record<string, unknown>>(config.events);
	const bmc: Bmc = {
		config,
		systems: new Map(
			config.servers.map((server) => [
				server.uuid,
				createSystem(server, (event, details) =>
					record({ time: new Date().toISOString(), server: server.name, event, ...details }),
				),
			]),
		),
		sessions: createSessions({
			timeoutSeconds: config.sessionTimeoutSeconds ?? 300,
			limit: config.maxSessions ?? 16,
			now: () => performance.now(),
		}),
		faults: createFaults(config.faults ?? []),
	};
	await listening(createBmcServer(bmc, openJsonLog<LoggedRequest>(config.log)), {
		host: config.address,
		port: config.port,
	});
	await listening(createControlServer(bmc), { path: config.control });
	process.once("SIGTERM", () => {
		// In order, so that the disks are complete; whatever hangs dies with this process.
		const off = [...bmc.systems.values()].map((system) => system.reset("ForceOff"));
		void Promise.allSettled(off).then(() => process.exit(0));
	});
}

function listening(server: Server, where: { host: string; port: number } | { path: string }): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(where, () => resolve());
	});
}

main(process.argv[2] ?? "config.json").catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	process.exit(1);
});
