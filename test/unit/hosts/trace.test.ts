import test from "ava";
import { bootBegan, diagnose, stallIn } from "../../../src/hosts/trace/diagnose.ts";
import type { TraceEvent, TraceKind } from "../../../src/hosts/trace/event.ts";
import { parseLine, type TracedService, timeline } from "../../../src/hosts/trace/timeline.ts";

const NODE = "5c9f4d9e-6d5e-4f9a-9f50-0d3a1d0f2b11";
const MAC = "52:54:00:ab:00:01";

/** Lines of the stack's own containers, as the engine returns them. */
const LINES: readonly (readonly [TracedService, string, Partial<TraceEvent> | undefined])[] = [
	[
		"dnsmasq",
		"dnsmasq-dhcp: 3830951566 DHCPDISCOVER(br-prov) 52:54:00:AB:00:01 ",
		{ kind: "dhcp-discover", mac: MAC, text: "asks for an address" },
	],
	[
		"dnsmasq",
		"dnsmasq-dhcp[7]: 3830951566 DHCPOFFER(br-prov) 172.22.0.101 52:54:00:ab:00:01 ",
		{ kind: "dhcp-offer", mac: MAC, address: "172.22.0.101", text: "offered 172.22.0.101" },
	],
	[
		"dnsmasq",
		"dnsmasq-dhcp: 3830951566 DHCPREQUEST(br-prov) 172.22.0.101 52:54:00:ab:00:01 ",
		{ kind: "dhcp-request", mac: MAC, address: "172.22.0.101" },
	],
	[
		"dnsmasq",
		"dnsmasq-dhcp: 3830951566 DHCPACK(br-prov) 172.22.0.101 52:54:00:ab:00:01 ",
		{ kind: "dhcp-ack", mac: MAC, address: "172.22.0.101", text: "has 172.22.0.101" },
	],
	[
		"dnsmasq",
		"dnsmasq-dhcp: 1 DHCPDISCOVER(br-prov) 52:54:00:ab:00:01 ignored",
		{ kind: "dhcp-refused", mac: MAC, text: "gets no address: ignored" },
	],
	[
		"dnsmasq",
		"dnsmasq-dhcp: 1 DHCPDISCOVER(br-prov) 52:54:00:ab:00:01 no address available",
		{ kind: "dhcp-refused", mac: MAC, text: "gets no address: no address available" },
	],
	[
		"dnsmasq",
		"dnsmasq-dhcp: 3830951566 PXE(br-prov) 52:54:00:ab:00:01 proxy",
		{ kind: "dhcp-offer", mac: MAC, text: "told what to load" },
	],
	["dnsmasq", "dnsmasq-dhcp: 3830951566 tags: efi64, known, br-prov", undefined],
	["dnsmasq", "dnsmasq-dhcp: read /etc/ironstrap/dnsmasq/hosts/52-54-00-ab-00-01", undefined],
	[
		"dnsmasq",
		"dnsmasq-tftp: sent /shared/tftpboot/snponly-x86_64.efi to 172.22.0.101",
		{ kind: "loader", address: "172.22.0.101", text: "loader snponly-x86_64.efi by TFTP" },
	],
	[
		"dnsmasq",
		"dnsmasq-tftp: failed sending /shared/tftpboot/undionly.kpxe to 172.22.0.101",
		{ kind: "loader-failed", address: "172.22.0.101", text: "loader undionly.kpxe by TFTP: not received" },
	],
	[
		"dnsmasq",
		"dnsmasq-tftp: file /shared/tftpboot/x.efi not found for 172.22.0.101",
		{ kind: "loader-failed", text: "loader x.efi by TFTP: there is no such file" },
	],
	[
		"dnsmasq",
		"dnsmasq-tftp: error 8 User aborted the transfer received from 172.22.0.101",
		{ kind: "loader-failed", text: "TFTP ended: User aborted the transfer" },
	],
	[
		"httpd",
		'172.22.0.101 - - [30/Nov/2026:12:00:05 +0000] "GET /boot.ipxe HTTP/1.1" 200 562',
		{ kind: "script", address: "172.22.0.101" },
	],
	[
		"httpd",
		'172.22.0.101 - - [30/Nov/2026:12:00:05 +0000] "GET /pxelinux.cfg/52-54-00-ab-00-01 HTTP/1.1" 200 740',
		{ kind: "boot-config", mac: MAC },
	],
	[
		"httpd",
		'172.22.0.101 - - [30/Nov/2026:12:00:05 +0000] "GET /pxelinux.cfg/52-54-00-ab-00-01 HTTP/1.1" 404 196',
		{ kind: "boot-config-missing", mac: MAC, text: "no boot configuration: goes on to its disk" },
	],
	[
		"httpd",
		`172.22.0.101 - - [30/Nov/2026:12:00:06 +0000] "GET /${NODE}/deploy_kernel HTTP/1.1" 200 12161984`,
		{ kind: "kernel", node: NODE, text: "kernel (12.2 MB)" },
	],
	[
		"httpd",
		`172.22.0.101 - - [30/Nov/2026:12:00:06 +0000] "GET /${NODE}/deploy_ramdisk HTTP/1.1" 200 91000000`,
		{ kind: "ramdisk", node: NODE, text: "ramdisk (91.0 MB)" },
	],
	[
		"httpd",
		`192.168.222.1 - - [30/Nov/2026:12:00:06 +0000] "GET /redfish/boot-${NODE}.iso HTTP/1.1" 206 1048576`,
		{ kind: "medium", node: NODE },
	],
	[
		"httpd",
		`172.22.0.101 - - [30/Nov/2026:12:00:30 +0000] "GET /v1/lookup?addresses=52%3A54%3A00%3Aab%3A00%3A01&node_uuid=${NODE} HTTP/1.1" 200 512`,
		{ kind: "lookup", mac: MAC, node: NODE },
	],
	[
		"httpd",
		'172.22.0.101 - - [30/Nov/2026:12:00:30 +0000] "GET /v1/lookup?addresses=52:54:00:ab:00:99 HTTP/1.1" 404 90',
		{ kind: "lookup-refused", mac: "52:54:00:ab:00:99", text: "agent asks for its node: HTTP 404" },
	],
	[
		"httpd",
		`172.22.0.101 - - [30/Nov/2026:12:00:31 +0000] "POST /v1/heartbeat/${NODE} HTTP/1.1" 202 -`,
		{ kind: "heartbeat", node: NODE },
	],
	[
		"httpd",
		'172.22.0.101 - - [30/Nov/2026:12:00:31 +0000] "POST /v1/continue_inspection HTTP/1.1" 202 100',
		{ kind: "inspection-report" },
	],
	[
		"httpd",
		`172.22.0.101 - - [30/Nov/2026:12:00:40 +0000] "GET /agent_images/${NODE} HTTP/1.1" 200 314572800`,
		{ kind: "image", node: NODE, text: "image (314.6 MB)" },
	],
	["httpd", '10.88.0.1 - ironic [30/Nov/2026:12:00:40 +0000] "GET /v1/nodes HTTP/1.1" 200 90', undefined],
	[
		"ironic",
		`2026-11-30 12:00:00.100 8 INFO ironic.conductor.task_manager [None req-1 - - - - - -] Node ${NODE} moved to provision state "inspecting" from state "manageable"; target provision state is "manageable"`,
		{ kind: "provision-state", node: NODE, text: "manageable -> inspecting" },
	],
	[
		"ironic",
		`2026-11-30 12:00:01.100 8 INFO ironic.conductor.utils [None req-1 - - - - - -] Successfully set node ${NODE} power state to power on by power on.`,
		{ kind: "power", node: NODE, text: "power on" },
	],
	[
		"ironic",
		`2026-11-30 12:00:01.100 8 ERROR ironic.conductor.manager [None req-1 - - - - - -] Failed to inspect node ${NODE}: it broke`,
		{ kind: "error", node: NODE, text: `Failed to inspect node ${NODE}: it broke` },
	],
	["ironic", "2026-11-30 12:00:01.100 8 INFO ironic.api [-] nothing about a node", undefined],
];

