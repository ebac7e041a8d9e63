import test from "ava";
import fc from "fast-check";
import { renderFence } from "../../../src/fence/fence.ts";
import { compareListings } from "../../../src/fence/listing.ts";
import { updateElements } from "../../../src/fence/update.ts";
import { listAsRendered } from "../../../src/linux/nft.ts";
import type { BootstrapManifest } from "../../../src/resources/bootstrap.ts";
import { fenceInputs } from "../../unit/fence/_inputs.ts";
import { hostManifest, type SiteParts, siteOf } from "../../unit/stack/fixture.ts";

/* Rendered rulesets, read by the kernel: each is loaded into a network namespace of its own, which ends with it. */

const signal = AbortSignal.timeout(120_000);
const byte = fc.nat(255).map((value) => value.toString(16).padStart(2, "0"));
const mac = fc.tuple(byte, byte, byte).map((tail) => `52:54:00:${tail.join(":")}`);
const network = fc
	.tuple(fc.nat(255), fc.nat(255), fc.integer({ min: 8, max: 32 }))
	.map(([a, b, prefix]) => `10.${a}.${b}.0/${prefix}`);
const hostile = fc.constantFrom("1.2.3.4; drop", "}", '"', "a.example.org", "#", "$(x)", "\n}", "é.example");

const fenceSpec: fc.Arbitrary<NonNullable<NonNullable<BootstrapManifest["spec"]>["fence"]>> = fc.record({
	mode: fc.constantFrom("shared", "dedicated"),
	dhcp: fc.constantFrom("closed", "open"),
	egress: fc.constantFrom("limited", "open"),
	gateway: fc.boolean(),
	allow: fc.array(fc.oneof(network, hostile), { maxLength: 4 }),
	servers: fc.array(fc.oneof(network, hostile, fc.constant("fd00:2::/32")), { maxLength: 4 }),
});

const sites: fc.Arbitrary<SiteParts> = fc
	.record({
		name: fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/),
		fence: fenceSpec,
		macs: fc.array(mac, { maxLength: 5 }),
		bmc: fc.constantFrom("ipmi://", "redfish-virtualmedia://", "idrac-redfish+http://"),
		image: fc.webUrl(),
		hosts: fc.array(fc.oneof(mac, hostile), { maxLength: 3 }),
		external: fc.constantFrom(undefined, "10.50.0.1", "198.51.100.1"),
		dns: fc.boolean(),
		ranges: fc.array(network, { maxLength: 3 }),
	})
	.map(({ bmc, dns, external, fence, hosts, image, macs, name, ranges }) => ({
		name,
		bootstrap: { fence },
		hosts: macs.map((each, index) =>
			hostManifest(`cp-${index}`, each, {
				bmc: { address: `${bmc}192.0.2.${index}/redfish/v1/Systems/1`, credentialsName: "b" },
				image: { url: image, checksum: image },
			}),
		),
		ironic: {
			networking: {
				ipAddress: "172.22.0.1",
				...(external === undefined ? {} : { externalIP: external }),
				dhcp: {
					networkCIDR: "172.22.0.0/24",
					rangeBegin: "172.22.0.100",
					rangeEnd: "172.22.0.150",
					serveDNS: dns,
					hosts,
					extraRanges: ranges.map((networkCIDR) => ({
						networkCIDR,
						rangeBegin: "10.0.0.1",
						rangeEnd: "10.0.0.2",
					})),
				},
			},
		},
	}));

function render(parts: SiteParts, link = "br-prov") {
	const inputs = fenceInputs({ apart: { links: [link, "eth0", "wlp0s20f3"], v4: true, v6: false } });
	const fence = renderFence(siteOf(parts), {
		...inputs,
		provisioning: { ...inputs.provisioning, interface: link, ipv6Cidr: "fd00:1abc::1/64" },
	});
	if (fence === undefined) throw new Error("no fence");
	return fence;
}

test("the kernel takes the ruleset of any site, and holds one table of ours", async (t) => {
	t.timeout(120_000);
	await fc.assert(
		fc.asyncProperty(sites, async (parts) => {
			const { table, text } = render(parts);
			const listing = await listAsRendered(text, table, signal);
			t.is(listing.filter((object) => "table" in object).length, 1);
			t.deepEqual(compareListings(listing, await listAsRendered(text, table, signal)), { verdict: "intact" });
		}),
		{ numRuns: 60 },
	);
});

test("names of links that a shell or a parser would stumble over", async (t) => {
	for (const link of [
		"eth0.100",
		"br-prov",
		"enp3s0f0np0",
		"-",
		"$x",
		"a'b",
		"{}",
		"@p",
		"a;b",
		"lo%1",
		"ü",
	]) {
		const { table, text } = render({}, link);
		const listing = await listAsRendered(text, table, signal);
		t.true(JSON.stringify(listing).includes(JSON.stringify(link)), link);
	}
});

test("sets that are changed in place end as those of the new ruleset", async (t) => {
	const before = render({ hosts: [] });
	const after = render({
		hosts: [hostManifest("cp-0", "52:54:00:ab:00:01"), hostManifest("cp-1", "52:54:00:ab:00:02")],
	});
	const wanted = await listAsRendered(after.text, after.table, signal);
	const found = await listAsRendered(before.text, before.table, signal);
	const comparison = compareListings(found, wanted);
	t.deepEqual(comparison, { verdict: "elements", sets: ["known_macs", "known_clients", "bmc_services"] });
	if (comparison.verdict !== "elements") return;
	const changed = `${before.text}\n${updateElements(after, comparison.sets)}`;
	t.deepEqual(compareListings(await listAsRendered(changed, after.table, signal), wanted), {
		verdict: "intact",
	});
});
