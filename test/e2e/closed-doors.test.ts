import { fileURLToPath } from "node:url";
import anyTest, { type TestFn } from "ava";
import { imageStore } from "../../lab/image-store.ts";
import { type Lab, startLab } from "../../lab/lab.ts";
import { BMC_NETWORK, PROVISIONING } from "../../lab/network.ts";
import { faultsIn, ironstrap, launcher } from "../../lab/story/product.ts";
import { writeManifests } from "../../lab/story/site.ts";
import { siteText } from "./bad-days/site.ts";
import type { RawRequest, Task } from "./closed-doors/probe.ts";
import { apiTricks, fileTricks, onTheWire, smuggled } from "./closed-doors/tricks.ts";

/*
 * A stranger on the provisioning network, with the routes that a stranger would add, tries every TCP port of every
 * address of the bootstrap machine, and then everything that answers.
 */

const test = anyTest as TestFn<{ lab: Lab; subnet: string }>;

const probe = fileURLToPath(new URL("closed-doors/probe.js", import.meta.url));
const marker = "for-nobody-else";
const uuid = "11111111-2222-3333-4444-555555555555";

test.before(async (t) => {
	t.timeout(300_000);
	const lab = await startLab({ servers: [], imageStores: [await imageStore()], neighbour: true });
	t.context.lab = lab;
	// the emulated BMCs are no part of the bootstrap machine
	lab.bmc.process.kill("SIGKILL");
	await lab.bmc.process.result;
	const ramdisk = { kernel: `${lab.workDir}/kernel`, initramfs: `${lab.workDir}/initramfs` };
	await shell(lab, `for f in ${Object.values(ramdisk).join(" ")}; do echo ramdisk >$f; done`);
	const folder = writeManifests(`${lab.workDir}/site`, siteText(ramdisk));
	const outcome = await ironstrap(lab.sandbox, ["up", "-f", folder, "--no-hosts"]);
	t.is(outcome.exitCode, 0, faultsIn(outcome));
	const address = await shell(
		lab,
		"podman inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' ironstrap-metal3-httpd-1",
	);
	t.context.subnet = address.replace(/\.\d+$/, "");
	for (const network of [`${t.context.subnet}.0/24`, "192.168.222.0/24"])
		await lab.network.fromNeighbour("ip", ["route", "add", network, "via", PROVISIONING.address]);
});

test.after.always(async (t) => t.context.lab?.stop());

test.serial("of all TCP ports of all addresses, only the documented ones answer", async (t) => {
	t.timeout(300_000);
	const { lab, subnet } = t.context;
	const scan = (address: string) => openPorts(lab, address);
	t.deepEqual(await scan(PROVISIONING.address), [6180, 6183, 6385], "provisioning address");
	t.deepEqual(await scan("fd00:1abc::1"), [], "its IPv6 address");
	t.deepEqual(await scan(BMC_NETWORK.address), [], "address on the network of the BMCs");
	t.deepEqual(await scan(`${subnet}.1`), [], "gateway of the containers");
	t.deepEqual(await scan(`${subnet}.20`), [], "Ironic's container");
	// a route leads nowhere: the fence lets only the bridge itself address containers
	t.deepEqual(await scan(`${subnet}.30`), [], "httpd's container");
});

test.serial("database and Ironic have no listening socket at all", async (t) => {
	const { lab } = t.context;
	for (const service of ["mariadb", "ironic"]) {
		const sockets = await shell(
			lab,
			`pid=$(podman inspect -f '{{.State.Pid}}' ironstrap-metal3-${service}-1); cat /proc/$pid/net/tcp /proc/$pid/net/tcp6`,
		);
		const listening = sockets.split("\n").filter((line) => line.trim().split(/\s+/)[3] === "0A");
		t.deepEqual(listening, [], service);
	}
});

test.serial("what servers need answers without a password", async (t) => {
	const { lab } = t.context;
	const json = { headers: ["Content-Type: application/json"], body: "{}" };
	const answers = await ask(lab, [
		api({ line: "GET /" }),
		api({ line: "GET /v1" }),
		api({ line: "GET /v1/lookup?addresses=52:54:00:ab:00:01" }),
		api({ line: `POST /v1/heartbeat/${uuid}`, ...json }),
		api({ line: "POST /v1/continue_inspection", ...json }),
	]);
	t.deepEqual(answers.map(statusOf), ["200", "200", "404", "400", "400"]);
});

