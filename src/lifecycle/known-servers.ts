import { admittedMacs } from "../state/admitted.ts";
import type { HostStore } from "../state/host-store.ts";
import type { SitePaths } from "../state/layout.ts";

/** MAC addresses of servers that no manifest names: those that inspection found, and those that a person let in. */
export async function unnamedMacs(
	hosts: Pick<HostStore, "list">,
	paths: Pick<SitePaths, "admitted">,
): Promise<readonly string[]> {
	const inspected = (await hosts.list()).flatMap(({ hardware }) =>
		(hardware?.nics ?? []).flatMap(({ mac }) => (mac === undefined ? [] : [mac])),
	);
	return [...inspected, ...(await admittedMacs(paths))];
}
