import type { IronicClient } from "../ironic/client.ts";
import type { IronicNode, IronicPort, VirtualMedia } from "../ironic/node.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { Site } from "../resources/site.ts";
import type { HostStore, StoredHost } from "../state/host-store.ts";

/** A host as the pivot finds it: what was declared, what is stored, what Ironic has. */
export interface HostExport {
	readonly host: BareMetalHost;
	readonly stored: StoredHost | undefined;
	readonly node: IronicNode | undefined;
	readonly ports: readonly IronicPort[];
	readonly virtualMedia: readonly VirtualMedia[];
}

/** How the target takes running servers over; knowledge of both forms is in BMO's host state machine. */
export type TakeOver = "external" | "provisioned";

/** Reads every host with a BMC of the site; changes nothing. */
export async function collectHosts(
	{ site, ironic, store }: { readonly site: Site; readonly ironic: IronicClient; readonly store: HostStore },
	signal?: AbortSignal,
): Promise<readonly HostExport[]> {
	const nodes = new Map((await ironic.listNodes({ signal })).map((node) => [node.name, node]));
	const found: HostExport[] = [];
	for (const host of site.hosts) {
		if (host.spec.bmc === undefined) continue;
		const { namespace, name } = host.metadata;
		const node = nodes.get(`${namespace}~${name}`);
		found.push({
			host,
			stored: await store.read({ namespace, name }),
			node,
			ports: node === undefined ? [] : await ironic.listPorts({ node: node.uuid }, { signal }),
			virtualMedia: node === undefined ? [] : await ironic.virtualMedia(node.uuid, { signal }),
		});
	}
	return found;
}
