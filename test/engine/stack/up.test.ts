import { readFileSync, writeFileSync } from "node:fs";
import anyTest, { type TestFn } from "ava";
import type { ObservedProject } from "../../../src/converge/observed.ts";
import type { Plan, PlannedChange } from "../../../src/converge/plan.ts";
import { apiPassword, type SandboxedStack, stackDirectory, startSandboxedStack } from "./sandboxed-stack.ts";

interface UpResult {
	readonly changes: readonly PlannedChange[];
	readonly again: readonly unknown[];
	readonly times: Readonly<Record<string, number>>;
	readonly ca: string;
}

const test = anyTest as TestFn<{ stack: SandboxedStack; up: UpResult }>;

test.before(async (t) => {
	t.timeout(600_000);
	const stack = await startSandboxedStack();
	t.context.stack = stack;
	t.context.up = await stack.drive<UpResult>("up");
	t.log(JSON.stringify(t.context.up.times));
});

test.after.always(async (t) => t.context.stack?.sandbox.stop());

const operator = "https://127.0.0.1:6385";
const servers = "https://172.22.0.1:6385";
const credentials = ["-u", `admin:${apiPassword}`];
/** Names of nodes are unknown to the first version of the API. */
const version = ["-H", "X-OpenStack-Ironic-API-Version: 1.90"];
const uuid = "11111111-2222-3333-4444-555555555555";

test.serial("everything is created once, and the next plan is empty", (t) => {
	t.true(t.context.up.changes.every(({ change }) => change === "create"));
	t.deepEqual(t.context.up.again, []);
});

test.serial("a conductor is registered with its drivers; TLS is checked against the site's CA", async (t) => {
	const { stack, up } = t.context;
	writeFileSync(stack.sandbox.path("/run/ironstrap-lab/ca.pem"), up.ca);
	const args = ["-sS", "--cacert", "/run/ironstrap-lab/ca.pem", ...credentials, `${operator}/v1/drivers`];
	const { stdout } = await stack.sandbox.run("curl", args);
	const { drivers } = JSON.parse(stdout) as { drivers: { name: string; hosts: string[] }[] };
	t.deepEqual(drivers.map(({ name }) => name).sort(), ["ipmi", "manual-management", "redfish"]);
	for (const { hosts } of drivers) t.deepEqual(hosts, ["ironstrap-metal3"]);
});

test.serial("the API asks for the password, also on this machine", async (t) => {
	const { stack } = t.context;
	t.is(await stack.status(`${operator}/v1`), "200");
	t.is(await stack.status(`${operator}/v1/nodes`), "401");
	t.is(await stack.status("-u", "admin:wrong", `${operator}/v1/nodes`), "401");
	t.is(await stack.status(...credentials, `${operator}/v1/nodes`), "200");
	t.is(await stack.status(...credentials, `${operator}/v1/nodes?limit=1`), "200");
});

test.serial("what needs no password is not on the operator's side, however it is spelled", async (t) => {
	const { stack } = t.context;
	for (const path of [
		"/v1/lookup?addresses=52:54:00:ab:00:01",
		"/lookup?addresses=52:54:00:ab:00:01",
		"/v1/lookup.json",
		"/v1/%6cookup",
		"//v1//lookup",
		"/v1/nodes/../lookup",
		"/v1/./lookup",
		`/v1/heartbeat/${uuid}`,
		"/v1/continue_inspection",
		"/continue_inspection",
	])
		t.is(await stack.status(...credentials, operator + path), "403", path);
});

test.serial(
	"servers reach Ironic for lookup, heartbeat and inspection: its own answers come back",
	async (t) => {
		const { stack } = t.context;
		const post = ["-X", "POST", "-H", "Content-Type: application/json", "-d", "{}"];
		t.is(await stack.status(`${servers}/`), "200");
		t.is(await stack.status(`${servers}/v1`), "200");
		t.is(await stack.status(`${servers}/v1/lookup?addresses=52:54:00:ab:00:01`), "404");
		t.is(await stack.status(...post, `${servers}/v1/heartbeat/${uuid}`), "400");
		t.is(await stack.status(...post, `${servers}/v1/continue_inspection`), "400");
	},
);

