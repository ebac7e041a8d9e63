import { chainText, quoted } from "./text.ts";

/** Everything that the fence refuses, in words that `status` shows behind the number of packets. */
export const refusals = {
	container: "to a container directly",
	spoofed: "from outside with a container's address",
	loopback: "from outside to this machine's loopback",
	published: "to a published port from where no server is",
	operator: "to the full API by another interface",
	service: "to DHCP, TFTP or DNS by another interface",
	dhcp: "of DHCP from unknown servers",
	tftp: "of TFTP from unknown servers",
	dns: "of DNS from where no server is",
	host: "from containers to this machine",
	egress: "from containers to what the site does not name",
	routed: "routed between the provisioning network and others",
	crossing: "routed between networks that this machine did not connect before",
} as const;

export type Refusal = keyof typeof refusals;

export const refusalNames = Object.keys(refusals) as readonly Refusal[];

/** Counts, tells the kernel's log at most a few times a minute, and drops. A drop is final whatever other tables say. */
export function refusalChain(site: string, name: Refusal): string {
	return chainText(`refuse_${name}`, [
		`limit rate 6/minute burst 5 packets log prefix ${quoted(`ironstrap ${site} ${name}: `)} level info`,
		`counter name ${name} drop`,
	]);
}

export function refusalCounter(name: Refusal): string {
	return `counter ${name} {\n\tcomment ${quoted(refusals[name])}\n}`;
}
