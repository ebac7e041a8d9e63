import { readFile } from "node:fs/promises";
import { label } from "../converge/labels.ts";
import type { Engine } from "../engine/engine.ts";
import { projectName } from "../stack/names.ts";

/**
 * The lease file of a site's DHCP server; empty when none runs. Read in the container's own file system: running a
 * program there would leave a process behind in Podman.
 */
export async function leaseFile(engine: Engine, site: string, signal: AbortSignal): Promise<string> {
	const { containers } = await engine.observe(projectName(site), signal);
	const server = containers.find(({ labels }) => labels[label.service] === "dnsmasq");
	const state = server === undefined ? undefined : await engine.containerState(server.name, signal);
	if (state === undefined || state.pid === 0) return "";
	return readFile(`/proc/${state.pid}/root/var/lib/misc/dnsmasq.leases`, "utf8").catch(
		(error: NodeJS.ErrnoException) => {
			if (error.code === "ENOENT") return "";
			throw error;
		},
	);
}
