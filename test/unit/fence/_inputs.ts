import type { FenceInputs } from "../../../src/fence/plan.ts";

/** A machine with a provisioning bridge and an office NIC, which routed nothing before. */
export function fenceInputs(changes: Partial<FenceInputs> = {}): FenceInputs {
	return {
		provisioning: { address: "172.22.0.1", interface: "br-prov", cidr: "172.22.0.1/24" },
		localAddresses: ["172.22.0.1", "10.50.0.1"],
		local: [
			{ interface: "br-prov", address: "172.22.0.1" },
			{ interface: "eth0", address: "10.50.0.1" },
		],
		bridgeSubnet: "10.89.77.0/24",
		nameServers: ["10.50.0.53"],
		resolved: new Map(),
		further: [],
		learntMacs: [],
		apart: { links: ["br-prov", "eth0"], v4: true, v6: true },
		...changes,
	};
}

/** The lines of a chain or set of a ruleset, without comments and indentation; fails when there is none. */
export function linesOf(text: string, head: string): readonly string[] {
	const [, body] =
		new RegExp(`^\\t${head} \\{\\n([^}]*(?:\\{[^}]*\\}[^}]*)*?)^\\t\\}$`, "m").exec(text) ?? [];
	if (body === undefined) throw new Error(`no ${head} in:\n${text}`);
	return body
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "" && !line.startsWith("#"));
}
