import { label } from "../converge/labels.ts";
import type { ObservedProject } from "../converge/observed.ts";
import { createIronicClient } from "../ironic/client.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { Site } from "../resources/site.ts";
import { apiAccess } from "../state/api-access.ts";
import type { SecretStore } from "../state/secret-store.ts";
import type { Step } from "../steps/step.ts";

const deadlineMs = 30_000;

/**
 * Before Ironic is stopped, what its conductor is doing on a node (a power change, a deploy step) may end: Ironic
 * itself waits `graceful_shutdown_timeout` at every stop, busy or not, so that is short and the waiting is done here,
 * only when there is something to wait for. An Ironic that gives no answer is not waited for; whatever is cut short
 * is left to the next `up`, as after a crash.
 */
export function quietStep(
	observed: ObservedProject,
	applied: Site | undefined,
	secrets: SecretStore,
): Step<unknown> {
	let busy: readonly string[] = [];
	const look = async (signal: AbortSignal) => {
		busy = applied === undefined || !runsIronic(observed) ? [] : await busyNodes(applied, secrets, signal);
		return busy.length === 0;
	};
	return {
		id: "stack:quiet",
		title: "let Ironic end what it is doing",
		done: (_context, { signal }) => look(signal),
		async do(_context, { emit, waitFor }) {
			const what = "Ironic to end what it is doing";
			const why = () => `at work on ${busy.join(", ")}`;
			try {
				await waitFor({ what, why, deadlineMs }, async (signal) => (await look(signal)) || undefined);
			} catch (error) {
				if (!(error instanceof IronstrapError) || error.code !== "deadline-passed") throw error;
				emit({ type: "note", level: "warning", message: `Ironic is stopped while ${why()}` });
			}
		},
	};
}

function runsIronic({ containers }: ObservedProject): boolean {
	return containers.some(({ labels, state }) => labels[label.service] === "ironic" && state === "running");
}

/** Names of the nodes that the conductor holds; none when the API cannot tell. */
async function busyNodes(site: Site, secrets: SecretStore, signal: AbortSignal): Promise<readonly string[]> {
	const limit = AbortSignal.any([signal, AbortSignal.timeout(5000)]);
	try {
		const access = await apiAccess(secrets, site.ironic.spec.networking.apiPort);
		const ironic = createIronicClient({ ...access, signal: limit, retryMs: 0 });
		try {
			const nodes = await ironic.listNodes();
			return nodes.flatMap(({ name, reservation, uuid }) => (reservation === null ? [] : [name ?? uuid]));
		} finally {
			await ironic.close();
		}
	} catch {
		signal.throwIfAborted();
		return [];
	}
}