test.serial("nothing else of the API answers, however it is asked, with the password neither", async (t) => {
	t.timeout(120_000);
	const { lab } = t.context;
	const tricks = apiTricks(await authorization(lab));
	const answers = await ask(lab, tricks.map(api));
	for (const [index, answer] of answers.entries()) {
		t.regex(statusOf(answer), /^(40[0-9]|50[15]|none)$/, JSON.stringify(tricks[index]));
		t.notRegex(answer, leak, JSON.stringify(tricks[index]));
	}
	const within = await ask(
		lab,
		smuggled.map((text) => ({ ...place(6385), text })),
	);
	for (const [index, answer] of within.entries()) t.notRegex(answer, leak, smuggled[index]);
});

test.serial("the operators' side takes nobody who comes to the container by a route", async (t) => {
	t.timeout(120_000);
	const { lab, subnet } = t.context;
	const tricks = [...apiTricks(await authorization(lab)), { line: "GET /" }, { line: "GET /v1" }];
	const answers = await ask(
		lab,
		tricks.map((trick) => ({ address: `${subnet}.30`, port: 6386, tls: true, text: onTheWire(trick) })),
	);
	for (const [index, answer] of answers.entries()) {
		t.regex(statusOf(answer), /^(40[0-9]|50[15]|none)$/, JSON.stringify(tricks[index]));
		t.notRegex(answer, leak);
	}
});

test.serial(
	"plain HTTP gives out no media, no config drive, no log, and nothing outside its folder",
	async (t) => {
		t.timeout(120_000);
		const { lab } = t.context;
		const secrets = [
			`html/redfish/boot-${uuid}.iso`,
			`html/redfish/configdrive-${uuid}.iso.gz`,
			`html/${uuid}`,
			`html/.${uuid}/config`,
			"log/deploy.tar.gz",
			"tmp/configdrive",
			`agent-certificates/${uuid}.crt`,
			`master_images/${uuid}`,
		];
		await shell(
			lab,
			`cd $(podman volume inspect -f '{{.Mountpoint}}' ironstrap-metal3_shared)
for f in ${secrets.join(" ")}; do mkdir -p $(dirname $f); echo ${marker} >$f; chmod 644 $f; chown -R 902:902 $(dirname $f); done`,
		);
		const files = ["../../etc/ironstrap/httpd/tls.key", ...secrets];
		const tricks = files.flatMap(fileTricks);
		const listings = ["/", "/images/", "/images", "/redfish/", "/pxelinux.cfg/"].map((path) => ({
			line: `GET ${path}`,
		}));
		for (const { port, allowed } of [
			{ port: 6180, allowed: /^$/ },
			// virtual media is for who knows its name
			{ port: 6183, allowed: /^GET \/redfish\/(boot|configdrive)-/ },
		]) {
			const all = [...tricks, ...listings].filter(({ line }) => !allowed.test(line));
			const answers = await ask(
				lab,
				all.map((trick) => ({ ...place(port), text: onTheWire(trick) })),
			);
			for (const [index, answer] of answers.entries()) {
				t.regex(statusOf(answer), /^40[0-9]$/, `${port} ${JSON.stringify(all[index])}`);
				t.notRegex(answer, leak, `${port} ${JSON.stringify(all[index])}`);
			}
		}
		t.is(
			statusOf((await ask(lab, [{ ...place(6180), text: onTheWire({ line: "GET /boot.ipxe" }) }]))[0] ?? ""),
			"200",
		);
	},
);

test.serial("loopback's side refuses a stranger with a route to it", async (t) => {
	const { lab } = t.context;
	const script = `echo 1 >/proc/sys/net/ipv4/conf/all/route_localnet
ip addr del 127.0.0.1/8 dev lo
ip route add 127.0.0.0/8 via ${PROVISIONING.address} src 172.22.0.200
curl --silent --insecure --max-time 5 --output /dev/null --write-out '%{http_code}' https://127.0.0.1:6385/v1 || true`;
	const { stdout } = await lab.network.fromNeighbour("sh", ["-c", script]);
	// The engine's address translation comes before the kernel drops what is for 127.0.0.1: the fence drops it earlier.
	t.is(stdout.trim(), "000");
});

