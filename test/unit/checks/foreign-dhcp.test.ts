import test from "ava";
import { foreignDhcp } from "../../../src/checks/foreign-dhcp.ts";
import type { DhcpLook } from "../../../src/linux/dhcp-look.ts";
import { assembleSite } from "../../../src/site/assemble.ts";
import { parseDocuments } from "../../../src/site/parse.ts";
import { ironicText } from "../../support/site-text.ts";

const DHCP =
	"  networking:\n    ipAddress: 172.22.0.1\n    dhcp: {networkCIDR: 172.22.0.0/24, rangeBegin: 172.22.0.10, rangeEnd: 172.22.0.20}\n";
const server = (address: string, own = false) => ({
	...{ address, own, offered: undefined, router: undefined, bootFile: undefined },
});
const rogue: DhcpLook = { outcome: "looked", servers: [server("172.22.0.9"), server("172.22.0.1", true)] };

async function found(spec: string, mode: string, look: DhcpLook) {
	const bootstrap = `---\napiVersion: ironstrap.io/v1alpha1\nkind: Bootstrap\nmetadata: {name: lab}\nspec: {dhcp: {mode: ${mode}}}\n`;
	const { site } = assembleSite(parseDocuments(ironicText(spec) + bootstrap, "site.yaml").documents);
	return foreignDhcp(site, () => Promise.resolve(look)).look(new AbortController().signal);
}

test("another DHCP server where ours will serve is a warning, at the place that asks for ours", async (t) => {
	const [finding, ...more] = await found(DHCP, "auto", rogue);
	t.deepEqual(more, []);
	t.like(finding, {
		code: "dhcp-server-elsewhere",
		severity: "warning",
		message: "another DHCP server gives out addresses on the provisioning network",
		seen: "172.22.0.9",
		where: { file: "site.yaml", line: 7, column: 5 },
	});
	const reserved = DHCP.replace("20}", "20, hosts: ['52:54:00:ab:00:01,172.22.0.15']}");
	t.is((await found(reserved, "reservations", rogue)).length, 1);
});

test("nothing is said where the other server is wanted, ours, or could not be looked for", async (t) => {
	t.deepEqual(await found(DHCP, "proxy", rogue), []);
	t.deepEqual(await found(DHCP, "off", rogue), []);
	t.deepEqual(await found("  networking: {ipAddress: 172.22.0.1}\n", "auto", rogue), []);
	const own: DhcpLook = { outcome: "looked", servers: [server("172.22.0.1", true)] };
	t.deepEqual(await found(DHCP, "auto", own), []);
	t.deepEqual(await found(DHCP, "auto", { outcome: "could-not-look", why: "it needs root" }), []);
});
