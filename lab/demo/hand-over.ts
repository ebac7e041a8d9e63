import { existsSync } from "node:fs";
import { IronstrapError } from "../../src/lib/errors.ts";
import type { ClusterPrograms } from "../cluster/build.ts";
import { judgeHandOver } from "../cluster/judge.ts";
import { removeSecondIronic, secondIronicNodes } from "../cluster/second-ironic.ts";
import { type LabTarget, startTarget } from "../cluster/target.ts";
import type { Lab, LabServer } from "../lab.ts";
import { ironstrap, succeed } from "../story/product.ts";
import type { StorySite } from "../story/site.ts";
import type { Stages } from "./stages.ts";

/** What a cluster is made of. */
export interface Target {
	readonly programs: ClusterPrograms;
	/** Folder of Metal3's CustomResourceDefinitions, a folder a release. */
	readonly definitions: string;
}

export interface HandOverResult {
	/** The target's own Ironic has adopted the server, and nobody else manages it. */
	readonly pivoted: boolean;
	/** Requests since the hand-over began that changed the BMC or its server. */
	readonly bmcWrites: number;
}

/** Where a demo of the hand-over finds Metal3's definitions. Errors: `demo-definitions-missing`. */
export function definitionsAt(folder: string): string {
	if (existsSync(folder)) return folder;
	throw new IronstrapError({
		code: "demo-definitions-missing",
		message: "the hand-over needs Metal3's CustomResourceDefinitions",
		seen: `${folder} does not exist`,
		fix: "name a folder with bmo-v0.13.2/ and irso-v0.11.0/ in it: --definitions DIR",
	});
}

/**
 * Hands the running server over to a cluster with a real API server and a second real Ironic, and looks at everything
 * that others recorded of it: nobody may have touched the server, and it answers at the address that it had.
 */
export async function handOver(
	lab: Lab,
	server: LabServer,
	site: StorySite,
	target: Target,
	stages: Stages,
): Promise<HandOverResult> {
	const { sandbox } = lab;
	const address = addressOf(await server.console());
	const boots = (await server.consoles()).length;
	const cluster = await stages.time("target cluster", () =>
		startTarget(sandbox, target.programs, { definitions: target.definitions, secondIronic: true }),
	);
	const requestsBefore = (await lab.bmc.requests()).length;
	await stages.time("pivot", async () =>
		succeed("pivot", await ironstrap(sandbox, ["pivot", "--to", cluster.kubeconfig, "--soak", "5s"])),
	);
	const judgement = await judgeHandOver({
		...{ lab, target: cluster, site: "metal3", requestsBefore },
		hosts: [`metal3/${site.host.name}`],
		end: "target",
	});
	const found = [
		...Object.entries(judgement).flatMap(([what, list]) => list.map((each: string) => `${what}: ${each}`)),
		...((await server.consoles()).length === boots ? [] : ["the server was booted"]),
		...((await answers(lab, address)) ? [] : [`the server does not answer at ${address} any more`]),
		...(await notAdopted(lab, cluster, site)),
	];
	if (found.length > 0)
		throw new IronstrapError({
			code: "demo-hand-over-unsafe",
			message: "the hand-over was not what it promises",
			seen: found.join("\n"),
		});
	await removeSecondIronic(sandbox);
	return { pivoted: true, bmcWrites: judgement.bmcWrites.length };
}

/** What the deployed system said of its address: a lease without end (RFC 2131, section 3.3). */
function addressOf(console: string): string {
	const [, address, lease] = /IRONSTRAP-OS-ADDRESS \S+ (\S+) lease=(\d+)/.exec(console) ?? [];
	if (address !== undefined && lease === String(0xffff_ffff)) return address;
	throw new IronstrapError({
		code: "demo-hand-over-unsafe",
		message: "the deployed server has no address that it may keep",
		seen: address === undefined ? "no address at all" : `${address}, leased for ${lease} s`,
	});
}

/** Nothing listens there: a refusal comes from the server itself. */
async function answers({ sandbox }: Lab, address: string): Promise<boolean> {
	const ask = `import("node:net").then(({ connect }) =>
		connect({ host: ${JSON.stringify(address)}, port: 9, timeout: 5000 })
			.on("timeout", () => process.exit(1))
			.on("error", ({ code }) => console.log(code)))`;
	const { stdout } = await sandbox.run(process.execPath, ["-e", ask], { reject: false });
	return stdout.trim() === "ECONNREFUSED";
}

async function notAdopted(
	{ sandbox }: Lab,
	{ cluster }: LabTarget,
	{ host }: StorySite,
): Promise<readonly string[]> {
	const nodes = (await secondIronicNodes(sandbox)).map(
		({ last_error, name, power_state, provision_state }) =>
			`${name} ${provision_state} ${power_state} ${last_error}`,
	);
	const wanted = `metal3~${host.name} active power on null`;
	const path = "{.status.provisioning.state} {.status.operationalStatus}";
	const get = ["get", "baremetalhost", host.name, "-n", "metal3", "-o", `jsonpath=${path}`];
	const { stdout } = await cluster.kubectl(get);
	return [
		...(nodes.length === 1 && nodes[0] === wanted ? [] : [`the target's Ironic has: ${nodes.join(", ")}`]),
		...(stdout === "externally provisioned OK" ? [] : [`kubectl says: ${stdout}`]),
	];
}
