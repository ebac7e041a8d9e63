import anyTest, { type TestFn } from "ava";
import { FOREIGN_DHCP, startDnsmasq } from "../../../lab/dhcp-server.ts";
import { startKeepalived } from "../../../lab/keepalived.ts";
import { NEIGHBOUR } from "../../../lab/network.ts";
import { buildTown, type Town } from "./town.ts";

/* Somebody else on the provisioning network: a real dnsmasq of both families, and a real keepalived. */

const test = anyTest as TestFn<{ town: Town }>;

test.before(async (t) => {
	t.timeout(600_000);
	const town = await buildTown();
	t.context.town = town;
	const { begin, end, router } = FOREIGN_DHCP;
	await startDnsmasq(town.sandbox, {
		...{ namespace: NEIGHBOUR.namespace, interface: NEIGHBOUR.interface, begin, end, router },
		network6: "fd00:1abc::",
	});
});

test.after.always(async (t) => t.context.town?.sandbox.stop());

const noteTexts = (lines: readonly { readonly type: string; readonly message?: unknown }[]) =>
	lines.filter(({ type }) => type === "note").map(({ message }) => String(message));

test.serial("`up` names it, and starts no DHCP server of its own", async (t) => {
	t.timeout(120_000);
	const { town } = t.context;
	const { exitCode, lines, result } = await town.up({ fence: "{}" });
	t.not(exitCode, 0);
	const mac = (await town.as("neighbour", "cat /sys/class/net/eth0/address")).trim();
	const [error] = (result as unknown as { errors: { code: string; message: string; seen: string }[] }).errors;
	t.is(error?.code, "dhcp-foreign");
	t.regex(error?.message ?? "", new RegExp(`^172\\.22\\.0\\.200 \\(${mac}\\) gives out addresses by DHCPv4`));
	t.regex(error?.seen ?? "", /offered 172\.22\.0\.2[012]\d$/);
	const notes = noteTexts(lines);
	t.true(
		notes.some((note) => note.includes(`(${mac}) gives out addresses by DHCPv6 on br-prov`)),
		notes.join("\n"),
	);
	t.is(await town.shell("podman ps -a --format '{{.Names}}' | grep dnsmasq || true"), "");
	const log = await town.shell("for c in $(podman ps -q); do podman logs $c 2>&1; done");
	t.regex(log, /DHCPOFFER/);
	t.notRegex(log, /DHCPACK|DHCPREPLY/, "nothing was taken from it");
});

test.serial("`dhcp.mode: full` goes on with a warning, and the next `up` does not look again", async (t) => {
	t.timeout(120_000);
	const { town } = t.context;
	const site = { fence: "{}", dhcp: "{ mode: full }" };
	const { exitCode, lines, result } = await town.up(site);
	t.is(exitCode, 0, JSON.stringify(result));
	t.true(noteTexts(lines).some((note) => /172\.22\.0\.200 .* gives out addresses by DHCPv4/.test(note)));
	const { heard } = (
		(await town.run("status")).result as unknown as { fence: { heard: { address: string }[] } }
	).fence;
	t.is(heard[0]?.address, "172.22.0.200", "the fence goes on listening");
	const again = await town.up(site);
	t.is(again.exitCode, 0);
	t.false(again.lines.some(({ step }) => step === "network:look"));
});

test.serial(
	"somebody who answers for this machine's address is named, and nothing of ours starts",
	async (t) => {
		t.timeout(600_000);
		const { town } = t.context;
		t.is((await town.run("down")).exitCode, 0);
		const { interface: link, namespace } = NEIGHBOUR;
		await startKeepalived(town.sandbox, {
			...{ interface: link, namespace, routerId: 1, addresses: ["172.22.0.1/24"] },
		});
		const { exitCode, result } = await town.up({ fence: "{}", dhcp: "{ mode: full }" });
		t.is(exitCode, 1);
		t.like(result?.errors, [
			{
				code: "vrrp-address",
				message:
					"172.22.0.200 (virtual router 1 of VRRP on br-prov) answers for 172.22.0.1, which is this machine's",
				where: { file: "/run/ironstrap-lab/site.yaml", line: 6, column: 16 },
				seen: "answers for 172.22.0.1",
			},
		]);
		t.is(await town.shell("podman ps -a --format '{{.Names}}' | grep dnsmasq || true"), "");
	},
);
