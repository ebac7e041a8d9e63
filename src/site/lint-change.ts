import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import { describe, type Site } from "../resources/site.ts";
import type { Finding } from "./finding.ts";

/**
 * What may not be changed on a site that has been applied. Rule 2 of the operator's webhook (another database has
 * other nodes in it; adding or removing one is allowed), and what BMO's webhook keeps as it is.
 */
export function* lintChange(applied: Site, wanted: Site): Iterable<Finding> {
	const [before, after] = [applied.ironic.spec.database, wanted.ironic.spec.database];
	if (before && after && JSON.stringify(before) !== JSON.stringify(after)) {
		const ironic = {
			kind: "Ironic",
			namespace: wanted.ironic.metadata.namespace,
			name: wanted.ironic.metadata.name,
		};
		yield {
			code: "database-changed",
			severity: "error",
			message: "`database` cannot be changed to another one: its nodes would be lost",
			where: wanted.locate(ironic, ["spec", "database"]),
			subject: describe(ironic),
			fix: "restore the former `database`; to move it, remove it in one run and add the new one in the next",
		};
	}
	if (applied.bootstrap.spec.database !== wanted.bootstrap.spec.database)
		yield otherDatabase(applied, wanted);
	for (const host of wanted.hosts) {
		const former = applied.hosts.find(({ metadata }) => sameName(metadata, host.metadata));
		if (former?.spec.bootMACAddress === undefined || former.spec.bootMACAddress === host.spec.bootMACAddress)
			continue;
		const subject = { kind: "BareMetalHost", namespace: host.metadata.namespace, name: host.metadata.name };
		yield {
			code: "boot-mac-changed",
			severity: "error",
			message: "`bootMACAddress` cannot be changed once it is set",
			where: wanted.locate(subject, ["spec", "bootMACAddress"]),
			subject: describe(subject),
			seen: `${former.spec.bootMACAddress} before, ${host.spec.bootMACAddress ?? "none"} now`,
			fix: "restore it; for another server use another name",
		};
	}
}

/** Nodes are not carried over, and Ironic would not know the servers that it deployed. */
function otherDatabase(applied: Site, wanted: Site): Finding {
	const { name, namespace } = wanted.bootstrap.metadata;
	const bootstrap = { kind: "Bootstrap", namespace, name };
	const former = applied.bootstrap.spec.database;
	return {
		code: "database-changed",
		severity: "error",
		message:
			"`database` cannot be switched on a site that was applied: Ironic would not know its servers any more",
		where: wanted.locate(bootstrap, ["spec", "database"]),
		subject: describe(bootstrap),
		seen: `${former} before, ${wanted.bootstrap.spec.database} now`,
		fix: `keep \`database: ${former}\`; as long as no server is deployed, \`ironstrap down --purge\` and a new \`ironstrap up\` switch it, afterwards a hand-over does (\`ironstrap pivot --export\`)`,
	};
}

function sameName(a: BareMetalHost["metadata"], b: BareMetalHost["metadata"]): boolean {
	return a.namespace === b.namespace && a.name === b.name;
}
