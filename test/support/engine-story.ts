import { deepStrictEqual } from "node:assert";
import { appendFileSync } from "node:fs";
import type { RootName } from "../../lab/roots/definition.ts";
import type { EngineChoice, EngineMachine } from "../../lab/roots/machine.ts";
import type { EngineProgram } from "../../lab/story/leftovers.ts";
import {
	changesOf,
	type Edit,
	leftAfterPurge,
	mustHaveConductor,
	purge,
	site,
	succeed,
	up,
	writeSite,
} from "./bare-stack.ts";

import { type ComposeProgram, dockerCompose, mustRunByCompose, podmanCompose } from "./compose-story.ts";

/** A part of a stack's life on one engine; the parts come in this order. Throws if it goes otherwise than it says. */
export interface Chapter {
	readonly title: string;
	run(machine: EngineMachine): Promise<void>;
}

const services = ["mariadb", "prepare", "dnsmasq", "schema", "ironic", "httpd"];
const nameOf = (service: string) => `ironstrap-${site}-${service}-1`;
const network = `ironstrap-${site}_private`;

/** One field of the site for each service: what is changed, and the containers that read it. */
const fields: readonly (readonly [title: string, edit: Edit, replaced: readonly string[]])[] = [
	["the DHCP range", ["rangeEnd: 172.22.0.150", "rangeEnd: 172.22.0.140"], ["dnsmasq"]],
	[
		"a further address of the API",
		["  deployRamdisk:\n    kernel", "  api:\n    listen: [192.168.222.1]\n  deployRamdisk:\n    kernel"],
		["httpd"],
	],
	[
		"an option of Ironic",
		[
			"spec:\n  networking",
			'spec:\n  extraConfig:\n    - { group: conductor, name: workers_pool_size, value: "50" }\n  networking',
		],
		["ironic"],
	],
	[
		"the database's image",
		[
			"  deployRamdisk:\n    kernel",
			"  images:\n    mariadb: localhost/ironstrap/mariadb\n  deployRamdisk:\n    kernel",
		],
		["mariadb"],
	],
	["a deploy ramdisk", [`ipa/kernel`, `ipa/initramfs`], ["prepare"]],
];

const life: readonly Chapter[] = [
	{
		title: "comes up from nothing, a conductor is registered",
		async run({ sandbox }) {
			writeSite(sandbox);
			const created = changesOf(await succeed(sandbox, up));
			deepStrictEqual(
				created.filter((change) => change.includes("metal3-")),
				services.map((service) => `create ${nameOf(service)}`),
			);
			await mustHaveConductor(sandbox);
		},
	},
	{
		title: "servers reach the stack, and the stack reaches servers, through fence and engine",
		run: mustServe,
	},
	{
		title: "an unchanged up changes nothing",
		async run(machine) {
			deepStrictEqual(await replacedBy(machine, []), []);
		},
	},
	...fields.map(
		([title, edit, replaced]): Chapter => ({
			title: `${title} replaces ${replaced.join(", ")} alone`,
			async run(machine) {
				writeSite(machine.sandbox, { edits: [edit] });
				deepStrictEqual(await replacedBy(machine, replaced), replaced.map(nameOf));
				writeSite(machine.sandbox);
				deepStrictEqual(await replacedBy(machine, replaced), replaced.map(nameOf));
			},
		}),
	),
	{
		title: "a container that was removed by hand is made again, and nothing else",
		async run(machine) {
			await machine.cli("rm", "--force", nameOf("ironic"));
			deepStrictEqual(changesOf(await succeed(machine.sandbox, up)), [`create ${nameOf("ironic")}`]);
			await mustHaveConductor(machine.sandbox);
		},
	},
	{
		title: "a network that was removed by hand is made again, with what is on it",
		async run(machine) {
			for (const service of ["ironic", "httpd"])
				await machine.cli("network", "disconnect", "--force", network, nameOf(service));
			await machine.cli("network", "rm", network);
			deepStrictEqual(changesOf(await succeed(machine.sandbox, up)), [
				`create ${network}`,
				`replace ${nameOf("ironic")}`,
				`replace ${nameOf("httpd")}`,
			]);
			await mustServe(machine);
		},
	},
	{
		title: "a configuration that was edited by hand is put back, and its reader replaced",
		async run(machine) {
			const { sandbox } = machine;
			const file = sandbox.path(`/run/ironstrap/${site}/ironic/ironic.conf`);
			appendFileSync(file, "\n[api]\nmax_limit = 1\n");
			deepStrictEqual(changesOf(await succeed(sandbox, up)), [`replace ${nameOf("ironic")}`]);
			deepStrictEqual(await replacedBy(machine, []), []);
		},
	},
];

const end: readonly Chapter[] = [
	{
		title: "down --purge leaves nothing",
		async run({ engine, sandbox }) {
			await succeed(sandbox, purge);
			deepStrictEqual(await leftAfterPurge(sandbox, engine), []);
		},
	},
];