for (const [service, line, expected] of LINES)
	test(`${service}: ${line.slice(0, 110)}`, (t) => {
		const event = parseLine(service, `2026-11-30T12:00:00.123456789Z ${line}`);
		if (expected === undefined) t.is(event, undefined);
		else t.like(event, { ...expected, service, time: Date.parse("2026-11-30T12:00:00.123Z") });
	});

test("a line without a time, or half a line, is no event", (t) => {
	t.is(parseLine("dnsmasq", "dnsmasq-dhcp: 1 DHCPDISCOVER(br-prov) 52:54:00:ab:00:01"), undefined);
	t.is(parseLine("httpd", ""), undefined);
});

function at(second: number, kind: TraceKind, more: Partial<TraceEvent> = {}): TraceEvent {
	return { time: second * 1000, service: "dnsmasq", kind, text: kind, ...more };
}

test("the time-line has this server's events, by MAC, node and the address it has at that moment", (t) => {
	const address = "172.22.0.101";
	const other = "52:54:00:ab:00:02";
	const events = [
		at(3, "loader", { address }),
		at(1, "dhcp-discover", { mac: MAC }),
		at(2, "dhcp-ack", { mac: MAC, address }),
		at(0, "script", { address, service: "httpd" }),
		at(4, "loader", { address: "172.22.0.102" }),
		at(5, "heartbeat", { address, node: "00000000-0000-0000-0000-000000000000", service: "httpd" }),
		at(6, "dhcp-ack", { mac: other, address }),
		at(7, "script", { address, service: "httpd" }),
		at(8, "power", { node: NODE, service: "ironic" }),
	];
	t.deepEqual(
		timeline(events, { macs: [MAC], node: NODE }).map(({ time }) => time / 1000),
		[1, 2, 3, 8],
	);
});

