import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { apartIn } from "../fence/before.ts";
import type { Fence } from "../fence/fence.ts";
import { compareListings } from "../fence/listing.ts";
import { fenceTable } from "../fence/plan.ts";
import { removeTable, updateElements } from "../fence/update.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { IronstrapError } from "../lib/errors.ts";
import { applyRuleset, checkRuleset, listAsRendered, listTable } from "../linux/nft.ts";
import type { Site } from "../resources/site.ts";
import type { SitePaths } from "../state/layout.ts";
import type { Step } from "../steps/step.ts";
import { networkBefore, rememberNetworkStep } from "./before.ts";
import { type FenceMachine, fenceOf } from "./fence.ts";
import { hostFirewallSteps } from "./host-firewall.ts";
import { unnamedMacs } from "./known-servers.ts";
import { resolveSite } from "./names.ts";
import type { Session } from "./session.ts";

/** What `up` does about the machine's network before the first container, and tells about it. */
export async function fenceSteps(
	site: Site,
	machine: FenceMachine,
	bridgeSubnet: string,
	{ hosts, others, paths, run }: Session,
): Promise<readonly Step<unknown>[]> {
	const before = await networkBefore(machine.local, run.signal, { own: paths.before, others });
	const openings = await hostFirewallSteps(site, machine.provisioning.interface, paths, run);
	const fence = fenceOf(site, {
		...machine,
		bridgeSubnet,
		learntMacs: await unnamedMacs(hosts, paths),
		apart: apartIn(before),
		...(await resolveSite(site, paths.names, { keep: true, signal: run.signal })),
	});
	const remember = rememberNetworkStep(before, paths);
	if (fence !== undefined) {
		for (const message of fence.notes) run.emit({ type: "note", level: "warning", message });
		return [remember, installFenceStep(fence, paths), ...openings];
	}
	run.emit({
		type: "note",
		level: "warning",
		message: "the site asks for no fence: every network of this machine may reach what the stack publishes",
	});
	const stands = await fenceStands(site.name, paths, run.signal);
	return [remember, ...(stands ? [removeFenceStep(site.name, paths)] : []), ...openings];
}

/**
 * Puts the fence up, or corrects it. Its text is stored first: from then on it is to stand, and whoever finds it
 * otherwise (the next `up`, `fence watch`) puts it back.
 */
export function installFenceStep(fence: Fence, paths: SitePaths): Step<unknown> {
	return {
		id: "fence:install",
		title: "put up the fence",
		async done(_context, { signal }) {
			if ((await fenceText(paths)) !== fence.text) return false;
			return (await fenceVerdict(fence, signal)).verdict === "intact";
		},
		do: (_context, { signal }) => correctFence(fence, paths, signal),
		async verify(_context, { signal }) {
			const { verdict } = await fenceVerdict(fence, signal);
			if (verdict === "intact") return;
			throw new IronstrapError({
				code: "fence-not-intact",
				message: "the fence is not what was put up",
				seen: `nftables table inet ${fence.table}: ${verdict}`,
				fix: "look for another program that changes nftables tables on this machine, then run the command again",
			});
		},
		undo: (_context, { signal }) => removeFence(fence.table, paths, signal),
	};
}

/** In place where only elements differ: counters and the unknown servers that were seen stay. */
export async function correctFence(fence: Fence, paths: SitePaths, signal: AbortSignal): Promise<void> {
	await checkRuleset(fence.text, signal);
	await writeFileAtomic(paths.fence, fence.text, { mode: 0o600 });
	const found = await fenceVerdict(fence, signal);
	const change = found.verdict === "elements" ? updateElements(fence, found.sets) : fence.text;
	if (found.verdict !== "intact") await applyRuleset(change, signal);
}

export function removeFenceStep(site: string, paths: SitePaths): Step<unknown> {
	const table = fenceTable(site);
	return {
		id: "fence:remove",
		title: "take the fence down",
		do: (_context, { signal }) => removeFence(table, paths, signal),
		async verify(_context, { signal }) {
			if ((await listTable(table, signal)) === undefined) return;
			throw new IronstrapError({
				code: "fence-left",
				message: "the fence is still there",
				seen: `nftables table inet ${table}`,
				fix: `remove it with \`nft delete table inet ${table}\``,
			});
		},
	};
}

/** Whether there is anything to take down. A machine without nftables has none, unless it should. */
export async function fenceStands(site: string, paths: SitePaths, signal: AbortSignal): Promise<boolean> {
	if (existsSync(paths.fence)) return true;
	try {
		return (await listTable(fenceTable(site), signal)) !== undefined;
	} catch (error) {
		if (error instanceof IronstrapError && error.code === "nft-missing") return false;
		throw error;
	}
}

/** How what the kernel has compares with a fence's text. */
export async function fenceVerdict(
	{ table, text }: Pick<Fence, "table" | "text">,
	signal: AbortSignal,
): Promise<ReturnType<typeof compareListings> | { readonly verdict: "missing" }> {
	const found = await listTable(table, signal);
	if (found === undefined) return { verdict: "missing" };
	return compareListings(found, await listAsRendered(text, table, signal));
}

/** The text of the fence that is to stand; `undefined` if none is. */
export async function fenceText(paths: SitePaths): Promise<string | undefined> {
	return readFile(paths.fence, "utf8").catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return undefined;
		throw error;
	});
}

/** The text first, so that nobody puts the table back. */
export async function removeFence(table: string, paths: SitePaths, signal: AbortSignal): Promise<void> {
	await rm(paths.fence, { force: true });
	await applyRuleset(removeTable(table), signal);
}