test.serial("servers reach nothing else of the API, not even with the password", async (t) => {
	const { stack } = t.context;
	for (const path of [
		"/v1/nodes",
		"/nodes",
		"/V1/nodes",
		"/v1/drivers",
		"/v1//nodes",
		"//v1/nodes",
		"/v1/lookup/../nodes",
		"/v1/%2e%2e/v1/nodes",
		"/v1/%6eodes",
		"/v1/lookup%2f..%2fnodes",
		"/v1/lookup/x",
		"/v1/lookup;/nodes",
		"/v1/nodes?addresses=a",
		"/v1.json",
	])
		t.regex(await stack.status(...credentials, servers + path), /^40[034]$/, path);
	t.is(await stack.status("--request-target", "https://172.22.0.1/v1/nodes", ...credentials, servers), "403");
});

test.serial("boot files come over plain HTTP; directories, media and anything hidden do not", async (t) => {
	const { stack } = t.context;
	const files = "http://172.22.0.1:6180";
	for (const path of ["boot.ipxe", "undionly.kpxe", "snponly-x86_64.efi", "images/deploy-ramdisk/kernel"])
		t.is(await stack.status(`${files}/${path}`), "200", path);
	for (const path of [
		"",
		"images/",
		"redfish/",
		"redfish/boot-x.iso",
		"pxelinux.cfg/",
		"images/%2e%2e/boot.ipxe",
		"x",
	])
		t.regex(await stack.status(`${files}/${path}`), /^40[034]$/, path);
	t.is(
		(await stack.sandbox.run("curl", ["-s", `${files}/images/deploy-ramdisk/initramfs`])).stdout,
		"the initramfs",
	);
});

test.serial(
	"a link that the conductor did not make is not followed to the server's own secrets",
	async (t) => {
		const { stack } = t.context;
		const volume = (
			await stack.shell("podman volume inspect -f '{{.Mountpoint}}' ironstrap-metal3_shared")
		).trim();
		await stack.shell(
			`ln -s /etc/ironstrap/httpd/tls.key ${volume}/html/images/key; chown -h 902:902 ${volume}/html/images/key`,
		);
		t.is(await stack.status("http://172.22.0.1:6180/images/key"), "403");
		await stack.shell(`rm ${volume}/html/images/key`);
	},
);

test.serial("old TLS is refused", async (t) => {
	t.is(await t.context.stack.status("--tls-max", "1.1", `${servers}/v1`), "000");
	t.is(await t.context.stack.status("--tls-max", "1.2", `${servers}/v1`), "200");
});

test.serial("database and Ironic listen on no port, and have no capability", async (t) => {
	const { stack } = t.context;
	for (const service of ["mariadb", "ironic"]) {
		const pid = (
			await stack.shell(`podman inspect -f '{{.State.Pid}}' ironstrap-metal3-${service}-1`)
		).trim();
		const sockets = await stack.shell(`cat /proc/${pid}/net/tcp /proc/${pid}/net/tcp6`);
		// State 0A: listening.
		t.deepEqual(
			sockets.split("\n").filter((line) => line.trim().split(/\s+/)[3] === "0A"),
			[],
			service,
		);
		const status = await stack.shell(`cat /proc/${pid}/status`);
		t.regex(status, /CapEff:\t0000000000000000/, service);
		t.regex(status, /NoNewPrivs:\t1/, service);
		t.notRegex(status, /Uid:\t0\t/, service);
	}
});

