import { setTimeout as pause } from "node:timers/promises";
import { fenceTable } from "../fence/plan.ts";
import { sameButElements } from "../fence/update.ts";
import { IronstrapError } from "../lib/errors.ts";
import { applyRuleset, monitorRuleset } from "../linux/nft.ts";
import { sitePaths } from "../state/layout.ts";
import { takeLock } from "../state/lock.ts";
import { appliedFence } from "./applied-fence.ts";
import { correctFence, fenceText, fenceVerdict } from "./fence-steps.ts";
import { chooseSite, type LifecycleOptions } from "./session.ts";

/** A change often comes in many messages; one look at the end of them is enough. */
const settleMs = 20;
/** The kernel may lose messages under load. */
const lookAgainMs = 5000;

/**
 * Puts the fence back whenever somebody flushes or changes it, until the site goes down or the signal aborts. Takes no
 * lock for that: `up` and `down` store and remove the fence's text before they touch the table, and this follows the
 * text. Every `resolveMs` the host names in the site are looked up anew.
 */
export async function watchFence(
	options: LifecycleOptions & { readonly site: string | undefined; readonly resolveMs: number },
): Promise<{ readonly site: string; readonly restored: number }> {
	const { emit, resolveMs, roots, signal } = options;
	const site = await chooseSite(options.site, roots);
	const paths = sitePaths(site, roots);
	const table = fenceTable(site);
	if ((await fenceText(paths)) === undefined)
		throw new IronstrapError({
			code: "fence-not-up",
			message: `no fence of site ${site} is to stand`,
			fix: "`ironstrap up` puts it up, unless the site says `fence: {mode: none}`",
		});
	const stop = new AbortController();
	let wake: () => void = () => undefined;
	const monitor = monitorRuleset(() => wake(), AbortSignal.any([signal, stop.signal]));
	const timer = setInterval(() => wake(), lookAgainMs);
	let resolveAt = Date.now() + resolveMs;
	let restored = 0;
	try {
		for (;;) {
			// from before the look: what changes while it lasts is looked at again
			const changed = new Promise<void>((resolve) => {
				wake = resolve;
			});
			const text = await fenceText(paths);
			if (text === undefined) return { site, restored };
			if (Date.now() >= resolveAt) {
				await refreshNames(site, options);
				resolveAt = Date.now() + resolveMs;
				continue;
			}
			const { verdict } = await fenceVerdict({ table, text }, signal);
			if (verdict !== "intact") {
				await applyRuleset(text, signal);
				restored += 1;
				const message = `the fence was ${verdict === "missing" ? "gone" : "changed by somebody"}: put back`;
				emit({ type: "note", level: "warning", message });
				continue;
			}
			await Promise.race([changed, monitor.ended]);
			signal.throwIfAborted();
			await pause(settleMs, undefined, { signal });
		}
	} finally {
		clearInterval(timer);
		stop.abort();
		await monitor.ended.catch(() => undefined);
	}
}

/**
 * Gives the fence the addresses that its names have now, in place. Not while another command works on the site: that one
 * looks them up itself. Anything else about the fence is left to `up`.
 */
async function refreshNames(site: string, options: LifecycleOptions): Promise<void> {
	const paths = sitePaths(site, options.roots);
	const lock = await takeLock(paths.lock, "fence watch").catch((error: unknown) => {
		if (error instanceof IronstrapError && error.code === "site-busy") return undefined;
		throw error;
	});
	try {
		const stored = lock === undefined ? undefined : await fenceText(paths);
		if (stored === undefined) return;
		const { fence } = await appliedFence(paths, options.signal, { keep: true });
		if (fence === undefined || !sameButElements(fence.text, stored)) return;
		await correctFence(fence, paths, options.signal);
	} finally {
		await lock?.release();
	}
}