/** What each release has for Compose files: what runs the stack's, and what is said to be unfit for it. */
const composeChapters: Readonly<Record<RootName, Readonly<Record<EngineProgram, Chapter>>>> = {
	bookworm: {
		docker: unfit("docker-compose 1.29.2"),
		podman: unfit("podman-compose 1.0.3"),
	},
	trixie: { docker: runBy(dockerCompose), podman: runBy(podmanCompose) },
	forky: { docker: runBy(dockerCompose), podman: runBy(podmanCompose) },
};

function runBy(program: ComposeProgram): Chapter {
	return {
		title: `${program.words.join(" ")} brings the stack up from the printed file alone`,
		run: (machine) => mustRunByCompose(machine, program),
	};
}

function unfit(program: string): Chapter {
	return {
		title: `${program} is said to be unfit for the printed file`,
		async run({ sandbox }) {
			const { lines } = await succeed(sandbox, ["compose"]);
			const notes = lines.filter(({ type }) => type === "note").map(({ message }) => String(message));
			if (!notes.some((note) => note.startsWith(`${program} on this machine cannot run this file`)))
				throw new Error(`notes: ${notes.join("; ")}`);
		},
	};
}

/** The whole life; `compose` also by the Compose program of the release. */
export function chaptersOf(
	{ engine, root }: EngineChoice,
	{ compose }: { readonly compose: boolean },
): readonly Chapter[] {
	return [...life, ...(compose ? [composeChapters[root][engine]] : []), ...end];
}

/** Runs `up`; the containers that have another id than before, in the order of their start. */
async function replacedBy(machine: EngineMachine, wanted: readonly string[]): Promise<readonly string[]> {
	const before = await containerIds(machine);
	const told = changesOf(await succeed(machine.sandbox, up));
	deepStrictEqual(
		told,
		wanted.map((service) => `replace ${nameOf(service)}`),
	);
	const now = await containerIds(machine);
	return services.map(nameOf).filter((name) => now.get(name) !== before.get(name));
}

async function containerIds({ cli }: EngineMachine): Promise<ReadonlyMap<string, string>> {
	const lines = (await cli("ps", "--all", "--no-trunc", "--format", "{{.Names}} {{.ID}}")).split("\n");
	return new Map(lines.map((line) => line.split(" ") as [string, string]));
}

/** As a server on the provisioning network, and as Ironic towards one. */
async function mustServe(machine: EngineMachine): Promise<void> {
	await mustReachAgent(machine);
	const { network: cables } = machine;
	const status = async (url: string, seconds = "15") => {
		const words = ["-sk", "-m", seconds, "-o", "/dev/null", "-w", "%{http_code}", url];
		return (await cables.fromNeighbour("curl", words, { reject: false })).stdout;
	};
	deepStrictEqual(
		{
			lookup: await status("https://172.22.0.1:6385/v1/lookup?addresses=52:54:00:ab:00:01"),
			nodes: await status("https://172.22.0.1:6385/v1/nodes"),
			firmware: await status("http://172.22.0.1:6180/snponly-x86_64.efi"),
			// no way in past the published ports, though this machine routes
			container: await cables
				.fromNeighbour("ip", ["route", "replace", "10.89.77.0/24", "via", "172.22.0.1"])
				.then(() => status("http://10.89.77.30:6180/snponly-x86_64.efi", "2")),
			lease: await leaseOf(machine, "52:54:00:ab:00:01"),
			stranger: await leaseOf(machine, "52:54:00:ff:ff:ff"),
		},
		{
			// Ironic's own answer: no such node
			lookup: "404",
			nodes: "403",
			firmware: "200",
			container: "000",
			lease: "snponly-x86_64.efi",
			stranger: "",
		},
	);
}

/** The port of a deploy ramdisk's agent. */
async function mustReachAgent({ cli, sandbox }: EngineMachine): Promise<void> {
	const agent = sandbox.spawn("ip", ["netns", "exec", "neighbour", "busybox", "nc", "-l", "-p", "9999"]);
	try {
		const ask =
			"import socket,time\nfor i in range(50):\n try:\n  socket.create_connection(('172.22.0.200',9999),2);break\n except ConnectionRefusedError: time.sleep(.1)\nelse: raise SystemExit('refused')";
		await cli("exec", nameOf("ironic"), "python3", "-c", ask);
	} finally {
		agent.kill("SIGKILL");
	}
}

/** The boot file that dnsmasq names to a UEFI server with this MAC address; empty if it gives none. */
async function leaseOf({ network: cables }: EngineMachine, mac: string): Promise<string> {
	const address = async (value: string) =>
		cables.fromNeighbour("ip", ["link", "set", "dev", "eth0", "address", value]);
	const own = (await cables.fromNeighbour("cat", ["/sys/class/net/eth0/address"])).stdout;
	await address(mac);
	const script = `printf '#!/bin/sh\\n[ "$1" != bound ] || echo "bootfile=$bootfile"\\n' >/run/dhcp.sh
chmod +x /run/dhcp.sh
busybox udhcpc -f -q -n -t 3 -T 1 -i eth0 -s /run/dhcp.sh -x 0x5d:0007 -O bootfile 2>&1 || true`;
	const { stdout } = await cables.fromNeighbour("sh", ["-c", script]);
	// or this machine would go on sending to the other one for a while
	await address(own.trim());
	return /^bootfile=(.*)$/m.exec(stdout)?.[1] ?? "";
}
