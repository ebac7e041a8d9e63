import { mkdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import type { HostContext } from "../../src/hosts/context.ts";
import { decide } from "../../src/hosts/decide.ts";
import { observe } from "../../src/hosts/observe.ts";
import { hostSteps } from "../../src/hosts/steps.ts";
import { openTurns } from "../../src/hosts/turns.ts";
import { createIronicClient, type IronicClient } from "../../src/ironic/client.ts";
import type { NewNode } from "../../src/ironic/node.ts";
import { type BareMetalHost, bareMetalHostSchema } from "../../src/resources/bare-metal-host.ts";
import { bootstrapSchema } from "../../src/resources/bootstrap.ts";
import { secretSchema } from "../../src/resources/core.ts";
import { ironicSchema } from "../../src/resources/ironic.ts";
import type { Site } from "../../src/resources/site.ts";
import { type ApiAccess, apiAccess } from "../../src/state/api-access.ts";
import { openHostStore } from "../../src/state/host-store.ts";
import { openSecretStore } from "../../src/state/secret-store.ts";
import { openJournal } from "../../src/steps/journal.ts";
import { runParallel } from "../../src/steps/run.ts";
import { waitFor } from "../../src/steps/wait.ts";

/*
 * One process of the measurement, inside the sandbox: `worker.js ours|raw COUNT SCRATCH`. `ours` drives COUNT hosts of
 * Ironic's fake hardware to `available` as `up` does, then watches them; `raw` sends the same requests in a plain loop.
 */

/** The only difference from a real host: BMO's addresses have no scheme for Ironic's fake hardware. */
const FAKE = {
	driver: "fake-hardware",
	driver_info: {},
	boot_interface: "fake",
	deploy_interface: "fake",
	management_interface: "fake",
	power_interface: "fake",
	inspect_interface: "no-inspect",
} as const;
const LEFT_OUT = ["firmware_interface", "raid_interface", "bios_interface", "vendor_interface"];
const WATCH_MS = 30_000;

async function main([kind, count, scratch = ""]: readonly string[]): Promise<unknown> {
	const access = await apiAccess(openSecretStore("/var/lib/ironstrap/metal3/secrets"), 6385);
	mkdirSync(scratch, { recursive: true });
	return kind === "raw" ? raw(access, Number(count)) : ours(access, Number(count), scratch);
}

async function ours(access: ApiAccess, count: number, scratch: string): Promise<unknown> {
	const signal = new AbortController().signal;
	const ironic = fake(createIronicClient({ ...access, signal }));
	const hosts = Array.from({ length: count }, (_, index) => hostOf(index));
	const site = siteOf(hosts);
	const context: HostContext = {
		...{ site, ironic, store: openHostStore(`${scratch}/hosts`), watchEveryMs: 1000 },
		turns: openTurns(site.bootstrap.spec.limits),
	};
	mkdirSync(`${scratch}/hosts`, { recursive: true });
	const journal = await openJournal(`${scratch}/journal.jsonl`, "bench", "bench");
	const started = performance.now();
	const run = { journal, signal, emit: () => undefined };
	await runParallel(
		hosts.map((host) => hostSteps(host)),
		context,
		run,
		"finish",
	);
	const seconds = (performance.now() - started) / 1000;
	const watchCpuPercent = await watch(context, hosts);
	await ironic.close();
	return { seconds, rssMiB: peakRss(), watchCpuPercent };
}

/** Percent of one core while every host is being looked at as a wait of `up` looks. */
async function watch(context: HostContext, hosts: readonly BareMetalHost[]): Promise<number> {
	const ended = new AbortController();
	const request = { kind: "none" } as const;
	const waits = hosts.map((host) => {
		const looks = { node: undefined, stored: undefined, portSeen: true, since: 0 };
		const memory = { request, started: new Set<never>(), powered: new Set<never>(), configured: true };
		return waitFor(
			{ what: "the end", deadlineMs: WATCH_MS * 4, everyMs: 1000 },
			async (signal) => {
				const sight = await observe(
					context,
					host,
					Object.assign(looks, { node: undefined, since: performance.now() }),
					signal,
				);
				if (decide(sight, memory).kind !== "settled") throw new Error("a host is not settled");
				return undefined;
			},
			() => undefined,
			ended.signal,
		).catch((error: unknown) => {
			if (!ended.signal.aborted) throw error;
		});
	});
	// the first round reads what is stored
	await sleep(5_000);
	const before = process.cpuUsage();
	await sleep(WATCH_MS);
	const { system, user } = process.cpuUsage(before);
	ended.abort();
	await Promise.all(waits);
	return (user + system) / (WATCH_MS * 10);
}

/** The same requests with no thought between them: 16 at a time over connections that stay open. */
async function raw(access: ApiAccess, count: number): Promise<unknown> {
	const pool = new Pool(access.baseUrl, {
		connections: 16,
		connect: { ca: access.ca, servername: access.serverName },
	});
	const authorization = `Basic ${Buffer.from(`${access.username}:${access.password}`).toString("base64")}`;
	const headers = {
		authorization,
		"content-type": "application/json",
		"x-openstack-ironic-api-version": "1.96",
	};
	const call = async (method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<unknown> => {
		for (;;) {
			const text = body === undefined ? null : JSON.stringify(body);
			const reply = await pool.request({ method, path, headers, body: text });
			const answer = await reply.body.text();
			if (reply.statusCode < 300) return answer === "" ? undefined : JSON.parse(answer);
			// a lock or a full worker pool, which passes
			if (reply.statusCode !== 409 && reply.statusCode !== 503) throw new Error(`${path}: ${answer}`);
			await sleep(250);
		}
	};
	const all = async (state: string) => {
		for (;;) {
			const path = "/v1/nodes?fields=uuid,provision_state&include_children=true";
			const { nodes } = (await call("GET", path)) as { nodes: readonly { provision_state: string }[] };
			if (nodes.every(({ provision_state }) => provision_state === state)) return;
			await sleep(1000);
		}
	};
	const sixteen = async (work: (index: number) => Promise<void>) => {
		let next = 0;
		const worker = async () => {
			while (next < count) {
				const index = next;
				next += 1;
				await work(index);
			}
		};
		await Promise.all(Array.from({ length: 16 }, worker));
	};
	const uuids: string[] = [];
	const started = performance.now();
	await sixteen(async (index) => {
		const body = { ...FAKE, name: `metal3~${nameOf(index)}`, automated_clean: false };
		const { uuid } = (await call("POST", "/v1/nodes", body)) as { uuid: string };
		await call("POST", "/v1/ports", { node_uuid: uuid, address: macOf(index), pxe_enabled: true });
		await call("PUT", `/v1/nodes/${uuid}/states/provision`, { target: "manage" });
		uuids[index] = uuid;
	});
	await all("manageable");
	await sixteen(async (index) => {
		await call("PUT", `/v1/nodes/${uuids[index]}/states/provision`, { target: "provide" });
	});
	await all("available");
	const seconds = (performance.now() - started) / 1000;
	await pool.close();
	return { seconds };
}

function fake(client: IronicClient): IronicClient {
	return {
		...client,
		createNode(node, options) {
			const rest = Object.fromEntries(Object.entries(node).filter(([key]) => !LEFT_OUT.includes(key)));
			return client.createNode({ ...(rest as unknown as NewNode), ...FAKE }, options);
		},
	};
}

function nameOf(index: number): string {
	return `server-${String(index).padStart(4, "0")}`;
}

function macOf(index: number): string {
	const [high, low] = [index >> 8, index & 255].map((byte) => byte.toString(16).padStart(2, "0"));
	return `52:54:00:ff:${high}:${low}`;
}

function hostOf(index: number): BareMetalHost {
	return bareMetalHostSchema.parse({
		apiVersion: "metal3.io/v1alpha1",
		kind: "BareMetalHost",
		metadata: { name: nameOf(index), namespace: "metal3" },
		spec: {
			online: false,
			bmc: {
				address: `redfish://10.0.${index >> 8}.${index & 255}/redfish/v1/Systems/1`,
				credentialsName: "bmc",
			},
			bootMACAddress: macOf(index),
			inspectionMode: "disabled",
			automatedCleaningMode: "disabled",
		},
	});
}

function siteOf(hosts: readonly BareMetalHost[]): Site {
	const metadata = { name: "metal3", namespace: "metal3" };
	return {
		name: "metal3",
		ironic: ironicSchema.parse({
			apiVersion: "ironic.metal3.io/v1alpha1",
			kind: "Ironic",
			metadata,
			spec: {},
		}),
		bootstrap: bootstrapSchema.parse({ apiVersion: "ironstrap.io/v1alpha1", kind: "Bootstrap", metadata }),
		hosts,
		hardwareData: [],
		secrets: [
			secretSchema.parse({
				apiVersion: "v1",
				kind: "Secret",
				metadata: { name: "bmc", namespace: "metal3" },
				stringData: { username: "admin", password: "password" },
			}),
		],
		configMaps: [],
		locate: () => undefined,
	};
}

/** MiB. */
function peakRss(): number {
	const [, kib = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
	return Number(kib) / 1024;
}

console.log(JSON.stringify(await main(process.argv.slice(2))));
