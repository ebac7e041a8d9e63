import type { Site } from "../resources/site.ts";
import type { FencePlan } from "./plan.ts";

/** One line of the site's port table: what a network's firewall must let through, and what ours does. */
export interface OpenPort {
	readonly address: string;
	readonly port: number;
	readonly protocol: "tcp" | "udp";
	readonly what: string;
	/** From where it is answered. */
	readonly from: string;
}

/** Every port that is open because of this site. */
export function portTable(site: Site, plan: FencePlan): readonly OpenPort[] {
	return [...tcpPorts(site, plan), ...udpPorts(site, plan)];
}

function tcpPorts(site: Site, plan: FencePlan): readonly OpenPort[] {
	const { apiPort, imageServerPort } = site.ironic.spec.networking;
	return plan.doors.flatMap(({ address, link, ports, who }) =>
		ports.map((port): OpenPort => {
			const from = {
				machine: "this machine",
				operators: `by ${link ?? "any interface"}`,
				bmcs: "BMCs",
				external: `by ${link ?? "any interface"}`,
				servers: plan.anySource
					? `by ${plan.provisioning}`
					: `servers by ${plan.provisioning} (${[...plan.servers.v4, ...plan.servers.v6].join(", ")})`,
			}[who];
			const what =
				port === apiPort
					? who === "machine" || who === "operators"
						? "Ironic's whole API, with password"
						: "Ironic's API for deploy ramdisks"
					: port === imageServerPort
						? "boot files and images"
						: "virtual media";
			const media = who !== "bmcs" && port === plan.media.port && who !== "machine" && who !== "operators";
			return { address, port, protocol: "tcp", what, from: media ? `${from}; BMCs` : from };
		}),
	);
}

const serviceNames: Readonly<Record<number, string>> = {
	53: "DNS",
	67: "DHCPv4",
	69: "TFTP",
	547: "DHCPv6",
	4011: "DHCPv4 of PXE clients",
};

function udpPorts(site: Site, plan: FencePlan): readonly OpenPort[] {
	const address = plan.doors.find(({ who }) => who === "servers")?.address ?? "";
	const closed = site.bootstrap.spec.fence.dhcp === "closed";
	const known = `${closed ? "known" : "all"} servers by ${plan.provisioning}`;
	return plan.services.flatMap((port): readonly OpenPort[] => {
		const what = serviceNames[port] ?? "";
		if (port !== 53) return [{ address, port, protocol: "udp", what, from: known }];
		const from = `servers by ${plan.provisioning}`;
		return (["udp", "tcp"] as const).map((protocol) => ({ address, port, protocol, what, from }));
	});
}