test.serial("httpd answers on the published addresses only", async (t) => {
	const listening = await t.context.stack.shell("ss -Hltn");
	t.deepEqual(
		[...listening.matchAll(/\s(\S+):(6\d{3})\s/g)].map(([, address, port]) => `${address}:${port}`).sort(),
		["127.0.0.1:6385", "172.22.0.1:6180", "172.22.0.1:6183", "172.22.0.1:6385"],
	);
});

test.serial(
	"no secret is in what the engine tells about the containers, and none in their logs",
	async (t) => {
		const { stack } = t.context;
		const told = await stack.shell(
			"for c in $(podman ps -aq); do podman inspect $c; podman logs $c 2>&1; podman top $c args 2>&1 || true; done",
		);
		const key = readFileSync(stack.sandbox.path(`${stackDirectory}/run/httpd/tls.key`), "utf8").split(
			"\n",
		)[5] as string;
		for (const secret of [apiPassword, "p%a$s", "p%25a%24s", "$2b$", key])
			t.false(told.includes(secret), secret);
	},
);

test.serial(
	"the bridge has the name that the fence knows, and its members the MAC addresses that follow from theirs",
	async (t) => {
		const { stack } = t.context;
		t.regex(await stack.shell("ip -br addr show dev is-8270e6d7"), /10\.89\.77\.1\/24/);
		const macs = await stack.shell(
			"podman inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{.MacAddress}}{{end}}' ironstrap-metal3-ironic-1 ironstrap-metal3-httpd-1",
		);
		t.is(macs.trim(), "10.89.77.20 02:42:0a:59:4d:14\n10.89.77.30 02:42:0a:59:4d:1e");
	},
);

test.serial("a known server gets an address and its boot file, an unknown one gets no answer", async (t) => {
	const { stack } = t.context;
	const ask = async (mac: string, architecture: string) => {
		await stack.network.fromNeighbour("ip", ["link", "set", "dev", "eth0", "address", mac]);
		const script = `printf '#!/bin/sh\\nenv | grep -E "^(ip|boot_file|bootfile|siaddr|router|subnet|dns)=" || true\\n' >/run/dhcp.sh
chmod +x /run/dhcp.sh
busybox udhcpc -f -q -n -t 2 -T 1 -i eth0 -s /run/dhcp.sh -x 0x5d:${architecture} -O bootfile 2>&1 || true`;
		return (await stack.network.fromNeighbour("sh", ["-c", script])).stdout;
	};
	const known = await ask("52:54:00:ab:00:01", "0007");
	t.regex(known, /bootfile=snponly-x86_64\.efi/);
	t.regex(known, /ip=172\.22\.0\.1[0-5]\d/);
	t.regex(known, /subnet=255\.255\.255\.0/);
	t.notRegex(known, /router=|dns=/);
	t.regex(await ask("52:54:00:ab:00:01", "0000"), /bootfile=undionly\.kpxe/);
	t.regex(
		await ask("52:54:00:ab:00:01", "0010"),
		/bootfile=http:\/\/172\.22\.0\.1:6180\/snponly-x86_64\.efi/,
	);
	t.notRegex(await ask("52:54:00:ff:ff:ff", "0007"), /ip=/);
});

test.serial("a host that is added becomes known without a new container", async (t) => {
	const { stack } = t.context;
	const host = {
		apiVersion: "metal3.io/v1alpha1",
		kind: "BareMetalHost",
		metadata: { name: "cp-9", namespace: "metal3" },
		spec: { online: true, bootMACAddress: "52:54:00:ab:00:99" },
	};
	const { changes } = await stack.drive<UpResult>("up", { site: { hosts: [host] } });
	t.true(changes.every(({ change }) => change === "keep"));
	t.regex(await stack.shell("podman logs ironstrap-metal3-dnsmasq-1 2>&1"), /read \S+\/52-54-00-ab-00-99/);
});

