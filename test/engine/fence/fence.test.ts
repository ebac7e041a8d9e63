import anyTest, { type TestFn } from "ava";
import { difference } from "../../../lab/story/world.ts";
import { until } from "../../../lab/until.ts";
import { disturbances } from "./disturbances.ts";
import { neighbours, probeTcp, probeUdp, scanTcp } from "./reachable.ts";
import {
	askForAddress,
	buildTown,
	dhcpInOffice,
	fetchBootFile,
	knownMac,
	type Neighbour,
	networkOf,
	type Town,
	unknownMac,
} from "./town.ts";

/* The fence around a real stack, seen from every side; the last test takes it away and finds every door open. */

const test = anyTest as TestFn<{ town: Town; network: readonly string[]; ruleset: string }>;

interface Status {
	readonly fence: {
		readonly state: string;
		readonly mode: string;
		readonly refused: Readonly<Record<string, number>>;
		readonly unknownServers: readonly { readonly mac: string; readonly protocol: string }[];
	};
}

const table = "inet ironstrap_metal3";
const bridge = "10.89.77";
/** What an attacker would try on the machine's address and on the containers'. */
const doors = ["172.22.0.1:6180", "172.22.0.1:6183", "172.22.0.1:6385"];
const inside = [`${bridge}.30:6180`, `${bridge}.30:6183`, `${bridge}.30:6385`, `${bridge}.30:6386`];
const everything = [...doors, ...inside];
const egress = ["192.168.222.2:8000", "10.50.0.2:8080", "172.22.0.1:2222", `${bridge}.1:2222`];

test.before(async (t) => {
	t.timeout(600_000);
	const town = await buildTown();
	t.context = { town, network: await networkOf(town), ruleset: await town.shell("nft list ruleset") };
	const { exitCode, lines, result, stderr } = await town.up({ fence: "{}" });
	t.is(exitCode, 0, `${JSON.stringify(result)} ${stderr}`);
	const steps = lines.filter(({ type }) => type === "step-finished").map(({ step }) => String(step));
	t.true(
		steps.indexOf("fence:install") >= 0 &&
			steps.indexOf("fence:install") < steps.findIndex((step) => step.startsWith("stack:create-container")),
		"the fence stands before the first container",
	);
});

test.after.always(async (t) => t.context.town?.sandbox.stop());

async function status({ run }: Town): Promise<Status["fence"]> {
	return ((await run("status")).result as unknown as Status).fence;
}

async function containerPid({ shell }: Town, service: string): Promise<number> {
	return Number(await shell(`podman inspect -f '{{.State.Pid}}' ironstrap-metal3-${service}-1`));
}

/** The address that the neighbour makes for itself from a router's answer, for which it asks with its link's start. */
async function announcedTo({ as }: Town): Promise<string> {
	return as(
		"neighbour",
		`ip link set eth0 down; ip link set eth0 up; sleep 3
ip addr add fd00:1abc::200/64 dev eth0 nodad; ip route replace default via 172.22.0.1
ip -6 addr show dev eth0 dynamic`,
	);
}

/** Exactly the documented doors, from every side. */
async function checkDoors(
	t: { deepEqual(actual: unknown, expected: unknown, message: string): void },
	town: Town,
) {
	t.deepEqual(await town.scan("neighbour", everything), doors, "from the provisioning network");
	t.deepEqual(await town.scan("bmcs", everything), ["172.22.0.1:6183"], "from a BMC: virtual media");
	t.deepEqual(await town.scan("office", everything), [], "from the office");
	t.deepEqual(await town.scan(undefined, ["127.0.0.1:6385", ...doors]), ["127.0.0.1:6385", ...doors], "here");
}

test.serial("only the documented ports are open, and only from where they should be", async (t) => {
	t.timeout(60_000);
	await checkDoors(t, t.context.town);
	const fence = await status(t.context.town);
	t.is(fence.state, "intact");
	t.is(fence.mode, "shared");
	for (const reason of ["container", "published"]) t.true((fence.refused[reason] ?? 0) > 0, reason);
});

interface Look {
	readonly places: readonly { address: string; port: number; here: boolean; outside: boolean }[];
	readonly unexpected: readonly string[];
}

