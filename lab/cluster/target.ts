import type { Sandbox } from "../sandbox.ts";
import type { ClusterPrograms } from "./build.ts";
import { furnishTarget, type LabOperators, startOperators } from "./operators.ts";
import { startSecondIronic, TARGET_IRONIC_URL } from "./second-ironic.ts";
import { applyDefinitions, type LabCluster, pivotUser, startCluster } from "./start.ts";

/** A cluster that servers can be handed over to. */
export interface LabTarget {
	readonly cluster: LabCluster;
	readonly operators: LabOperators;
	/** Inside the sandbox; of an account with the rights of kubernetes/pivot-rbac.yaml and no others. */
	readonly kubeconfig: string;
}

export interface TargetOptions {
	/** Folder of Metal3's CustomResourceDefinitions, a folder a release. */
	readonly definitions: string;
	/** Folders in `definitions`. */
	readonly releases?: readonly string[] | undefined;
	/** BMO's image, as its Deployment says. */
	readonly image?: string | undefined;
	/** Whether a second real Ironic plays the target's; else registration there is only noted. Default false. */
	readonly secondIronic?: boolean | undefined;
}

/** Starts a target in the sandbox: API server, etcd, definitions, models of the operators; 10 to 40 s. */
export async function startTarget(
	sandbox: Sandbox,
	programs: ClusterPrograms,
	{ definitions, image, releases = ["bmo-v0.13.2", "irso-v0.11.0"], secondIronic = false }: TargetOptions,
): Promise<LabTarget> {
	const cluster = await startCluster(sandbox, programs);
	await applyDefinitions(cluster, definitions, releases);
	await furnishTarget(cluster, image);
	if (secondIronic) await startSecondIronic(sandbox);
	const ironic = secondIronic ? TARGET_IRONIC_URL : undefined;
	const operators = await startOperators(sandbox, cluster, { ironic });
	const kubeconfig = await cluster.kubeconfig("pivot", await pivotUser(cluster));
	return { cluster, operators, kubeconfig };
}
