import anyTest, { type TestFn } from "ava";
import { difference } from "../../../lab/story/world.ts";
import { buildTown, dieAt, networkOf, type Town } from "./town.ts";

/* `up` killed around the fence, and what the next command makes of it. No container is ever started. */

const test = anyTest as TestFn<{ town: Town; before: string; network: readonly string[] }>;

test.before(async (t) => {
	t.timeout(600_000);
	const town = await buildTown();
	t.context = { town, before: await town.shell("nft list ruleset"), network: await networkOf(town) };
});

test.after.always(async (t) => t.context.town?.sandbox.stop());

for (const [moment, stands] of [
	["fence:install begin before", false],
	["fence:install begin after", false],
	["fence:install done before", true],
	["fence:install done after", true],
] as const)
	test.serial(`killed at ${moment}: down --purge leaves the rules as they were`, async (t) => {
		t.timeout(60_000);
		const { before, town } = t.context;
		const killed = await town.up({ fence: "{}" }, dieAt(moment));
		t.not(killed.exitCode, 0, killed.stderr);
		t.not(killed.result?.type, "result");
		t.is((await town.shell("nft list tables")).includes("ironstrap_metal3"), stands);
		const { exitCode, result } = await town.run("down", "--purge", "--yes");
		t.is(exitCode, 0, JSON.stringify(result));
		t.is(await town.shell("nft list ruleset"), before);
	});

/** As an engine does with its first bridge; `up` was killed right before it started one. */
async function upWithForwarding({ shell, up }: Town): Promise<void> {
	await up({ fence: "{}" }, dieAt("fence:install done after"));
	await shell("echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding");
}

for (const [moment, forwarding] of [
	["machine:restore begin after", "1"],
	["machine:restore done before", "0"],
] as const)
	test.serial(`a purge killed at ${moment}: the next one puts every kernel setting back`, async (t) => {
		t.timeout(60_000);
		const { before, network, town } = t.context;
		await upWithForwarding(town);
		// the kernel sets it together with forwarding, and back to 1
		t.is(await town.shell("cat /proc/sys/net/ipv4/conf/all/accept_redirects"), "0");
		const killed = await town.kill(moment, "down", "--purge", "--yes");
		t.not(killed.exitCode, 0, killed.stderr);
		t.is(await town.shell("cat /proc/sys/net/ipv4/ip_forward"), forwarding);
		const { exitCode, result } = await town.run("down", "--purge", "--yes");
		t.is(exitCode, 0, JSON.stringify(result));
		t.deepEqual(difference(network, await networkOf(town)), []);
		t.is(await town.shell("nft list ruleset"), before);
	});

test.serial(
	"forwarding stays on for somebody's container and virtual machines, and the purge says so",
	async (t) => {
		t.timeout(60_000);
		const { network, town } = t.context;
		await upWithForwarding(town);
		await town.shell(`
podman run -d --name somebody --network none localhost/ironstrap/ironic:latest sleep 600
ip link add virbr9 type bridge
ip addr add 10.9.9.1/24 dev virbr9
ip link set virbr9 up`);
		const { exitCode, lines, result } = await town.run("down", "--purge", "--yes");
		t.is(exitCode, 0, JSON.stringify(result));
		const notes = lines.filter(({ type }) => type === "note").map(({ message }) => String(message));
		t.true(notes.some((note) => note.endsWith("they are needed by somebody, virbr9")));
		t.true(JSON.stringify(result).includes("kernel setting net/ipv4/ip_forward = 1"));
		await town.shell(`
podman rm -f -t 0 somebody
ip link del virbr9
echo 0 >/proc/sys/net/ipv4/ip_forward
echo 0 >/proc/sys/net/ipv6/conf/all/forwarding
echo 0 >/proc/sys/net/ipv4/conf/all/accept_redirects`);
		t.deepEqual(difference(network, await networkOf(town)), []);
	},
);

test.serial("a table of ours that nobody remembers is taken away too", async (t) => {
	t.timeout(60_000);
	const { before, town } = t.context;
	await town.shell("nft add table inet ironstrap_metal3");
	t.is((await town.run("down", "--site", "metal3")).exitCode, 0);
	t.is(await town.shell("nft list ruleset"), before);
});
