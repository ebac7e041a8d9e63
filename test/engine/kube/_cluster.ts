import { readFileSync } from "node:fs";
import { clusterPrograms } from "../../../lab/cluster/build.ts";
import { type Door, openDoor } from "../../../lab/cluster/door.ts";
import { CLUSTER_DIRECTORY, type LabCluster, startCluster } from "../../../lab/cluster/start.ts";
import { type Sandbox, startSandbox } from "../../../lab/sandbox.ts";
import { createKubeClient, type KubeClient } from "../../../src/kube/client.ts";
import type { ClusterAccess } from "../../../src/kube/kubeconfig.ts";

/** A real API server that a test talks to from its own process. */
export interface TestCluster {
	readonly sandbox: Sandbox;
	readonly cluster: LabCluster;
	readonly door: Door;
	readonly ca: string;
	/** For the administrator. */
	readonly admin: ClusterAccess;
	client(access?: Partial<ClusterAccess>, retryMs?: number): KubeClient;
	stop(): Promise<void>;
}

export async function openCluster(): Promise<TestCluster> {
	const programs = await clusterPrograms({ report: () => undefined });
	const sandbox = await startSandbox({ name: "cluster-test" });
	try {
		const cluster = await startCluster(sandbox, programs);
		const door = await openDoor(sandbox, cluster.port);
		const ca = readFileSync(sandbox.path(`${CLUSTER_DIRECTORY}/api.crt`), "utf8");
		const { users } = JSON.parse(readFileSync(sandbox.path(cluster.adminKubeconfig), "utf8")) as {
			users: readonly { user: { token: string } }[];
		};
		const admin: ClusterAccess = {
			server: door.server,
			ca,
			serverName: undefined,
			clientCertificate: undefined,
			clientKey: undefined,
			token: users[0]?.user.token,
		};
		return {
			sandbox,
			cluster,
			door,
			ca,
			admin,
			client: (access = {}, retryMs) => createKubeClient({ access: { ...admin, ...access }, retryMs }),
			async stop() {
				await door.close();
				await sandbox.stop();
			},
		};
	} catch (error) {
		await sandbox.stop();
		throw error;
	}
}