test.serial("`fence` says who may reach what, and `fence verify` tries it", async (t) => {
	t.timeout(60_000);
	const { run } = t.context.town;
	const { ports, reach } = (await run("fence")).result as unknown as {
		ports: { address: string; port: number; from: string }[];
		reach: { what: string; to: string[] }[];
	};
	t.is(ports.find(({ port }) => port === 6180)?.from, "servers by br-prov (172.22.0.0/24, fd00:1abc::/64)");
	t.deepEqual(reach[0], { what: "the site's BMCs", to: ["192.168.222.2 . tcp . 8000"] });
	const { exitCode, result } = await run("fence", "verify");
	const { places, unexpected } = result as unknown as Look;
	t.is(exitCode, 0);
	t.deepEqual(unexpected, []);
	t.deepEqual(
		places.map(({ address, here, outside, port }) => `${address}:${port} ${here} ${outside}`).sort(),
		["127.0.0.1:6385", ...doors, "192.168.222.1:6183"].map((place) => `${place} true false`),
	);
	t.is(await t.context.town.shell("ip -o link show ironstrap-look 2>/dev/null || true"), "");
});

/** Asks the same from every side at once. */
async function fromEverywhere<T>(ask: (who: Neighbour) => Promise<T>): Promise<Record<string, T>> {
	return Object.fromEntries(await Promise.all(neighbours.map(async (who) => [who, await ask(who)] as const)));
}

const asDocumented = Object.fromEntries(neighbours.map((who) => [who, { open: [], closed: [] }]));

test.serial("all 65535 TCP ports of both families, from everywhere: the documented ones", async (t) => {
	t.timeout(900_000);
	t.deepEqual(await fromEverywhere((who) => scanTcp(t.context.town, who)), asDocumented);
});

test.serial("a BMC that the site does not know gets no virtual media", async (t) => {
	const { as } = t.context.town;
	const fetch = (from: string) =>
		as("bmcs", `curl -sk -m 3 -o /dev/null -w '%{http_code}' --interface ${from} https://172.22.0.1:6183/`);
	t.is(await fetch("192.168.222.2"), "403");
	t.is(await fetch("192.168.222.3"), "000");
});

test.serial(
	"known servers get an address and a boot file; unknown ones do not even reach dnsmasq",
	async (t) => {
		t.timeout(60_000);
		const { town } = t.context;
		t.regex(await askForAddress(town, knownMac), /ip=172\.22\.0\.1\d\d/);
		t.true((await fetchBootFile(town, knownMac)) > 10_000);
		t.is(await askForAddress(town, unknownMac), "");
		t.is(await fetchBootFile(town, unknownMac), 0);
		const log = await town.shell("podman logs ironstrap-metal3-dnsmasq-1 2>&1");
		t.true(log.includes(knownMac));
		t.false(log.includes(unknownMac));
		const { refused, unknownServers } = await status(town);
		t.true((refused.dhcp ?? 0) >= 2);
		t.true((refused.tftp ?? 0) >= 1);
		t.deepEqual(unknownServers.map(({ mac, protocol }) => `${mac} ${protocol}`).sort(), [
			`${unknownMac} DHCPv4`,
			`${unknownMac} DHCPv6 or TFTP`,
		]);
	},
);

test.serial(
	"who is unknown is told with firmware and times, and comes in by `hosts add` alone",
	async (t) => {
		t.timeout(60_000);
		const { town } = t.context;
		const discovered = async () => {
			const { servers } = (await town.run("hosts", "discovered")).result as unknown as {
				servers: {
					mac: string;
					firmware?: string;
					protocols: string[];
					firstSeen: string;
					lastSeen: string;
				}[];
			};
			return servers;
		};
		const [server, ...others] = await discovered();
		t.like(server, { mac: unknownMac, firmware: "UEFI x86-64", protocols: ["DHCPv4", "DHCPv6 or TFTP"] });
		t.true((server?.firstSeen ?? "") < (server?.lastSeen ?? ""));
		t.deepEqual(others, []);
		const { exitCode, lines, result } = await town.run("hosts", "add", "--mac", unknownMac.toUpperCase());
		t.is(exitCode, 0, JSON.stringify(result));
		t.false(
			lines.some(({ step }) => /stack:(create|remove)/.test(String(step))),
			"no container is replaced",
		);
		t.regex(await askForAddress(town, unknownMac), /ip=172\.22\.0\.1\d\d/);
		t.deepEqual(await discovered(), []);
		const forgotten = await town.run("hosts", "forget", "--mac", unknownMac);
		t.is(forgotten.exitCode, 0, JSON.stringify(forgotten.result));
		t.is(
			await town.shell("podman inspect -f '{{.RestartCount}}' ironstrap-metal3-dnsmasq-1"),
			"0",
			"dnsmasq reads its hosts anew, and lives on",
		);
		t.is(await askForAddress(town, unknownMac), "");
		t.is((await discovered())[0]?.mac, unknownMac);
	},
);

