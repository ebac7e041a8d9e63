import { execa } from "execa";
import fc from "fast-check";
import { becomeServer, knownMac, type Neighbour, sides, type Town } from "./town.ts";

/* What each neighbour of the town reaches, and what it is meant to reach (docs/fence.md, "Ports"). */

export const neighbours = Object.keys(sides) as readonly Neighbour[];

const facing = sides.neighbour;
/** Where BMCs that do not come by the provisioning network fetch their media. */
const media = sides.bmcs.v4;
/** Something on this machine that has nothing to do with ironstrap, on all of its addresses. */
const ssh = 2222;
const published = {
	neighbour: [`${facing.v4}:6180`, `${facing.v4}:6183`, `${facing.v4}:6385`],
	bmcs: [`${facing.v4}:6183`, `${media}:6183`],
	office: [],
	outsider: [],
} as const;
/** dnsmasq answers whoever is a known server, on every address of the provisioning interface. */
const documentedUdp = {
	neighbour: [`${facing.v4}:69`, `${facing.v6}:69`],
	bmcs: [],
	office: [],
	outsider: [],
} as const;
const namedUdp = [53, 67, 69, 547, 4011];
const named = [53, 67, 69, 547, 3306, 4011, 6180, 6183, 6385, 6386, 6388];

/** What a neighbour may reach that it should not, and what it should and does not. */
export interface Surprises {
	readonly open: readonly string[];
	readonly closed: readonly string[];
}

/** All 65535 TCP ports of every address that publishes something, and of the machine's own ones on the neighbour's side. */
export async function scanTcp(town: Town, who: Neighbour): Promise<Surprises> {
	return surprises(await scan(town, who, ["1-65535"]), documentedTcp(who));
}

/** The named TCP ports and a sample of others, the same on every run. */
export async function probeTcp(town: Town, who: Neighbour): Promise<Surprises> {
	return surprises(await scan(town, who, [...named, ssh, ...sample(200)]), documentedTcp(who));
}

/** The named UDP ports and a sample of others: those that say something. The neighbour asks as a known server. */
export async function probeUdp(town: Town, who: Neighbour): Promise<Surprises> {
	if (who === "neighbour") await becomeServer(town, knownMac);
	const answering: string[] = [];
	for (const family of [4, 6])
		answering.push(
			...(await answeringUdp(
				town,
				who,
				addressesFor(who).filter((address) => address.includes(":") === (family === 6)),
			)),
		);
	return surprises(answering, documentedUdp[who]);
}

function documentedTcp(who: Neighbour): readonly string[] {
	return [...published[who], ...addressesFor(who).map((address) => `${address}:${ssh}`)];
}

function scan(town: Town, who: Neighbour, ports: readonly (number | string)[]): Promise<readonly string[]> {
	return town.scan(
		who,
		addressesFor(who).flatMap((address) => ports.map((port) => `${address}:${port}`)),
	);
}

/** nmap knows what to say to a named port. It is this machine's, whatever the sandbox has for a root. */
async function answeringUdp(
	{ sandbox }: Town,
	who: Neighbour,
	addresses: readonly string[],
): Promise<readonly string[]> {
	const words = [
		`--net=${sandbox.path(`/run/netns/${who}`)}`,
		...["--", "nmap", "-n", "-Pn", "-sU", "-T4", "--max-retries", "2", "--min-rtt-timeout", "500ms"],
		...[`-p${[...namedUdp, ...sample(60)].join(",")}`, "--open", "-oG", "-"],
		...(addresses.some((address) => address.includes(":")) ? ["-6"] : []),
	];
	const { stdout } = await execa("nsenter", [...words, ...addresses], { timeout: 120_000 });
	return stdout.split("\n").flatMap((line) => {
		const address = /^Host: (\S+)/.exec(line)?.[1];
		return [...line.matchAll(/(\d+)\/open\/udp/g)].map(([, port]) => `${address}:${port}`);
	});
}

function addressesFor(who: Neighbour): readonly string[] {
	return [...new Set([facing.v4, facing.v6, media, sides[who].v4, sides[who].v6])];
}

function sample(numRuns: number): readonly number[] {
	return fc.sample(fc.integer({ min: 1024, max: 65_535 }), { numRuns, seed: 20260101 });
}

function surprises(found: readonly string[], documented: readonly string[]): Surprises {
	return {
		open: found.filter((place) => !documented.includes(place)).sort(),
		closed: documented.filter((place) => !found.includes(place)).sort(),
	};
}
