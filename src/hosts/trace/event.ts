/** What a server did on its way to the ramdisk and beyond, as the services saw it. */
export type TraceKind =
	| "dhcp-discover"
	| "dhcp-offer"
	| "dhcp-request"
	| "dhcp-ack"
	/** dnsmasq saw the request and will not answer. */
	| "dhcp-refused"
	/** iPXE or shim, by TFTP or HTTP. */
	| "loader"
	| "loader-failed"
	/** `boot.ipxe`. */
	| "script"
	/** What Ironic wrote for the server's MAC address. */
	| "boot-config"
	/** There is nothing for the server's MAC address: Ironic does not want it to boot. */
	| "boot-config-missing"
	| "kernel"
	| "ramdisk"
	/** A BMC fetched an image for its virtual drive. */
	| "medium"
	| "lookup"
	/** The agent asked for a node, and Ironic has none. */
	| "lookup-refused"
	| "inspection-report"
	| "heartbeat"
	/** The operating system's image, fetched by the agent. */
	| "image"
	| "provision-state"
	| "power"
	| "error";

export interface TraceEvent {
	/** Milliseconds since 1970. */
	readonly time: number;
	readonly service: "dnsmasq" | "httpd" | "ironic";
	readonly kind: TraceKind;
	/** Lower case. */
	readonly mac?: string | undefined;
	/** The server's IP address. */
	readonly address?: string | undefined;
	/** UUID of the Ironic node. */
	readonly node?: string | undefined;
	/** For a person: `offered 172.22.0.101`, `kernel (8.1 MB)`. */
	readonly text: string;
}

/** A line without its time, from one container. */
export type LineParser = (line: string) => Omit<TraceEvent, "time" | "service"> | undefined;

export const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
