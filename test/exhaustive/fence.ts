import { parseArgs } from "node:util";
import { startEngineMachine } from "../../lab/roots/machine.ts";
import { type Disturbance, disturbances } from "../engine/fence/disturbances.ts";
import { neighbours, probeUdp, type Surprises, scanTcp } from "../engine/fence/reachable.ts";
import { buildTown, type Town } from "../engine/fence/town.ts";

/*
 * A bootstrap machine scanned from every side, all TCP ports of both families and the named UDP ports, as it was put up
 * and after everything that others may do to its rules, on Podman and on Docker:
 * npm run exhaustive -- fence [--json] [--only REGEX, e.g. "docker.*flush"]
 */

const { values } = parseArgs({
	options: { json: { type: "boolean", default: false }, only: { type: "string", default: "" } },
});
const only = new RegExp(values.only);

const towns = {
	podman: () => buildTown(),
	docker: () => buildTown(() => startEngineMachine({ engine: "docker", root: "trixie" })),
};

const undisturbed: Disturbance = { name: "as put up", publishes: true, work: async () => undefined };

const totals = { unexpectedOpen: 0, missing: 0, cases: 0 };
const engines: string[] = [];

for (const [engine, build] of Object.entries(towns)) {
	const chosen = [undisturbed, ...disturbances].filter(
		(each) => (each.engine ?? engine) === engine && only.test(`${engine}, ${each.name}`),
	);
	if (chosen.length === 0) continue;
	const town = await build();
	try {
		const { exitCode, result } = await town.up({ fence: "{}" });
		if (exitCode !== 0) throw new Error(`up on ${engine}: ${JSON.stringify(result)}`);
		engines.push(engine);
		for (const disturbance of chosen) await scanAfter(town, disturbance);
	} finally {
		await town.sandbox.stop();
	}
}
const { cases, missing, unexpectedOpen } = totals;
say(`${cases} scans, ${unexpectedOpen} ports open that should not be, ${missing} closed that should be open`);
if (values.json) console.log(JSON.stringify({ ...totals, namespaces: neighbours.length, engines }));
process.exitCode = cases > 0 && unexpectedOpen === 0 && missing === 0 ? 0 : 1;

/** From every side, while what the disturbance did lasts. */
async function scanAfter(town: Town, { name, publishes, work }: Disturbance): Promise<void> {
	const settle = await work(town);
	for (const [protocol, scan] of Object.entries({ TCP: scanTcp, UDP: probeUdp })) {
		const seen = await Promise.all(neighbours.map(async (who) => ({ who, ...(await scan(town, who)) })));
		for (const { closed, open, who } of seen)
			record(
				{ open, closed: publishes ? closed : [] },
				`${town.engine}, ${name}, ${protocol} seen by ${who}`,
			);
	}
	await settle?.();
}

function record({ closed, open }: Surprises, title: string): void {
	totals.cases += 1;
	totals.unexpectedOpen += open.length;
	totals.missing += closed.length;
	const surprises = [...open.map((place) => `+${place}`), ...closed.map((place) => `-${place}`)];
	say(surprises.length === 0 ? `ok     ${title}` : `FAILED ${title}: ${surprises.join(" ")}`);
}

function say(line: string): void {
	process.stderr.write(`${line}\n`);
}
