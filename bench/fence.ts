import { NEIGHBOUR, PROVISIONING } from "../lab/network.ts";
import { faultsIn } from "../lab/story/product.ts";
import { until } from "../lab/until.ts";
import { buildTown, type Town } from "../test/engine/fence/town.ts";
import { median, rounded } from "./lib/median.ts";

/**
 * How fast a server on the provisioning network gets a large file from the image server: behind the fence, without it,
 * from the same httpd on the machine's own network, and from a program that only sends from memory. One after the other
 * in every round, medians of `--rounds=N` (default 7), with nothing on the way but the kernel. The last line is
 * `{"fenceRatio","bridgeRatio","lineRatio",…}`: with to without the fence, container's to machine's network (both behind
 * the fence), behind the fence to memory.
 */
const folder = "11111111-2222-3333-4444-555555555555";
const bytes = 1024 ** 3;
const ports = { published: 6180, onHost: 16180, memory: 16000 };
const routes = ["fenced", "open", "onHost", "memory"] as const;

type Speeds = Record<(typeof routes)[number], number>;

async function main(): Promise<void> {
	const given = process.argv.find((argument) => /^--rounds=\d+$/.test(argument))?.slice(9);
	const count = Number(given ?? 7);
	const town = await buildTown();
	try {
		const outcome = await town.up({ fence: "{}" });
		if (outcome.exitCode !== 0) throw new Error(`up: ${faultsIn(outcome)}`);
		await serveOthers(town);
		// warms the page cache
		await measure(town);
		const rounds: Speeds[] = [];
		while (rounds.length < count) {
			rounds.push(await measure(town));
			console.error(`MB/s: ${JSON.stringify(rounds.at(-1))}`);
		}
		const of = (route: keyof Speeds) => median(rounds.map((round) => round[route]));
		const ratio = (a: keyof Speeds, b: keyof Speeds) =>
			rounded(median(rounds.map((round) => round[a] / round[b])));
		console.log(
			JSON.stringify({
				fenceRatio: ratio("fenced", "open"),
				bridgeRatio: ratio("fenced", "onHost"),
				lineRatio: ratio("fenced", "memory"),
				megabytesPerSecond: Object.fromEntries(routes.map((route) => [route, of(route)])),
				rounds: count,
			}),
		);
	} finally {
		await town.sandbox.stop();
	}
}

/** The file, the same httpd with the same configuration on the machine's own network, and the sender from memory. */
async function serveOthers({ sandbox, scan, shell }: Town): Promise<void> {
	await shell(`
cd "$(podman volume inspect -f '{{.Mountpoint}}' ironstrap-metal3_shared)/html"
mkdir -p ${folder}
truncate -s ${bytes} ${folder}/payload
chmod -R a+rX ${folder}
cp -a /run/ironstrap/metal3/httpd /run/host-httpd
sed -i -E 's/\\b(6180|6183|6385|6386|6388)\\b/1\\1/g' /run/host-httpd/httpd.conf
podman run --detach --name host-httpd --network host --user 903:903 --cap-drop all --read-only --tmpfs /tmp:mode=1777 \\
	--volume /run/host-httpd:/etc/ironstrap/httpd:ro --volume /run/ironstrap/metal3/sockets/ironic:/run/ironic \\
	--volume ironstrap-metal3_shared:/shared:ro localhost/ironstrap/ironic:latest \\
	/usr/sbin/apache2 -f /etc/ironstrap/httpd/httpd.conf -DFOREGROUND`);
	const sender = `
const { createServer } = require("node:http");
const { pipeline, Readable } = require("node:stream");
const part = Buffer.alloc(4 * 1024 * 1024);
createServer((_, answer) => {
	answer.setHeader("content-length", ${bytes});
	pipeline(Readable.from(Array.from({ length: ${bytes} / part.length }, () => part)), answer, () => undefined);
}).listen(${ports.memory}, "${PROVISIONING.address}");`;
	sandbox.spawn(process.execPath, ["-e", sender]);
	const places = Object.values(ports).map((port) => `${PROVISIONING.address}:${port}`);
	await until(async () => (await scan(NEIGHBOUR.namespace, places)).length === places.length, {
		what: "all servers",
		deadlineMs: 30_000,
	});
}

async function measure(town: Town): Promise<Speeds> {
	await town.shell("nft -f /run/ironstrap/metal3/fence.nft");
	const fenced = await download(town, ports.published);
	const onHost = await download(town, ports.onHost);
	const memory = await download(town, ports.memory);
	await town.shell("nft delete table inet ironstrap_metal3");
	return { fenced, open: await download(town, ports.published), onHost, memory };
}

/** Megabytes a second. */
async function download({ network }: Town, port: number): Promise<number> {
	const url = `http://${PROVISIONING.address}:${port}/${folder}/payload`;
	const words = ["-sf", "-o", "/dev/null", "-w", "%{speed_download} %{size_download}"];
	const { stdout } = await network.fromNeighbour("curl", [...words, url], { timeoutMs: 120_000 });
	const [speed = 0, size = 0] = stdout.split(" ").map(Number);
	if (size !== bytes) throw new Error(`${url}: ${size} bytes came to ${NEIGHBOUR.address}`);
	return Math.round(speed / 1e6);
}

await main();