test.serial("a known server in the wrong network gets no address", async (t) => {
	t.timeout(60_000);
	const { town } = t.context;
	t.is(await askForAddress(town, knownMac, "bmcs"), "");
	t.is(await askForAddress(town, knownMac, "office"), "");
});

test.serial("the named UDP ports and others, from everywhere: the documented ones", async (t) => {
	t.timeout(180_000);
	t.deepEqual(await fromEverywhere((who) => probeUdp(t.context.town, who)), asDocumented);
});

test.serial("containers reach BMCs and servers, not the office and not this machine", async (t) => {
	const { town } = t.context;
	t.deepEqual(await town.scan(await containerPid(town, "ironic"), egress), ["192.168.222.2:8000"]);
	const { refused } = await status(town);
	for (const reason of ["egress", "host"]) t.true((refused[reason] ?? 0) > 0, reason);
});

/** Which neighbours reach each other through this machine while it forwards both families. */
async function crossings({ scan, shell }: Town): Promise<readonly string[]> {
	const forwarding = "/proc/sys/net/ipv6/conf/all/forwarding";
	const before = (await shell(`cat ${forwarding}`)).trim();
	await shell(`echo 1 >${forwarding}`);
	const found = [
		...(await scan("neighbour", ["10.50.0.2:8080", "fd00:50::2:8080"])),
		...(await scan("office", ["172.22.0.200:8081", "fd00:1abc::200:8081"])),
	];
	await shell(`echo ${before} >${forwarding}`);
	return found;
}

test.serial("the machine does not become a router, though the engine switched forwarding on", async (t) => {
	const { town } = t.context;
	t.is((await town.shell("cat /proc/sys/net/ipv4/ip_forward")).trim(), "1");
	t.deepEqual(await crossings(town), []);
	t.true(((await status(town)).refused.crossing ?? 0) > 0);
});

test.serial("a host that comes opens the fence for itself in place: what was counted stays", async (t) => {
	t.timeout(60_000);
	const { town } = t.context;
	const before = await status(town);
	const { exitCode, result } = await town.up({ fence: "{}", more: [unknownMac] });
	t.is(exitCode, 0, JSON.stringify(result));
	t.is((await status(town)).refused.dhcp, before.refused.dhcp);
	t.regex(await askForAddress(town, unknownMac), /ip=172\.22\.0\.1\d\d/);
	const again = await town.up({ fence: "{}", more: [unknownMac] });
	t.true(
		again.lines.some(
			({ type, step, skipped }) => type === "step-finished" && step === "fence:install" && skipped === true,
		),
	);
	await town.up({ fence: "{}" });
	t.is(await askForAddress(town, unknownMac), "");
});

for (const { name, publishes, work } of disturbances.filter(({ engine }) => engine !== "docker"))
	test.serial(`it outlives ${name}`, async (t) => {
		t.timeout(90_000);
		const { town } = t.context;
		const settle = await work(town);
		t.is((await status(town)).state, "intact");
		const seen = await fromEverywhere((who) => probeTcp(town, who));
		for (const [who, { closed, open }] of Object.entries(seen)) {
			t.deepEqual(open, [], who);
			if (publishes) t.deepEqual(closed, [], who);
		}
		await settle?.();
		await checkDoors(t, town);
	});

test.serial("`fence watch` puts it back within a second, and ends with the site", async (t) => {
	t.timeout(60_000);
	const { town } = t.context;
	const watch = town.run("fence", "watch");
	const present = async () => (await town.shell("nft list tables")).includes(table);
	const intact = { what: "the fence to be whole again", deadlineMs: 1000, everyMs: 20 };
	// it says nothing while all is well: the first flush is repeated until it is there
	await until(
		async () => {
			await town.shell(`nft add table ${table}; nft delete table ${table}`);
			return until(present, intact).catch(() => false);
		},
		{ what: "the watch to start", deadlineMs: 20_000 },
	);
	await town.shell("nft flush ruleset");
	const flushed = performance.now();
	await until(present, intact);
	t.log(`back after ${Math.round(performance.now() - flushed)} ms`);
	await town.shell(`nft insert rule ${table} entry accept`);
	const holes = async () => /^\t\taccept$/m.test(await town.shell(`nft list chain ${table} entry`));
	await until(async () => !(await holes()), intact);
	await town.shell("podman network reload --all >/dev/null");
	await checkDoors(t, town);
	t.is((await status(town)).state, "intact");
	// the text goes first when a site goes down: the watch follows it
	await town.shell("mv /run/ironstrap/metal3/fence.nft /run/fence.nft");
	await town.shell(`nft delete table ${table}`);
	const { exitCode, result } = await watch;
	t.is(exitCode, 0);
	t.true(Number(result?.restored) >= 3);
	t.false(await present());
});

