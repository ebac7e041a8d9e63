import { serveDocker } from "../../../lab/roots/docker.ts";
import { until } from "../../../lab/until.ts";
import type { Town } from "./town.ts";

/** Something that others do to the machine's rules while a site is up. */
export interface Disturbance {
	readonly name: string;
	/** Of one engine only. */
	readonly engine?: Town["engine"];
	/** The documented ports answer afterwards; else it takes the engine's own rules away, too. */
	readonly publishes: boolean;
	/** Does it. What it returns, if anything, puts the engine's rules back. */
	readonly work: (town: Town) => Promise<(() => Promise<unknown>) | undefined>;
}

const table = "inet ironstrap_metal3";

export const disturbances: readonly Disturbance[] = [
	{
		name: "podman network reload",
		engine: "podman",
		publishes: true,
		async work({ shell }) {
			await shell("podman network reload --all");
			return undefined;
		},
	},
	{
		name: "a restart of Docker",
		engine: "docker",
		publishes: true,
		async work(town) {
			await restartDocker(town);
			return undefined;
		},
	},
	{
		name: "nft flush of everybody else's tables",
		publishes: false,
		async work(town) {
			await town.shell(
				`nft list tables | grep -v '^table ${table}$' | sed 's/^table/flush table/' | nft -f -`,
			);
			return () => restoreRules(town);
		},
	},
	{
		name: "nft flush ruleset, with the fence watched",
		publishes: false,
		async work(town) {
			const watch = new AbortController();
			const watching = town.watch(watch.signal);
			// it says nothing while all is well: the first flush is repeated until it is there
			await until(
				async () => {
					await town.shell("nft flush ruleset");
					return until(async () => (await town.shell("nft list tables")).includes(table), {
						what: "the fence to be back",
						deadlineMs: 1000,
						everyMs: 20,
					}).catch(() => false);
				},
				{ what: "the watch to start", deadlineMs: 30_000 },
			);
			return async () => {
				watch.abort();
				await watching;
				await restoreRules(town);
			};
		},
	},
	{
		name: "a restart of containers",
		publishes: true,
		async work(town) {
			await town.shell(`${town.engine} restart ironstrap-metal3-httpd-1 ironstrap-metal3-dnsmasq-1`);
			await published(town);
			return undefined;
		},
	},
	{
		name: "rules of iptables that accept everything",
		publishes: true,
		async work({ shell }) {
			await shell(
				"iptables -P FORWARD ACCEPT; iptables -P INPUT ACCEPT; iptables -I FORWARD -j ACCEPT; iptables -I INPUT -j ACCEPT",
			);
			return () => shell("iptables -D FORWARD -j ACCEPT; iptables -D INPUT -j ACCEPT");
		},
	},
];

async function restoreRules(town: Town): Promise<void> {
	if (town.engine === "docker") return restartDocker(town);
	await town.shell("podman network reload --all");
}

async function restartDocker(town: Town): Promise<void> {
	await town.shell('kill "$(cat /run/docker.pid)"; while [ -e /run/docker.pid ]; do sleep 0.2; done');
	await serveDocker(town.sandbox);
	await published(town);
}

async function published(town: Town): Promise<void> {
	await until(async () => (await town.scan("neighbour", ["172.22.0.1:6385"])).length === 1, {
		what: "httpd",
		deadlineMs: 60_000,
	});
}
