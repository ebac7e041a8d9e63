import { refText } from "../../kube/objects.ts";
import { schemaFaults } from "../../resources/crd-schema.ts";
import { objectsOf } from "../target-facts.ts";
import { type TargetCheck, targetFault } from "./target-check.ts";

/** The kinds are served, and their schemas take what the plan writes: specification and status. */
export const definitions: TargetCheck = (plan, { schemas }) => {
	const custom = objectsOf(plan).filter(({ apiVersion }) => apiVersion.includes("metal3.io/"));
	const missing = [...new Set(custom.map(({ kind }) => kind))].filter((kind) => schemas[kind] === undefined);
	const statuses = new Map(plan.hosts.map(({ object, status }) => [object, status]));
	return [
		...missing.map((kind) =>
			targetFault(
				"pivot-target-unfit",
				`the cluster does not serve ${kind} (v1alpha1)`,
				"no such CustomResourceDefinition",
				kind === "Ironic"
					? "install ironic-standalone-operator, or use the Ironic that runs there: --own-ironic"
					: "install baremetal-operator v0.11 or later",
			),
		),
		...custom.flatMap((object) => {
			const schema = schemas[object.kind];
			const status = statuses.get(object);
			const whole = status === undefined ? object : { ...object, status };
			const faults = schema === undefined ? [] : schemaFaults(schema, whole);
			return faults.length === 0
				? []
				: targetFault(
						"pivot-object-refused",
						"the cluster's schema does not take the object as it is",
						faults.join("; "),
						"install a release of the operator that knows these fields, or leave them out of the manifest",
						refText({ kind: object.kind, ...object.metadata }),
					);
		}),
	];
};