test("events of one second stand in the order of a boot, whichever log was read first", (t) => {
	const log = (service: TracedService, ...lines: string[]) =>
		lines.flatMap((line) => parseLine(service, `2026-08-01T10:00:00+00:00 ${line}`) ?? []);
	const http = '172.22.0.101 - - [01/Aug/2026:10:00:00 +0000] "GET /boot.ipxe HTTP/1.1" 200 512';
	const dhcp = ["DHCPDISCOVER(br-prov)", "DHCPACK(br-prov) 172.22.0.101"].map(
		(text) => `dnsmasq-dhcp[7]: 1 ${text} ${MAC} `,
	);
	const events = [...log("httpd", http), ...log("dnsmasq", ...dhcp)];
	t.deepEqual(
		timeline(events, { macs: [MAC], node: NODE }).map(({ kind }) => kind),
		["dhcp-discover", "dhcp-ack", "script"],
	);
});

const DHCP = [at(10, "dhcp-discover"), at(10, "dhcp-offer"), at(11, "dhcp-request"), at(11, "dhcp-ack")];
const LOADED = [...DHCP, at(12, "loader")];
const CHAINED = [...LOADED, at(14, "dhcp-discover"), at(14, "dhcp-ack")];
const SCRIPT = [...CHAINED, at(15, "script"), at(15, "boot-config")];
const KERNEL = [...SCRIPT, at(16, "kernel"), at(18, "ramdisk")];

/** What was seen, at which second it is looked at, and what is said. */
const STALLS: readonly (readonly [
	title: string,
	events: readonly TraceEvent[],
	now: number,
	code: string | undefined,
	message?: string,
])[] = [
	["just switched on", [], 30, undefined],
	["no DHCP request", [], 50, "host-no-dhcp", "no DHCP request for 50 s"],
	[
		"DHCP is refused",
		[at(10, "dhcp-refused")],
		40,
		"host-dhcp-refused",
		"the DHCP request was refused for 30 s",
	],
	["DHCP was refused, then answered", [at(5, "dhcp-refused"), ...DHCP], 60, "host-no-loader"],
	["DHCP a moment ago", DHCP, 30, undefined],
	[
		"DHCP but no TFTP",
		DHCP,
		51,
		"host-no-loader",
		"DHCP was answered, but no loader was fetched by TFTP for 40 s",
	],
	["TFTP a moment ago", LOADED, 30, undefined],
	["TFTP but no HTTP", LOADED, 55, "host-no-script", "the loader was fetched, but nothing by HTTP for 43 s"],
	["iPXE has an address, but no HTTP", CHAINED, 55, "host-no-script"],
	["script but no kernel", SCRIPT, 60, "host-no-kernel"],
	["another port", [...CHAINED, at(15, "script"), at(15, "boot-config-missing")], 60, "host-other-port"],
	["the kernel unpacks", KERNEL, 60, undefined],
	[
		"kernel but no agent",
		KERNEL,
		120,
		"host-no-agent",
		"kernel and ramdisk were fetched, but no agent calls for 102 s",
	],
	["an agent that is not expected", [...KERNEL, at(40, "lookup-refused")], 80, "host-agent-unknown"],
	["the agent is there", [...KERNEL, at(40, "lookup")], 200, undefined],
	["the agent was there, and fell silent", [...KERNEL, at(40, "lookup")], 400, "host-no-agent"],
	["fast track: the agent has run since before", [at(-60, "heartbeat")], 100, undefined],
	[
		"switched on anew: the agent of before does not count",
		[at(-60, "heartbeat"), at(0, "power")],
		100,
		"host-no-dhcp",
	],
	["what was before this boot does not count", [at(-50, "dhcp-ack"), at(-40, "kernel")], 50, "host-no-dhcp"],
];

for (const [title, events, now, code, message] of STALLS)
	test(`diagnosis: ${title}`, (t) => {
		const stall = diagnose({ events, now: now * 1000, since: 0, boot: "network" });
		t.is(stall?.code, code);
		if (message !== undefined) t.is(stall?.message, message);
		if (stall !== undefined) t.is(stallIn(`last seen: inspect wait; ${stall.message}`)?.code, code);
	});

test("diagnosis: a BMC that does not fetch its medium, and one that did", (t) => {
	const media = { since: 0, boot: "media" } as const;
	t.is(diagnose({ ...media, events: [], now: 70_000 })?.code, "host-no-medium");
	t.is(diagnose({ ...media, events: [at(10, "medium")], now: 70_000 }), undefined);
	t.is(diagnose({ ...media, events: [at(10, "medium")], now: 110_000 })?.code, "host-no-agent");
});

test("a boot begins with the operation that needs it", (t) => {
	const moved = (second: number, text: string) => at(second, "provision-state", { text, service: "ironic" });
	const events = [
		moved(1, "enroll -> verifying"),
		moved(5, "manageable -> inspecting"),
		moved(9, "inspecting -> inspect wait"),
	];
	t.is(bootBegan(events, 77), 5000);
	t.is(bootBegan([], 77), 77);
});
