import type { Site } from "../resources/site.ts";
import type { BundleIndex } from "./bundle-index.ts";
import { PAUSED } from "./target-host.ts";

/** What is what, and in which order to apply it, for someone who has only this directory. */
export function readme(index: BundleIndex, site: Site): string {
	const { namespace, name } = site.ironic.metadata;
	const [first] = index.hosts;
	const example = first ?? { namespace: "NAMESPACE", name: "HOST" };
	return `# Hand-over of site ${index.site}, run ${index.run}

Made ${index.createdAt}. **This directory holds passwords and private keys in clear text**: keep it to root, and
destroy it when the hand-over is committed.

| file | what it is |
|---|---|
| manifests/00-namespaces.yaml | the namespaces of everything below |
| manifests/10-secrets.yaml | BMC credentials, ramdisk network data, Ironic's credentials, certificate and CAs; no user data |
| manifests/20-hardwaredata.yaml | what inspection found |
| manifests/30-baremetalhosts.yaml | the hosts, paused, with their status as annotation, taken over as \`${index.takeOver}\` |
| manifests/40-ironic.yaml | the target's Ironic |
| status/ | each host's status, for the status subresource |
| inventory.json | nodes and ports as the bootstrap machine's Ironic had them |
| database.sql | dump of its database, as evidence and for the way back; not to be loaded into the target |
| bundle.json, SHA256SUMS | what this is, and \`sha256sum -c SHA256SUMS\` |

## Before

The target runs baremetal-operator v0.11 or later (with its webhook) and ironic-standalone-operator, and reaches the
BMCs. It has no BareMetalHost with one of these names, MAC addresses or BMC addresses. Try everything first:
\`kubectl apply --server-side --dry-run=server -f manifests/\`.

## In this order

1. \`kubectl apply --server-side -f manifests/00-namespaces.yaml -f manifests/10-secrets.yaml -f manifests/20-hardwaredata.yaml\`
2. On the bootstrap machine: \`ironstrap down\`. **From here on no other Ironic may manage these servers.** They keep
   running; nobody manages them until step 6.
3. \`kubectl apply --server-side -f manifests/30-baremetalhosts.yaml\`. The hosts are paused: nothing happens yet.
   (Not \`kubectl apply\` without \`--server-side\`: it would keep a second copy of the status annotation.)
4. Write each status and compare it:
${index.hosts.map((host) => `   \`kubectl -n ${host.namespace} patch bmh ${host.name} --subresource=status --type=merge --patch-file 'status/${host.namespace}~${host.name}.json'\``).join("\n")}
5. \`kubectl apply --server-side -f manifests/40-ironic.yaml\`, then
   \`kubectl -n ${namespace} wait --for=condition=Ready ironic/${name} --timeout=15m\`
6. Unpause one host that the cluster can spare:
   \`kubectl -n ${example.namespace} annotate bmh ${example.name} ${PAUSED}-\`
   Wait until \`kubectl get bmh -A\` shows it without an error, its Ironic node is \`active\`, and the server has not
   rebooted (\`kubectl get node -o jsonpath='{..bootID}'\`). Then the others, one by one.

## Going back

Until step 6 has unpaused a host: delete the hosts, HardwareData, Secrets and Ironic from the target, wait until its
Ironic is gone, \`ironstrap up\`. A host that was unpaused must first be annotated
\`baremetalhost.metal3.io/detached\`, and deleted only when its operationalStatus is \`detached\`: a plain delete
powers it off.
`;
}