test.serial("OpenStack's client manages Ironic with what `ironstrap env` prints", async (t) => {
	t.timeout(120_000);
	const { lab } = t.context;
	const lines = await shell(lab, `${process.execPath} ${launcher} env`);
	t.notRegex(lines, /password/i);
	const client = (words: string) => shell(lab, `${lines}\nbaremetal ${words} 2>&1 || true`);
	const node = JSON.parse(await client("node create --driver redfish --name by-hand -f json"));
	t.is(node.name, "by-hand");
	t.is((await client("node list -f value -c Name")).trim(), "by-hand");
	t.regex(
		await client("--os-cacert /etc/ssl/certs/ca-certificates.crt node list"),
		/certificate verify failed/i,
	);
	const clouds = lines.match(/OS_CLIENT_CONFIG_FILE=(\S+)/)?.[1] ?? "";
	const wrong = `sed 's/password: .*/password: wrong/' ${clouds} >${lab.workDir}/clouds.yaml
export OS_CLIENT_CONFIG_FILE=${lab.workDir}/clouds.yaml`;
	t.regex(await shell(lab, `${lines}\n${wrong}\nbaremetal node list 2>&1 || true`), /401|unauthorized/i);
	await client("node delete by-hand");
	t.is((await client("node list -f value -c Name")).trim(), "");
	t.is(await shell(lab, `stat -c '%a %U' ${clouds} $(dirname ${clouds})`), "600 root\n700 root");
});

/** What only somebody with the password, or with the server's own files, may see. */
const leak = new RegExp(`"nodes": ?\\[\\]|"hosts": ?\\[|PRIVATE KEY|${marker}`);

function place(port: number): Omit<RawRequest, "text"> {
	return { address: PROVISIONING.address, port, tls: port !== 6180 };
}

function api(trick: Parameters<typeof onTheWire>[0]): RawRequest {
	return { ...place(6385), text: onTheWire(trick) };
}

function statusOf(answer: string): string {
	return /^HTTP\/\d\.\d (\d{3})/.exec(answer)?.[1] ?? (answer === "" ? "none" : "no status");
}

function ask(lab: Lab, requests: readonly RawRequest[]): Promise<readonly string[]> {
	return run(lab, { requests });
}

/** All 65535 TCP ports, with raw SYN packets: connecting would wait for each one that is silently dropped. */
async function openPorts(lab: Lab, address: string): Promise<readonly number[]> {
	const family = address.includes(":") ? ["-6"] : [];
	const pace = ["--min-rate", "10000", "--max-rate", "20000", "--max-retries", "2"];
	const words = [...family, "-n", "-Pn", "-sS", "-p-", "-T5", ...pace, "--open", "-oG", "-", address];
	const { stdout } = await lab.network.fromNeighbour("nmap", words);
	return [...stdout.matchAll(/(\d+)\/open\/tcp/g)].map(([, port]) => Number(port)).sort((a, b) => a - b);
}

async function run<T>(lab: Lab, task: Task): Promise<T> {
	const { stdout } = await lab.network.fromNeighbour(process.execPath, [probe], {
		input: JSON.stringify(task),
	});
	return JSON.parse(stdout) as T;
}

async function shell(lab: Lab, script: string): Promise<string> {
	return (await lab.sandbox.run("sh", ["-ec", script])).stdout.trim();
}

/** The header of somebody who knows the password. */
async function authorization(lab: Lab): Promise<string> {
	const secret = async (name: string) =>
		(JSON.parse(await shell(lab, `cat /var/lib/ironstrap/metal3/secrets/${name}.json`)) as { value: string })
			.value;
	const pair = `${await secret("api-username")}:${await secret("api-password")}`;
	return `Authorization: Basic ${Buffer.from(pair).toString("base64")}`;
}
