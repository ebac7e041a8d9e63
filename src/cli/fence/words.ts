import type { FenceSummary } from "../../lifecycle/fence-summary.ts";
import type { FenceLook } from "../../lifecycle/fence-verify.ts";
import { fenceLines } from "../render/fence-lines.ts";
import { table } from "../render/table.ts";

/** Who may reach what, and what was refused. */
export function summaryText({ fence, ports, reach, site }: FenceSummary): string {
	const rows = ports.map(({ address, from, port, protocol, what }) => [
		`${address} ${port}/${protocol}`,
		what,
		from,
	]);
	return [
		`site ${site}`,
		...(rows.length === 0 ? [] : ["", table(["PORT", "WHAT", "MAY BE REACHED BY"], rows)]),
		...(fence.mode === "none"
			? []
			: ["", "CONTAINERS MAY REACH", ...(fence.egress === "open" ? ["  every address"] : reachLines(reach))]),
		"",
		...fenceLines(fence),
	].join("\n");
}

function reachLines(reach: FenceSummary["reach"]): readonly string[] {
	return reach.map(
		({ to, what }) => `  ${what}: ${to.map((each) => each.replaceAll(" . ", " ")).join(", ")}`,
	);
}

/** What was found open and closed, from where. */
export function lookText({ from, places, unexpected }: FenceLook): string {
	const rows = places.map(({ address, here, outside, port, what }) => [
		`${address} ${port}/tcp`,
		what,
		here ? "open" : "closed",
		outside ? "OPEN" : "closed",
	]);
	return [
		table(["PORT", "WHAT", "FROM THIS MACHINE", `FROM ${from}`], rows),
		"",
		unexpected.length === 0
			? "Nothing of the stack can be reached by a network that the site does not name."
			: `These can be reached by a network that the site does not name: ${unexpected.join(", ")}`,
	].join("\n");
}
