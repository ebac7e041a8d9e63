/*
 * A MODEL of what baremetal-operator and ironic-standalone-operator do with what a hand-over writes. Neither can be had
 * here: no Debian package carries them. It models registration alone, as it was observed with a real BMO on real API
 * servers (test/engine/lab/operators.test.ts writes those observations out, row by row): what is paused, what a status
 * annotation does and when it is lost on BMO, that a host without a status is inspected and deployed anew, that a changed
 * image URL wipes, that a deleted host is switched off. The API server, etcd and everything on our side are real.
 *
 * Usage: node operators-main.js CONFIG.json   (runs inside the sandbox; ends with SIGTERM)
 */
import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClusterApi, clusterApi, type Stored } from "./api.ts";
import type { Behaviour } from "./behaviour.ts";
import { actOnHost, type OperatorEvent } from "./model-bmo.ts";
import { actOnIronic } from "./model-irso.ts";
import { actAsTarget } from "./target-ironic.ts";

export interface OperatorsConfig {
	readonly server: string;
	readonly token: string;
	readonly ca: string;
	/** Gets one JSON object a line: what the operators did to servers. */
	readonly log: string;
	/** Read again each time; see {@link Behaviour}. */
	readonly behaviour: string;
	/** A real Ironic's URL that hosts are registered with. Absent: registration is only noted. */
	readonly ironic?: string | undefined;
}

async function main(configFile: string): Promise<void> {
	const config = JSON.parse(readFileSync(configFile, "utf8")) as OperatorsConfig;
	const api = clusterApi(config);
	const tell = (event: OperatorEvent) =>
		appendFileSync(config.log, `${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`);
	const target = config.ironic === undefined ? undefined : actAsTarget(config.ironic);
	for (;;) {
		try {
			const behaviour = JSON.parse(readFileSync(config.behaviour, "utf8")) as Behaviour;
			for (const ironic of await api.list("/apis/ironic.metal3.io/v1alpha1/ironics"))
				await actOnIronic(api, ironic, behaviour);
			if (behaviour.stopped !== true)
				for (const host of await api.list("/apis/metal3.io/v1alpha1/baremetalhosts"))
					await onHost(api, host, behaviour);
		} catch {
			// the API server is away, or somebody else was quicker: the next round sees what is
		}
		await sleep(150);
	}

	async function onHost(cluster: ClusterApi, host: Stored, behaviour: Behaviour): Promise<void> {
		await actOnHost({ api: cluster, tell, target, unreachable: behaviour.unreachable ?? [] }, host);
	}
}

void main(process.argv[2] ?? "");
