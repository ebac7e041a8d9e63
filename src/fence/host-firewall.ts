import type { NftObject } from "./listing.ts";

/** What this machine's own firewall is like. An accept in our table cannot override a drop in another. */
export interface FirewallFacts {
	/** firewalld, when it runs: the zone of the provisioning interface and the ports open there (`67/udp`). */
	readonly firewalld: { readonly zone: string; readonly ports: readonly string[] } | undefined;
	/** ufw, when it is active: its rules, as `ufw status` prints them. */
	readonly ufw: readonly string[] | undefined;
	/** Everybody's rules, from `nft -j list ruleset`. */
	readonly ruleset: readonly NftObject[];
	/** The provisioning interface is a bridge, and frames between its ports pass the forward hook (br_netfilter). */
	readonly bridgeNetfilter: boolean;
}

/** Something that would keep servers from dnsmasq. */
export type FirewallAdvice =
	| {
			/** Its manager can open it, and close it again. */
			readonly manager: "firewalld" | "ufw";
			/** What will be opened, e.g. `67/udp, 69/udp in the zone public`. */
			readonly what: string;
			readonly open: readonly Command[];
			/** Takes back exactly what `open` does; harmless when that was never done. */
			readonly close: readonly Command[];
	  }
	| {
			/** Somebody's own rules, which nobody else should edit. */
			readonly manager: undefined;
			readonly message: string;
			/** What to type. */
			readonly fix: string;
	  };

/** A program and its arguments. */
export type Command = readonly string[];

/**
 * What stands between servers and dnsmasq, and how to open it through its own manager. Published TCP ports need
 * nothing: engines open the forward hook themselves. `services` are dnsmasq's UDP ports; none, no advice.
 */
export function firewallAdvice(
	facts: FirewallFacts,
	{ provisioning, services }: { readonly provisioning: string; readonly services: readonly number[] },
): readonly FirewallAdvice[] {
	if (services.length === 0) return [];
	return [
		...firewalldAdvice(facts, services),
		...ufwAdvice(facts, provisioning, services),
		...policyAdvice(facts, provisioning, services),
		...bridgeAdvice(facts, provisioning),
	];
}

function firewalldAdvice({ firewalld }: FirewallFacts, services: readonly number[]): FirewallAdvice[] {
	// the zone that accepts everything
	if (firewalld === undefined || firewalld.zone === "trusted") return [];
	const closed = services.map((port) => `${port}/udp`).filter((port) => !firewalld.ports.includes(port));
	if (closed.length === 0) return [];
	const commands = (verb: string) =>
		[[], ["--permanent"]].map((permanent) => [
			"firewall-cmd",
			...permanent,
			`--zone=${firewalld.zone}`,
			...closed.map((port) => `--${verb}-port=${port}`),
		]);
	return [
		{
			manager: "firewalld",
			what: `${closed.join(", ")} in the zone ${firewalld.zone}`,
			open: commands("add"),
			close: commands("remove"),
		},
	];
}

function ufwAdvice(
	{ ufw }: FirewallFacts,
	provisioning: string,
	services: readonly number[],
): FirewallAdvice[] {
	if (ufw === undefined) return [];
	const isOpen = (port: number) =>
		ufw.some(
			(line) =>
				/\bALLOW\b/.test(line) &&
				new RegExp(`^${port}(/udp)?\\s`).test(line) &&
				(!/ on /.test(line) || line.includes(` on ${provisioning} `)),
		);
	const closed = services.filter((port) => !isOpen(port));
	if (closed.length === 0) return [];
	const rule = (port: number) => `allow in on ${provisioning} to any port ${port} proto udp`.split(" ");
	return [
		{
			manager: "ufw",
			what: `${closed.map((port) => `${port}/udp`).join(", ")} on ${provisioning}`,
			open: closed.map((port) => ["ufw", ...rule(port)]),
			close: closed.map((port) => ["ufw", "delete", ...rule(port)]),
		},
	];
}

/** Chains of the input hook that drop what none of their rules accepts. Those of the two managers are told above. */
function policyAdvice(
	{ firewalld, ruleset, ufw }: FirewallFacts,
	provisioning: string,
	services: readonly number[],
): FirewallAdvice[] {
	if (firewalld !== undefined || ufw !== undefined) return [];
	return ruleset.flatMap(({ chain }) => {
		if (chain?.hook !== "input" || chain.policy !== "drop") return [];
		const family = String(chain.family);
		if (!["inet", "ip", "ip6"].includes(family)) return [];
		const place = `${family} ${String(chain.table)} ${String(chain.name)}`;
		return [
			{
				manager: undefined,
				message: `the nftables chain ${place} drops what its rules do not accept: unless one of them lets in DHCP and TFTP, servers will get no address`,
				fix: `nft insert rule ${place} iifname ${provisioning} udp dport '{ ${services.join(", ")} }' accept`,
			},
		];
	});
}

/** Docker sets this policy; with br_netfilter it then drops what servers on a bridge of this machine say to each other. */
function bridgeAdvice({ bridgeNetfilter, ruleset }: FirewallFacts, provisioning: string): FirewallAdvice[] {
	const drops = ruleset.some(
		({ chain }) => chain?.hook === "forward" && chain.policy === "drop" && chain.family !== "ip6",
	);
	if (!bridgeNetfilter || !drops) return [];
	return [
		{
			manager: undefined,
			message: `frames between ports of the bridge ${provisioning} pass this machine's forward rules, which drop by default: servers on it may not reach each other`,
			fix: `iptables -I FORWARD -i ${provisioning} -o ${provisioning} -j ACCEPT (with Docker: into the chain DOCKER-USER)`,
		},
	];
}
