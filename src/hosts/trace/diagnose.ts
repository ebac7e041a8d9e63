import type { TraceEvent, TraceKind } from "./event.ts";

/** Why a server that was to boot the ramdisk does not get there. */
export interface Stall {
	readonly code: string;
	/** What was seen, and for how long nothing since. */
	readonly message: string;
	readonly fix: string;
}

export interface StallInputs {
	/** The server's own events, in order. */
	readonly events: readonly TraceEvent[];
	/** When the boot began, at the latest; milliseconds. */
	readonly since: number;
	/** Milliseconds. */
	readonly now: number;
	readonly boot: "network" | "media";
}

interface Stage {
	/** The last of these that was seen decides. */
	readonly after: readonly TraceKind[];
	/** How long the next thing may take, in milliseconds: firmware and kernels are slow. */
	readonly patienceMs: number;
	readonly code: string;
	readonly seen: string;
	readonly fix: string;
}

/** How far a boot over the network comes, in its order; the last row that applies is where it stalls. */
const NETWORK: readonly Stage[] = [
	{
		after: [],
		patienceMs: 40_000,
		code: "host-no-dhcp",
		seen: "no DHCP request",
		fix: "the server did not try to boot from the network, or its request does not arrive: compare spec.bootMACAddress with the port that is cabled, look at the switch port's VLAN, enable network boot on that port in the firmware; `ironstrap hosts trace` follows it",
	},
	{
		after: ["dhcp-discover", "dhcp-offer", "dhcp-request", "dhcp-ack"],
		patienceMs: 30_000,
		code: "host-no-loader",
		seen: "DHCP was answered, but no loader was fetched by TFTP",
		fix: "a firewall between server and this machine drops UDP port 69, or another DHCP server answers as well: look at `ironstrap status` (fence) and the switch; a firmware set to legacy boot needs spec.bootMode: legacy",
	},
	{
		after: ["dhcp-refused"],
		patienceMs: 20_000,
		code: "host-dhcp-refused",
		seen: "the DHCP request was refused",
		fix: "the range has no free address, or the MAC address is not one that the site knows: look at `ironstrap logs dnsmasq`",
	},
	{
		after: ["loader", "loader-failed"],
		patienceMs: 30_000,
		code: "host-no-script",
		seen: "the loader was fetched, but nothing by HTTP",
		fix: "Secure Boot refuses an unsigned iPXE (switch it off in the firmware, or boot from virtual media with spec.bootMode: UEFISecureBoot), or a firewall drops the image server's port",
	},
	{
		after: ["script", "boot-config"],
		patienceMs: 30_000,
		code: "host-no-kernel",
		seen: "iPXE has its script, but fetches no kernel",
		fix: "look at the server's console: iPXE says there what failed",
	},
	{
		after: ["boot-config-missing"],
		patienceMs: 30_000,
		code: "host-other-port",
		seen: "the server boots from a port that Ironic does not expect",
		fix: "put the MAC address of the port that it boots from into spec.bootMACAddress",
	},
	{
		after: ["kernel", "ramdisk", "medium"],
		patienceMs: 90_000,
		code: "host-no-agent",
		seen: "kernel and ramdisk were fetched, but no agent calls",
		fix: "the ramdisk does not start, or has no way back: look at the server's console; it needs a driver for the network card, enough memory to unpack (2 GiB for most), an address, and the API's port",
	},
	{
		after: ["lookup-refused"],
		patienceMs: 30_000,
		code: "host-agent-unknown",
		seen: "the agent calls, but Ironic does not know its server",
		fix: "none of its MAC addresses is spec.bootMACAddress: compare with `ironstrap logs httpd`",
	},
];

const MEDIA: readonly Stage[] = [
	{
		after: [],
		patienceMs: 60_000,
		code: "host-no-medium",
		seen: "the BMC has not fetched the virtual medium",
		fix: "the BMC must reach this machine's image server: look at its routes and firewall; a BMC that does not trust its certificate needs the annotation ironstrap.io/virtual-media: http",
	},
	...NETWORK.filter(({ code }) => code === "host-no-agent" || code === "host-agent-unknown"),
];

/** Once one of these is seen the ramdisk is there. */
const ARRIVED: readonly TraceKind[] = ["lookup", "heartbeat", "inspection-report"];

/** An agent calls at least as often (milliseconds), so it is gone if it has been silent for longer. */
const SILENCE_MS = 300_000;

/**
 * Where a boot stalls, if it does: something was seen, and what must follow has not come within the time it may take.
 * Pure: the clock is given.
 */
export function diagnose({ boot, events, now, since }: StallInputs): Stall | undefined {
	if (isThere(events, now)) return undefined;
	const offered = events.findLast(({ kind }) => kind === "dhcp-offer")?.time ?? Number.NEGATIVE_INFINITY;
	// a refusal counts while nothing was offered since
	const seen = events.filter(
		({ kind, time }) => time >= since && (kind !== "dhcp-refused" || time > offered),
	);
	const stages = boot === "media" ? MEDIA : NETWORK;
	const last = stages.findLast(({ after }) =>
		after.some((kind) => seen.some((event) => event.kind === kind)),
	);
	const stage = last ?? stages[0];
	if (stage === undefined) return undefined;
	const latest = seen.findLast(({ kind }) => stage.after.includes(kind))?.time ?? since;
	if (now - latest < stage.patienceMs) return undefined;
	const seconds = Math.round((now - latest) / 1000);
	return { code: stage.code, message: `${stage.seen} for ${seconds} s`, fix: stage.fix };
}

/** The ramdisk runs, be it since an operation before (fast track): it has called since the power last changed. */
function isThere(events: readonly TraceEvent[], now: number): boolean {
	const called = events.findLast(({ kind }) => ARRIVED.includes(kind))?.time;
	const switched = events.findLast(({ kind }) => kind === "power")?.time ?? Number.NEGATIVE_INFINITY;
	return called !== undefined && called > switched && now - called < SILENCE_MS;
}

/** When the boot began that Ironic waits for: with the operation that needs it. */
export function bootBegan(events: readonly TraceEvent[], otherwise: number): number {
	const begun = events.findLast(
		({ kind, text }) => kind === "provision-state" && /-> (inspecting|cleaning|deploying)$/.test(text),
	);
	return begun?.time ?? otherwise;
}

/** The stall that a message tells of. */
export function stallIn(message: string): Stall | undefined {
	const stage = [...NETWORK, ...MEDIA].find(({ seen }) => message.includes(`${seen} for `));
	return stage && { code: stage.code, message: `the boot stalls: ${stage.seen}`, fix: stage.fix };
}
