import { refOf, refText } from "../../kube/objects.ts";
import type { IronstrapError } from "../../lib/errors.ts";
import type { PivotPlan } from "../../pivot/plan.ts";
import { objectsOf } from "../../pivot/target-facts.ts";

/** The plan as JSON; no value of a Secret is in it. */
export function planSummary(
	plan: PivotPlan,
	server: string,
	notes: readonly string[],
	refusals: readonly IronstrapError[],
): object {
	const { as, differences, hosts, namespaces, stays } = plan;
	return {
		server,
		as,
		hosts: hosts.map(({ name, namespace, node, status }) => ({ namespace, name, node, status })),
		namespaces,
		objects: objectsOf(plan).map((object) => refText(refOf(object))),
		differences,
		stays,
		notes,
		refusals: refusals.map(({ code, fix, message, seen, subject }) => ({
			code,
			message,
			subject,
			seen,
			fix,
		})),
	};
}

/** For a person: what moves and in which order, what is written where, what does not move, and what stands in the way. */
export function planText(
	plan: PivotPlan,
	server: string,
	notes: readonly string[],
	refusals: readonly IronstrapError[],
): string {
	const { as, differences, hosts, ironic, stays } = plan;
	const states = hosts.map(({ name, namespace, status }, index) => {
		const { provisioning } = status as { readonly provisioning?: { readonly state?: string } };
		return `${index + 1}. ${namespace}/${name}, as ${provisioning?.state ?? "new"}${index === 0 ? " (canary)" : ""}`;
	});
	return [
		section(`Hand-over to ${server}, as ${as}`, states),
		section(
			"Written there, in this order",
			objectsOf(plan).map((object) => refText(refOf(object))),
		),
		section(
			ironic === undefined ? "Ironic: the one that runs there" : "Its Ironic differs from this machine's in",
			differences.map(({ here, path, target }) => `${path}: ${text(here)} → ${text(target)}`),
		),
		section(
			"Stays here",
			stays.map(({ what, why }) => `${what}: ${why}`),
		),
		section("Good to know", notes),
		section(
			refusals.length === 0 ? "Nothing stands in the way." : "Stands in the way",
			refusals.map(({ code, fix, message, seen, subject }) =>
				[`${subject === undefined ? "" : `${subject}: `}${message} [${code}]`, seen, fix && `fix: ${fix}`]
					.filter((line) => line !== undefined)
					.join("\n      "),
			),
		),
	]
		.filter((part) => part !== "")
		.join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
	if (lines.length === 0 && !title.endsWith(".") && !title.startsWith("Ironic:")) return "";
	return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

function text(value: unknown): string {
	return value === undefined ? "not set" : JSON.stringify(value);
}
