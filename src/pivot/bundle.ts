import { stringify } from "yaml";
import { type IronstrapError, IronstrapErrors } from "../lib/errors.ts";
import type { Site } from "../resources/site.ts";
import { BUNDLE_KIND, type BundleIndex } from "./bundle-index.ts";
import type { HostExport, TakeOver } from "./host-export.ts";
import { inventoryOf } from "./inventory.ts";
import { withoutUndefined } from "./plain.ts";
import { refusals } from "./readiness.ts";
import { readme } from "./readme.ts";
import { targetHardwareData, targetHost, targetStatus } from "./target-host.ts";
import { targetIronic } from "./target-ironic.ts";
import { type IronicAccess, targetSecrets } from "./target-secrets.ts";

export interface BundleFile {
	/** Below the bundle's directory. */
	readonly path: string;
	readonly content: string;
}

export interface BundleInput {
	readonly site: Site;
	readonly hosts: readonly HostExport[];
	readonly access: IronicAccess;
	/** Names this hand-over: part of labels and of the paused annotation, so letters, digits and `-`. */
	readonly runId: string;
	readonly createdAt: string;
	/** Default `external`: lost status can then never reboot or wipe a running server. */
	readonly as?: TakeOver | undefined;
}

/**
 * Everything that the target cluster is given, as files. Throws IronstrapErrors with one `pivot-host-not-ready` for
 * every reason of every host that cannot be handed over now: a bundle is whole or it is not made.
 */
export function exportBundle({
	site,
	hosts,
	access,
	runId,
	createdAt,
	as = "external",
}: BundleInput): readonly BundleFile[] {
	const faults: IronstrapError[] = hosts.flatMap((subject) => refusals(subject, site, as));
	if (faults.length > 0) throw new IronstrapErrors(faults);
	const ready = hosts.flatMap((subject) => {
		const { stored, node } = subject;
		return stored === undefined || node === undefined ? [] : [{ ...subject, stored, node }];
	});
	const namespaces = new Set([
		site.ironic.metadata.namespace,
		...hosts.map(({ host }) => host.metadata.namespace),
	]);
	const run = { id: runId, createdAt };
	const index: BundleIndex = {
		formatVersion: 1,
		kind: BUNDLE_KIND,
		site: site.name,
		run: runId,
		createdAt,
		takeOver: as,
		hosts: ready.map(({ host, node }) => ({
			namespace: host.metadata.namespace,
			name: host.metadata.name,
			node: node.uuid,
		})),
	};
	return [
		json("bundle.json", index),
		{ path: "README.md", content: readme(index, site) },
		json("inventory.json", inventoryOf(hosts, runId)),
		manifests("manifests/00-namespaces.yaml", [...namespaces].sort().map(namespace)),
		manifests("manifests/10-secrets.yaml", targetSecrets(site, hosts, access, runId)),
		manifests(
			"manifests/20-hardwaredata.yaml",
			ready.flatMap((subject) => targetHardwareData(subject, runId) ?? []),
		),
		manifests(
			"manifests/30-baremetalhosts.yaml",
			ready.map((subject) => targetHost(subject, as, run)),
		),
		manifests("manifests/40-ironic.yaml", [
			targetIronic(
				site,
				runId,
				ready.flatMap(({ stored }) => stored.addresses ?? []),
			),
		]),
		...ready.map((subject) =>
			json(`status/${subject.host.metadata.namespace}~${subject.host.metadata.name}.json`, {
				status: targetStatus(subject, as, createdAt),
			}),
		),
	];
}

function namespace(name: string): object {
	return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

function json(path: string, value: object): BundleFile {
	return { path, content: `${JSON.stringify(value, undefined, 2)}\n` };
}

/** One document each; long texts are not folded, so that a diff shows what changed. */
function manifests(path: string, objects: readonly object[]): BundleFile {
	return {
		path,
		content: objects
			.map(
				(object) =>
					`---\n${stringify(withoutUndefined(object), { lineWidth: 0, aliasDuplicateObjects: false })}`,
			)
			.join(""),
	};
}
