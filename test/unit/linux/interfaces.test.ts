import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { lookAtInterfaces } from "../../../src/linux/interfaces.ts";
import type { IpLink } from "../../../src/linux/ip-json.ts";

const up = ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"];

function ethernet(ifname: string, more: Partial<IpLink> = {}): IpLink {
	return { ifindex: 2, ifname, flags: up, link_type: "ether", address: "52:54:00:00:00:01", ...more };
}

function ipv4(local: string, prefixlen: number, dynamic?: boolean) {
	return { family: "inet", local, prefixlen, scope: "global", ...(dynamic === undefined ? {} : { dynamic }) };
}

/** A fake /sys: files of each interface, `device` and `wireless` are directories. */
function sys(t: ExecutionContext, links: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
	const root = mkdtempSync(join(tmpdir(), "ironstrap-sys-"));
	t.teardown(() => rmSync(root, { recursive: true }));
	for (const [name, files] of Object.entries(links)) {
		const directory = join(root, "sys/class/net", name);
		mkdirSync(directory, { recursive: true });
		for (const [file, text] of Object.entries(files))
			if (text === "/") mkdirSync(join(directory, file));
			else writeFileSync(join(directory, file), `${text}\n`);
	}
	return root;
}

async function look(
	t: ExecutionContext,
	links: readonly (IpLink | object)[],
	more: { routes?: object[]; files?: Parameters<typeof sys>[1] } = {},
) {
	const ip = (args: readonly string[]) =>
		Promise.resolve(args.includes("route") ? JSON.stringify(more.routes ?? []) : JSON.stringify(links));
	return lookAtInterfaces({ signal: AbortSignal.timeout(5000), root: sys(t, more.files ?? {}), ip });
}

test("a laptop on Wi-Fi: the radio is known by /sys, the default route and the lease by ip", async (t) => {
	const [wifi, ...others] = await look(
		t,
		[
			{ ifindex: 1, ifname: "lo", flags: ["LOOPBACK", "UP"], link_type: "loopback" },
			ethernet("wlp3s0", {
				addr_info: [
					ipv4("192.168.1.57", 24, true),
					{ family: "inet6", local: "fe80::1", prefixlen: 64, scope: "link" },
				],
			}),
		],
		{
			routes: [{ dst: "default", gateway: "192.168.1.1", dev: "wlp3s0", metric: 600 }],
			files: { wlp3s0: { wireless: "/", device: "/", carrier: "1" } },
		},
	);
	t.deepEqual(others, []);
	t.deepEqual(wifi, {
		name: "wlp3s0",
		mac: "52:54:00:00:00:01",
		kind: "wireless",
		over: [],
		memberOf: undefined,
		vlan: undefined,
		link: true,
		speedMbps: undefined,
		addresses: [{ family: 4, address: "192.168.1.57", cidr: "192.168.1.57/24", dynamic: true }],
		gateway: "192.168.1.1",
		managedBy: undefined,
	});
});

test("bridges, bonds, VLANs and what belongs to a container engine", async (t) => {
	const links = await look(
		t,
		[
			ethernet("eno1", { master: "bond0" }),
			ethernet("eno2", { master: "bond0" }),
			ethernet("bond0", { linkinfo: { info_kind: "bond" } }),
			ethernet("bond0.40", { link: "bond0", linkinfo: { info_kind: "vlan", info_data: { id: 40 } } }),
			ethernet("br0", { linkinfo: { info_kind: "bridge" } }),
			ethernet("docker0", { linkinfo: { info_kind: "bridge" }, flags: ["BROADCAST", "UP"] }),
			ethernet("wg0", { link_type: "none", linkinfo: { info_kind: "wireguard" } }),
			{}, // iproute2 prints empty objects for what it leaves out
		],
		{ files: { eno1: { device: "/", speed: "25000", carrier: "1" }, eno2: { speed: "-1", carrier: "0" } } },
	);
	t.deepEqual(
		links.map(({ name, kind, over, memberOf, vlan, managedBy }) => [
			name,
			kind,
			over,
			memberOf,
			vlan,
			managedBy,
		]),
		[
			["eno1", "ethernet", [], "bond0", undefined, undefined],
			["eno2", "ethernet", [], "bond0", undefined, undefined],
			["bond0", "bond", ["eno1", "eno2"], undefined, undefined, undefined],
			["bond0.40", "vlan", ["bond0"], undefined, 40, undefined],
			["br0", "bridge", [], undefined, undefined, undefined],
			["docker0", "bridge", [], undefined, undefined, "Docker"],
			["wg0", "tunnel", [], undefined, undefined, "a VPN"],
		],
	);
	t.deepEqual(
		links.slice(0, 2).map(({ speedMbps, link }) => [speedMbps, link]),
		[
			[25000, true],
			[undefined, false],
		],
	);
});

test("an interface that is switched off has neither link nor speed: nobody knows", async (t) => {
	const [off] = await look(t, [ethernet("eth0", { flags: ["BROADCAST"] })], {
		files: { eth0: { device: "/" } },
	});
	t.is(off?.link, undefined);
	t.is(off?.speedMbps, undefined);
});

test("no list at all is an error with what was seen", async (t) => {
	await t.throwsAsync(
		lookAtInterfaces({
			signal: AbortSignal.timeout(5000),
			root: "/nonexistent",
			ip: () => Promise.resolve("BusyBox v1.35"),
		}),
		{ message: /no list of interfaces/ },
	);
});
