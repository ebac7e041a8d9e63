import type { Judgement } from "../../../lab/checker/pivot-timeline.ts";
import { judgeHandOver } from "../../../lab/cluster/judge.ts";
import { askIronic } from "../../support/bare-stack.ts";
import { HOSTS, type Scene, SITE } from "./scene.ts";

/** What everybody recorded since the scene was opened, judged. */
export function judgeScene(scene: Scene, end: "source" | "target"): Promise<Judgement> {
	const hosts = HOSTS.map((name) => `${SITE}/${name}`);
	return judgeHandOver({ lab: scene.lab, target: scene, site: SITE, hosts, end });
}

/** Throws with everything that the checker found. */
export async function mustBeSafe(scene: Scene, end: "source" | "target"): Promise<Judgement> {
	const judgement = await judgeScene(scene, end);
	const found = Object.entries(judgement).flatMap(([what, list]) =>
		(list as readonly string[]).map((each) => `${what}: ${each}`),
	);
	if (found.length > 0) throw new Error(found.join("\n"));
	return judgement;
}

/** Whether the source is as before: every node thawed, the hosts settled, nothing of the hand-over in the target. */
export async function mustBeBack(scene: Scene): Promise<void> {
	const { cluster } = scene;
	const { stdout } = await cluster.kubectl([
		"get",
		"baremetalhosts,hardwaredata,ironics,secrets",
		...["-A", "-l", "ironstrap.io/run", "-o", "name"],
	]);
	if (stdout.trim() !== "") throw new Error(`left in the target: ${stdout}`);
	await mustBeThawed(scene);
	await mustBeSafe(scene, "source");
}

interface ThawedNode {
	readonly name: string;
	readonly maintenance: boolean;
	readonly protected: boolean;
	readonly disable_power_off: boolean;
}

async function mustBeThawed({ lab }: Scene): Promise<void> {
	const text = await askIronic(lab.sandbox, "/v1/nodes/detail?include_children=true");
	const { nodes } = JSON.parse(text) as { readonly nodes: readonly ThawedNode[] };
	const frozen = nodes.filter((node) => node.maintenance || node.protected || node.disable_power_off);
	if (nodes.length !== HOSTS.length || frozen.length > 0)
		throw new Error(`nodes after the rollback: ${nodes.length}, frozen: ${JSON.stringify(frozen)}`);
}