test.serial("without it every door is open: these scans can fail", async (t) => {
	t.timeout(60_000);
	const { town } = t.context;
	t.is((await status(town)).state, "down");
	t.deepEqual(await town.scan("office", everything), everything.toSorted());
	t.deepEqual(await town.scan("bmcs", everything), everything.toSorted());
	t.is(
		(await crossings(town)).join(" "),
		"10.50.0.2:8080 fd00:50::2:8080 172.22.0.200:8081 fd00:1abc::200:8081",
	);
	t.deepEqual(await town.scan(await containerPid(town, "ironic"), egress), egress.toSorted());
	const { exitCode, result } = await town.run("fence", "verify");
	t.is(exitCode, 1);
	t.deepEqual((result as unknown as Look).unexpected.toSorted(), [...doors, "192.168.222.1:6183"]);
	await askForAddress(town, unknownMac);
	t.true((await town.shell("podman logs ironstrap-metal3-dnsmasq-1 2>&1")).includes(unknownMac));
	await town.shell("mv /run/fence.nft /run/ironstrap/metal3/fence.nft");
	t.is((await status(town)).state, "missing");
});

test.serial("`mode: dedicated` and `mode: none` are taken over by the next `up`", async (t) => {
	t.timeout(90_000);
	const { town } = t.context;
	t.is((await town.up({ fence: "{ mode: dedicated }" })).exitCode, 0);
	t.deepEqual(await crossings(town), []);
	// what dnsmasq announced to this machine, too, while nothing kept it
	await town.shell("ip addr flush dev br-prov dynamic");
	t.regex(await announcedTo(town), /fd00:1abc::/, "servers hear the announcement");
	t.is(await town.shell("ip -6 addr show dev br-prov dynamic"), "", "this machine takes no address of it");
	const { mode, refused } = await status(town);
	t.is(mode, "dedicated");
	t.true((refused.routed ?? 0) > 0);
	await checkDoors(t, town);
	const { exitCode, lines } = await town.up({ fence: "{ mode: none }" });
	t.is(exitCode, 0);
	t.true(lines.some(({ type, message }) => type === "note" && /asks for no fence/.test(String(message))));
	t.is((await status(town)).state, "none");
	t.is((await town.up({ fence: "{}" })).exitCode, 0);
});

test.serial("the office saw no DHCP packet in all this, and would have counted one", async (t) => {
	const { town } = t.context;
	t.is(await dhcpInOffice(town), 0);
	await town.shell("bash -c 'echo discover >/dev/udp/10.50.0.2/67'");
	t.is(await dhcpInOffice(town), 1);
});

test.serial("`down` takes it away after the last container, and nothing of it is left", async (t) => {
	t.timeout(90_000);
	const { town } = t.context;
	await town.shell("ip addr flush dev br-prov dynamic");
	const { exitCode, lines, result } = await town.run("down", "--purge", "--yes");
	t.is(exitCode, 0);
	const steps = lines.filter(({ type }) => type === "step-finished").map(({ step }) => String(step));
	t.true(
		steps.indexOf("fence:remove") > steps.findLastIndex((step) => step.startsWith("stack:remove-container")),
	);
	const { network, ruleset: rulesetBefore } = t.context;
	t.deepEqual(difference(network, await networkOf(town)), [], "addresses, routes, kernel settings");
	// the engine's own chains stay, are listed, and lead nowhere
	const ruleset = await town.shell("nft list ruleset");
	t.notRegex(ruleset, /ironstrap|10\.89\.77|172\.22|dnat|drop|reject/);
	t.is(rulesetBefore, "");
	const chains = [...ruleset.matchAll(/^table (?<table>.*) \{$|^\tchain (?<chain>.*) \{$/gm)].map(
		({ groups }) => ({ table: groups?.table, chain: groups?.chain }),
	);
	let table = "";
	const names = chains.flatMap((each) => {
		table = each.table ?? table;
		return each.chain === undefined ? [] : [`nftables chain ${table} ${each.chain}`];
	});
	t.true(names.length > 0);
	t.deepEqual(result?.left, names.toSorted());
	t.is((await town.shell("ls -A /run/ironstrap /var/lib/ironstrap | grep metal3 || true")).trim(), "");
});
