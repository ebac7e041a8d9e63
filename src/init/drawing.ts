import { parseBmcAddress } from "../resources/bmc-address.ts";
import { loginInterface, type MachineFacts } from "./facts.ts";
import type { HostPlan, SitePlan } from "./plan.ts";

export interface DrawingOptions {
	/** Line-drawing characters; otherwise plain ASCII. */
	readonly unicode: boolean;
	/** Servers that give out addresses on the provisioning network. */
	readonly foreignDhcp: readonly string[];
}

const WIDTH = 79;
/** With a question below it, the drawing must leave a terminal of 24 lines. */
const MOST_HOSTS = 4;

const GLYPHS = {
	unicode: { branch: "├─ ", last: "└─ ", line: "│  ", cable: "═══", dots: "…" },
	ascii: { branch: "+- ", last: "`- ", line: "|  ", cable: "===", dots: "..." },
} as const;

/**
 * The network with every address and its owner: at most 80 columns and 20 lines, so that it fits a plain terminal. Pure.
 */
export function drawNetwork(plan: SitePlan, facts: MachineFacts, options: DrawingOptions): string {
	const glyphs = GLYPHS[options.unicode ? "unicode" : "ascii"];
	const provisioning = provisioningRows(plan, options);
	const bmcs = plan.hosts.map((host): Row => [bmcPlace(host), `BMC of ${host.name}`]);
	const lines = [
		"THIS MACHINE",
		...branch(
			glyphs,
			false,
			`${plan.interface} ${glyphs.cable} provisioning network ${plan.network.cidr}`,
			provisioning,
		),
		...otherInterfaces(plan, facts).flatMap(({ title, rows }) => branch(glyphs, false, title, rows)),
		...branch(
			glyphs,
			true,
			`BMCs ${glyphs.cable} reached through this machine's routes`,
			cut(bmcs, glyphs.dots),
		),
	];
	return lines.map((line) => clip(line, glyphs.dots)).join("\n");
}

/** An address (or range) and whose it is. */
type Row = readonly [address: string, owner: string];

function provisioningRows(plan: SitePlan, { foreignDhcp }: DrawingOptions): readonly Row[] {
	const serves = plan.addresses === "pool" ? "Ironic, images, DHCP" : "Ironic, images";
	const missing = plan.addressPresent ? "" : " (to be added)";
	const rows: Row[] = [[plan.address, `this machine: ${serves}${missing}`]];
	if (plan.gateway !== undefined) rows.push([plan.gateway, "the router"]);
	for (const address of foreignDhcp)
		rows.push([address, address === plan.gateway ? "DHCP server, too" : "DHCP server of this network"]);
	if (plan.addresses === "pool" && plan.range !== undefined)
		rows.push([`${plan.range.begin} - ${plan.range.end}`, "servers, from this machine's DHCP"]);
	const owners: Row[] = plan.hosts.map((host) => [
		host.address ?? (plan.addresses === "pool" ? "from the pool" : "from that DHCP server"),
		`${host.name}${host.bootMac === undefined ? "" : `  ${host.bootMac}`}`,
	]);
	return [...rows, ...cut(owners, "...")];
}

function otherInterfaces(
	plan: SitePlan,
	facts: MachineFacts,
): readonly { readonly title: string; readonly rows: readonly Row[] }[] {
	const login = loginInterface(facts);
	return facts.interfaces
		.filter(({ name, addresses }) => name !== plan.interface && addresses.length > 0)
		.filter(({ managedBy }) => managedBy === undefined)
		.slice(0, 3)
		.map((link) => {
			const address = link.addresses.find(({ family }) => family === 4) ?? link.addresses[0];
			const rows: Row[] = [];
			if (link.name === login?.name && facts.login !== undefined) rows.push([facts.login.from, "you"]);
			if (link.gateway !== undefined) rows.push([link.gateway, "the router"]);
			return { title: `${link.name}  ${address?.cidr ?? ""}`, rows };
		});
}

function cut(rows: readonly Row[], dots: string): readonly Row[] {
	if (rows.length <= MOST_HOSTS) return rows;
	return [...rows.slice(0, MOST_HOSTS - 1), [dots, `and ${rows.length - MOST_HOSTS + 1} more`]];
}

function branch(
	glyphs: (typeof GLYPHS)["unicode"] | (typeof GLYPHS)["ascii"],
	isLast: boolean,
	title: string,
	rows: readonly Row[],
): readonly string[] {
	const stem = isLast ? "   " : glyphs.line;
	return [
		`${isLast ? glyphs.last : glyphs.branch}${title}`,
		...rows.map(
			([address, owner], index) =>
				`${stem}${index === rows.length - 1 ? glyphs.last : glyphs.branch}${address.padEnd(31)} ${owner}`,
		),
	];
}

function bmcPlace({ bmc }: HostPlan): string {
	const { host, port } = parseBmcAddress(bmc);
	return `${host}${port === undefined ? "" : ` port ${port}`}`;
}

function clip(line: string, dots: string): string {
	return line.length <= WIDTH ? line : `${line.slice(0, WIDTH - dots.length)}${dots}`;
}
