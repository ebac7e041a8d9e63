import { existsSync } from "node:fs";
import type { Engine } from "../engine/engine.ts";
import { type Before, chainNames, switchesOf } from "../fence/before.ts";
import { type LocalAddress, localAddresses } from "../linux/links.ts";
import { listRuleset } from "../linux/nft.ts";
import { isBridge, readSwitches, writeSwitch } from "../linux/switches.ts";
import type { SitePaths } from "../state/layout.ts";
import { readVersioned, writeVersioned } from "../state/versioned.ts";
import type { Step } from "../steps/step.ts";

/**
 * What the machine's network was like before the site's first `up`. A site that comes second finds what the first one's
 * engine made of it: `others` are the files of the sites that were there already. Without any file, as it is now.
 */
export async function networkBefore(
	local: readonly LocalAddress[],
	signal: AbortSignal,
	{ others = [], own }: { readonly own?: string; readonly others?: readonly string[] } = {},
): Promise<Before> {
	for (const file of own === undefined ? [] : [own, ...others]) {
		const known = await readVersioned<Before>(file, 1);
		if (known !== undefined) return known;
	}
	const links = linksOf(local);
	return {
		formatVersion: 1,
		links,
		switches: readSwitches(switchesOf(links)),
		chains: chainNames(await listRuleset(signal)),
	};
}

/** Stores it before anything is changed; undone by {@link restoreNetworkStep}. */
export function rememberNetworkStep(before: Before, paths: SitePaths): Step<unknown> {
	return {
		id: "machine:remember",
		title: "remember what this machine's network is like",
		done: async () => existsSync(paths.before),
		do: () => writeVersioned(paths.before, before),
	};
}

/**
 * Puts back what the engine switched. Engines never do so themselves, and others may have come to rely on it: nothing
 * is touched while `running` containers of anybody, or bridges that came since (virtual machines), need it.
 */
export function restoreNetworkStep(before: Before, engine: Pick<Engine, "runningContainers">): Step<unknown> {
	return {
		id: "machine:restore",
		title: "put the kernel's network settings back",
		done: async () => changedSwitches(before).length === 0,
		async do(_context, { emit, signal }) {
			const bridges = linksOf(localAddresses()).filter(
				(name) => !before.links.includes(name) && isBridge(name),
			);
			const users = [...(await engine.runningContainers(signal)), ...bridges];
			const why = users.length > 0 ? `they are needed by ${users.join(", ")}` : putBack(before);
			if (why === undefined) return;
			const message = `kernel settings stay as the engine set them (${changedSwitches(before).join(", ")}): ${why}`;
			emit({ type: "note", level: "warning", message });
		},
	};
}

/** What of an engine's own is still there: kernel settings, and nftables chains that it never removes. */
export async function tracesSince(before: Before, signal: AbortSignal): Promise<readonly string[]> {
	const chains = chainNames(await listRuleset(signal)).filter((name) => !before.chains.includes(name));
	return [
		...changedSwitches(before).map((setting) => `kernel setting ${setting}`),
		...chains.map((name) => `nftables chain ${name}`),
	];
}

function linksOf(local: readonly LocalAddress[]): readonly string[] {
	return [...new Set(local.map((address) => address.interface))].sort();
}

/** `net/ipv4/ip_forward = 1`, for each that is not as it was. An interface that is gone has none. */
function changedSwitches({ switches }: Before): readonly string[] {
	return Object.entries(readSwitches(Object.keys(switches)))
		.filter(([path, value]) => switches[path] !== value)
		.map(([path, value]) => `${path} = ${value}`);
}

/** Why it could not; one switch sets others, so each is looked at when its turn comes. */
function putBack({ switches }: Before): string | undefined {
	try {
		for (const [path, value] of Object.entries(switches)) {
			const now = readSwitches([path])[path];
			if (now !== undefined && now !== value) writeSwitch(path, value);
		}
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}
