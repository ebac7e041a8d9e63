import type { ClusterApi, Stored } from "./api.ts";
import type { Behaviour } from "./behaviour.ts";

/** The operator's one condition. */
export async function actOnIronic(api: ClusterApi, ironic: Stored, behaviour: Behaviour): Promise<void> {
	const ready = behaviour.ironicNeverReady !== true;
	const [before] = ironic.status?.conditions ?? [];
	const status = ready ? "True" : "False";
	if (before?.status === status && before.observedGeneration === ironic.metadata.generation) return;
	await api.replaceStatus({
		...ironic,
		status: {
			conditions: [
				{
					type: "Ready",
					status,
					reason: ready ? "DeploymentAvailable" : "DeploymentInProgress",
					message: ready ? "ironic: ironic is available" : "ironic: no node has the address",
					observedGeneration: ironic.metadata.generation,
					lastTransitionTime: new Date().toISOString().replace(/\.\d+/, ""),
				},
			],
		},
	});
}
