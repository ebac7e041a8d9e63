import { resolve } from "node:path";
import { createKubeClient, type KubeClient } from "../../kube/client.ts";
import { readKubeconfig } from "../../kube/kubeconfig.ts";
import { IronstrapError } from "../../lib/errors.ts";
import type { TakeOver } from "../../pivot/host-export.ts";
import { parseDuration } from "../../resources/duration.ts";

export function takeOverOf(text: string): TakeOver {
	if (text === "external" || text === "provisioned") return text;
	throw new IronstrapError({ code: "usage", message: `--as takes external or provisioned, not ${text}` });
}

/** Milliseconds. */
export function soakOf(text: string): number {
	try {
		return parseDuration(text);
	} catch (error) {
		throw new IronstrapError({ code: "usage", message: `--soak: ${(error as Error).message}` });
	}
}

/** The cluster of a kubeconfig, for as long as `work` lasts. */
export async function withCluster<T>(
	target: { readonly kubeconfig: string; readonly context?: string | undefined },
	signal: AbortSignal,
	work: (kube: KubeClient) => Promise<T>,
	retryMs?: number,
): Promise<T> {
	const access = await readKubeconfig(resolve(target.kubeconfig), target.context);
	const kube = createKubeClient({ access, signal, retryMs });
	try {
		return await work(kube);
	} finally {
		await kube.close();
	}
}
