import { type LineParser, type TraceEvent, UUID } from "./event.ts";

/** The common log format: who, when, what, how it ended, bytes. */
const LINE = /^(\S+) \S+ \S+ \[[^\]]*\] "([A-Z]+) (\S+)[^"]*" (\d{3}) (\S+)/;

interface Request {
	readonly method: string;
	readonly status: number;
	readonly bytes: string;
	/** The groups of the path's pattern. */
	readonly found: readonly (string | undefined)[];
}

type Reading = readonly [
	path: RegExp,
	read: (request: Request) => Omit<TraceEvent, "time" | "service" | "address"> | undefined,
];

const READINGS: readonly Reading[] = [
	[/^\/boot\.ipxe$/, () => ({ kind: "script", text: "iPXE script boot.ipxe" })],
	[
		/^\/(?:undionly\.kpxe|snponly[^/]*\.efi|ipxe[^/]*\.efi)$/,
		({ bytes }) => ({ kind: "loader", text: `loader by HTTP (${bytes})` }),
	],
	[/^\/pxelinux\.cfg\/(?:01-)?([0-9a-f]{2}(?:-[0-9a-f]{2}){5})$/i, bootConfig],
	[new RegExp(`^/(?:(${UUID})/deploy_kernel|images/deploy-ramdisk/kernel)$`), file("kernel", "kernel")],
	[new RegExp(`^/(?:(${UUID})/deploy_ramdisk|images/deploy-ramdisk/initramfs)$`), file("ramdisk", "ramdisk")],
	[new RegExp(`^/redfish/boot-(${UUID})[^/]*\\.iso`), file("medium", "virtual medium")],
	[new RegExp(`^/agent_images/(${UUID})`), file("image", "image")],
	[/^\/v1\/lookup\/?(?:\?(.*))?$/, lookup],
	[
		new RegExp(`^/v1/heartbeat/(${UUID})/?$`),
		({ found }) => ({ kind: "heartbeat", node: found[0], text: "agent alive" }),
	],
	[
		/^\/v1\/continue_inspection\/?$/,
		({ status }) =>
			status < 300
				? { kind: "inspection-report", text: "inspection report" }
				: { kind: "lookup-refused", text: `inspection report refused (${status})` },
	],
];

/** A line of httpd's access log: boot files, and what ramdisks ask of the API. */
export const parseHttpd: LineParser = (line) => {
	const [, address, method = "", path = "", status = "", size = ""] = LINE.exec(line) ?? [];
	if (address === undefined || method === "HEAD") return undefined;
	for (const [pattern, read] of READINGS) {
		const found = pattern.exec(path);
		if (found === null) continue;
		const request = { method, status: Number(status), bytes: bytesOf(size), found: found.slice(1) };
		const event = read(request);
		return event === undefined ? undefined : { ...event, address };
	}
	return undefined;
};

function bootConfig({ found, status }: Request): ReturnType<Reading[1]> {
	const mac = found[0]?.toLowerCase().replaceAll("-", ":");
	return status < 300
		? { kind: "boot-config", mac, text: "boot configuration" }
		: { kind: "boot-config-missing", mac, text: "no boot configuration: goes on to its disk" };
}

function file(kind: "kernel" | "ramdisk" | "medium" | "image", name: string): Reading[1] {
	return ({ bytes, found, status }) =>
		status < 400
			? { kind, node: found[0], text: `${name} (${bytes})` }
			: { kind: "error", node: found[0], text: `${name}: HTTP ${status}` };
}

function lookup({ found, status }: Request): ReturnType<Reading[1]> {
	const query = new URLSearchParams(found[0] ?? "");
	const [mac] = query.get("addresses")?.toLowerCase().split(",") ?? [];
	const whose = { mac, node: query.get("node_uuid") ?? undefined };
	return status < 300
		? { kind: "lookup", ...whose, text: "agent found its node" }
		: { kind: "lookup-refused", ...whose, text: `agent asks for its node: HTTP ${status}` };
}

function bytesOf(size: string): string {
	const bytes = Number(size);
	if (Number.isNaN(bytes)) return "nothing";
	return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
