import { readFileSync } from "node:fs";
import test from "ava";
import { parseAllDocuments } from "yaml";
import { resourceOf } from "../../../src/kube/objects.ts";
import { rightsFor } from "../../../src/pivot/permissions.ts";

interface Role {
	readonly kind: string;
	readonly rules?: readonly {
		readonly apiGroups: readonly string[];
		readonly resources: readonly string[];
		readonly verbs: readonly string[];
	}[];
}

test("kubernetes/pivot-rbac.yaml grants every right that a hand-over uses, and no other one", (t) => {
	const text = readFileSync(new URL("../../../../kubernetes/pivot-rbac.yaml", import.meta.url), "utf8");
	const documents = parseAllDocuments(text).map((document) => document.toJS() as Role);
	const granted = (wanted: string) =>
		documents
			.filter(({ kind }) => kind === wanted)
			.flatMap(({ rules = [] }) => rules)
			.flatMap(({ apiGroups, resources, verbs }) =>
				apiGroups.flatMap((group) =>
					resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
				),
			)
			.sort();
	const used = (inNamespace: boolean) =>
		rightsFor(["metal3"])
			.filter(({ namespace }) => (namespace !== undefined) === inNamespace)
			.map(({ kind, subresource, verb }) => {
				const { group, plural } = resourceOf(kind);
				return `${verb} ${group}/${plural}${subresource === undefined ? "" : `/${subresource}`}`;
			})
			.sort();
	t.deepEqual(granted("ClusterRole"), used(false));
	t.deepEqual(granted("Role"), used(true));
});