test.serial("another API password takes effect without a new container", async (t) => {
	const { stack } = t.context;
	const { changes } = await stack.drive<UpResult>("up", { apiPassword: "another" });
	t.true(changes.every(({ change }) => change === "keep"));
	t.is(await stack.status("-u", "admin:another", `${operator}/v1/nodes`), "200");
	t.is(await stack.status(...credentials, `${operator}/v1/nodes`), "401");
});

test.serial("another database password replaces what reads it, and the nodes are still there", async (t) => {
	const { stack } = t.context;
	const login = ["-u", "admin:another"];
	const headers = ["-H", "Content-Type: application/json", ...version];
	const node = '{"driver":"redfish","name":"metal3~cp-0"}';
	t.is(await stack.status(...login, ...headers, "-d", node, `${operator}/v1/nodes`), "201");
	const { changes } = await stack.drive<UpResult>("up", {
		apiPassword: "another",
		databasePassword: "other",
	});
	t.deepEqual(
		changes.filter(({ change }) => change !== "keep").map(({ name, change }) => `${change} ${name}`),
		["mariadb", "schema", "ironic"].map((service) => `replace ironstrap-metal3-${service}-1`),
	);
	t.is(await stack.status(...login, ...headers, `${operator}/v1/nodes/metal3~cp-0`), "200");
});

test.serial("after everything was killed at once, the next run starts what is there", async (t) => {
	const { stack } = t.context;
	const options = { apiPassword: "another", databasePassword: "other" };
	await stack.shell("podman stop -t 0 -a >/dev/null");
	const { changes } = await stack.drive<UpResult>("up", options);
	t.true(changes.every(({ change }) => change === "keep" || change === "start"));
	t.is(await stack.status("-u", "admin:another", ...version, `${operator}/v1/nodes/metal3~cp-0`), "200");
});

test.serial("down takes everything away", async (t) => {
	const { stack } = t.context;
	t.deepEqual(await stack.drive<ObservedProject>("down"), { networks: [], volumes: [], containers: [] });
	t.is(
		await stack.shell(
			"podman ps -aq; podman volume ls -q; podman network ls -q --filter name=ironstrap; ip -br link show type bridge | grep is- || true",
		),
		"",
	);
});

test.serial(
	"a run that is killed after every single action ends, run again, in the same stack",
	async (t) => {
		t.timeout(300_000);
		const { stack } = t.context;
		let kills = 0;
		for (;;) {
			const { exitCode, signal, stderr } = await stack.attempt("up", { dieAfter: 1 });
			if (exitCode === 0) break;
			t.true(signal === "SIGKILL" || exitCode === 137, stderr);
			kills += 1;
			t.true(kills < 15, stderr);
		}
		t.is(kills, 9);
		t.deepEqual((await stack.drive<Plan>("plan")).actions, []);
		t.is(await stack.status(...credentials, `${operator}/v1/drivers`), "200");
		await stack.drive("down");
	},
);

test.serial("a database that is killed while it initialises starts over", async (t) => {
	t.timeout(120_000);
	const { stack } = t.context;
	// Network, three volumes and the database's container.
	await stack.attempt("up", { dieAfter: 5 });
	const killed = await stack.shell(`
data=$(podman volume inspect -f '{{.Mountpoint}}' ironstrap-metal3_mariadb-data)
until [ -e "$data/.ironstrap-initialising" ] && [ -e "$data/mysql" ]; do
	[ -e "$data/mysql" ] && ! [ -e "$data/.ironstrap-initialising" ] && exit 3
	sleep 0.005
done
podman kill -s KILL ironstrap-metal3-mariadb-1 >/dev/null
ls -A "$data"`);
	t.true(killed.split("\n").includes(".ironstrap-initialising"));
	await stack.drive<UpResult>("up");
	t.regex(
		await stack.shell("podman logs ironstrap-metal3-mariadb-1 2>&1"),
		/the last initialisation was interrupted/,
	);
	t.is(await stack.status(...credentials, `${operator}/v1/nodes`), "200");
});
