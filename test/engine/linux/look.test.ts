import { join } from "node:path";
import test from "ava";
import { FOREIGN_DHCP, startForeignDhcp } from "../../../lab/dhcp-server.ts";
import { startKeepalived } from "../../../lab/keepalived.ts";
import { createNetwork, NEIGHBOUR } from "../../../lab/network.ts";
import { type Sandbox, startSandbox } from "../../../lab/sandbox.ts";
import { until } from "../../../lab/until.ts";
import type { DhcpLook } from "../../../src/linux/dhcp-look.ts";
import type { MachineInterface } from "../../../src/linux/ip-json.ts";
import type { VirtualRoutersLook } from "../../../src/linux/virtual-routers.ts";

let sandbox: Sandbox;

test.before(async () => {
	sandbox = await startSandbox({ name: "look-test" });
	await createNetwork(sandbox, { taps: ["tap-s0"], neighbour: true });
});

test.after.always(async () => {
	await sandbox?.stop();
});

const driver = join(import.meta.dirname, "look-driver.js");

async function look(name: string, prefix: readonly string[] = []) {
	const [command = "", ...args] = [...prefix, process.execPath, driver, name];
	const { stdout } = await sandbox.run(command, args, { timeoutMs: 40_000 });
	return JSON.parse(stdout) as {
		interfaces: MachineInterface[];
		dhcp: DhcpLook;
		vrrp: VirtualRoutersLook;
	};
}

test.serial("the sandbox's interfaces, from its own ip and /sys; nobody gives out addresses", async (t) => {
	t.timeout(60_000);
	const { interfaces, dhcp } = await look("br-prov");
	const bridge = interfaces.find(({ name }) => name === "br-prov");
	t.like(bridge, { kind: "bridge", mac: "52:54:00:ab:ff:01", link: true });
	t.deepEqual(bridge?.over.toSorted(), ["prov-nb", "prov-up", "tap-s0"]);
	t.deepEqual(
		bridge?.addresses.map(({ cidr, dynamic }) => [cidr, dynamic]),
		[
			["172.22.0.1/24", false],
			["fd00:1abc::1/64", false],
		],
	);
	t.is(interfaces.find(({ name }) => name === "tap-s0")?.memberOf, "br-prov");
	t.deepEqual(dhcp, { outcome: "looked", servers: [] });
});

test.serial("another DHCP server is seen on its own interface only, and leases nothing", async (t) => {
	t.timeout(60_000);
	const server = await startForeignDhcp(sandbox);
	try {
		const { dhcp } = await look("br-prov");
		if (dhcp.outcome !== "looked") return t.fail(dhcp.why);
		t.is(dhcp.servers.length, 1);
		t.like(dhcp.servers[0], { address: FOREIGN_DHCP.server, router: FOREIGN_DHCP.router, own: false });
		t.regex(dhcp.servers[0]?.offered ?? "", /^172\.22\.0\.2[012]\d$/);
		t.deepEqual((await look("bmc0")).dhcp, { outcome: "looked", servers: [] });
		const log = (await sandbox.run("cat", ["/run/ironstrap-lab/udhcpd.log"])).stdout;
		t.regex(log, /sending OFFER/);
		t.notRegex(log, /sending ACK/);
	} finally {
		server.kill();
		await server.result;
	}
});

test.serial(
	"a machine that shares addresses is heard on its own interface only, of both families",
	async (t) => {
		t.timeout(600_000);
		const { address, namespace, interface: link } = NEIGHBOUR;
		const place = { namespace, interface: link };
		const four = await startKeepalived(sandbox, {
			...{ ...place, routerId: 1 },
			addresses: ["172.22.0.9/24", "172.22.0.8/32"],
		});
		const six = await startKeepalived(sandbox, {
			...{ ...place, routerId: 7, version: 3 },
			addresses: ["fe80::7/64", "fd00:1abc::7/64"],
		});
		try {
			const { vrrp } = await look("br-prov");
			if (vrrp.outcome !== "looked") return t.fail(vrrp.why);
			const [first, second, ...more] = vrrp.routers;
			t.deepEqual(more, []);
			t.like(first, { address, routerId: 1 });
			t.deepEqual(first?.virtualAddresses.toSorted(), ["172.22.0.8", "172.22.0.9"]);
			t.like(second, { routerId: 7 });
			t.regex(second?.address ?? "", /^fe80::/);
			t.deepEqual(second?.virtualAddresses.toSorted(), ["fd00:1abc::7", "fe80::7"]);
			t.deepEqual((await look("bmc0")).vrrp, { outcome: "looked", routers: [] });
			t.is((await sandbox.run("nft", ["list", "tables"])).stdout, "", "nothing of the look is left");
		} finally {
			for (const each of [four, six]) each.kill();
			await Promise.all([four.result, six.result]);
		}
	},
);

test.serial("a look that is killed leaves no table", async (t) => {
	t.timeout(60_000);
	const looking = sandbox.spawn(process.execPath, [driver, "br-prov"]);
	const tables = async () => (await sandbox.run("nft", ["list", "tables"])).stdout;
	await until(async () => (await tables()).includes("ironstrap_look_"), {
		what: "the look's table",
		deadlineMs: 20_000,
	});
	looking.kill("SIGKILL");
	await looking.result;
	await until(async () => (await tables()) === "", { what: "the table to go", deadlineMs: 5000 });
	t.pass();
});

test.serial("without root it says that it could not look", async (t) => {
	t.timeout(60_000);
	const unprivileged = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all"];
	await sandbox.run("sysctl", ["-qw", "net.ipv4.ip_unprivileged_port_start=1024"]);
	const { dhcp, vrrp } = await look("br-prov", unprivileged);
	t.deepEqual(dhcp, { outcome: "could-not-look", why: "it needs root" });
	t.is(vrrp.outcome, "could-not-look");
	t.regex(vrrp.outcome === "could-not-look" ? vrrp.why : "", /Operation not permitted/);
});

test.serial("beside another client of port 68 it still looks", async (t) => {
	t.timeout(60_000);
	const script = `const s = require("dgram").createSocket({ type: "udp4", reuseAddr: true });
		s.bind(68, "0.0.0.0", () => console.log("bound"));`;
	const client = sandbox.spawn(process.execPath, ["-e", script]);
	await new Promise((resolve) => client.stdout?.once("data", resolve));
	t.deepEqual((await look("br-prov")).dhcp, { outcome: "looked", servers: [] });
	client.kill();
	await client.result;
});
