import { readFileSync } from "node:fs";
import { type ConductorEvent, type Judgement, judge } from "../checker/pivot-timeline.ts";
import type { Lab } from "../lab.ts";
import type { LabTarget } from "./target.ts";

export interface HandedOver {
	readonly lab: Lab;
	readonly target: LabTarget;
	/** The site's name. */
	readonly site: string;
	/** `NAMESPACE/NAME` of every server. */
	readonly hosts: readonly string[];
	/** Who is to have them at the end. */
	readonly end: "source" | "target";
	/** How many requests the BMCs had had before; those are not judged. Default 0. */
	readonly requestsBefore?: number | undefined;
}

/** What everybody recorded, judged. */
export async function judgeHandOver(over: HandedOver): Promise<Judgement> {
	const { end, hosts, lab, requestsBefore = 0, site, target } = over;
	return judge({
		audit: readFileSync(target.cluster.auditLog, "utf8"),
		conductor: await conductorEvents(lab, site),
		bmc: (await lab.bmc.requests()).slice(requestsBefore),
		operators: target.operators.events(),
		hosts,
		end,
	});
}

async function conductorEvents({ sandbox }: Lab, site: string): Promise<readonly ConductorEvent[]> {
	const name = `ironstrap-${site}-ironic-1`;
	const { stdout } = await sandbox.run("podman", [
		...["events", "--stream=false", "--since", "24h", "--format", "json"],
	]);
	return stdout
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as { Name?: string; Status: string; Time: string | number })
		.filter(({ Name }) => Name === name)
		.flatMap(({ Status, Time }): ConductorEvent[] => {
			const at = typeof Time === "number" ? Time * 1000 : Date.parse(Time);
			if (Status === "start") return [{ at, what: "start" }];
			return Status === "died" || Status === "remove" ? [{ at, what: "end" }] : [];
		});
}
