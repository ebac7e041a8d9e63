import test from "ava";
import { keptAddresses } from "../../../src/hosts/kept-addresses.ts";
import { recorded } from "../../../src/hosts/status.ts";
import type { ProvisioningState } from "../../../src/resources/bare-metal-host-status.ts";
import { parseLeases } from "../../../src/stack/leases.ts";
import { host } from "./_fixtures.ts";

const leases = parseLeases(
	[
		"1785664800 52:54:00:ab:00:01 172.22.0.110 * ff:00:ab:00:01:00:01",
		"1785664800 52:54:00:AB:00:11 172.22.0.111 cp-0 *",
		"1785664800 52:54:00:ab:00:02 172.22.0.112 cp-1 *",
		"duid 00:01:00:01:2f:00:00:00:52:54:00:ab:00:99",
		"1785664800 11206657 fd00:22::64 cp-0 00:01:00:01:2f:00:00:00:52:54:00:ab:00:01",
	].join("\n"),
);
const cp0 = host({ bootMACAddress: "52:54:00:AB:00:01" });
const inState = (state: ProvisioningState) =>
	recorded(cp0, undefined, {
		state,
		node: undefined,
		hardware: { nics: [{ mac: "52:54:00:AB:00:11" }] },
		now: "2026-08-01T10:30:00Z",
	});

test("a deployed server keeps what it holds on every card, and nothing of another server's", (t) => {
	const both = [
		{ mac: "52:54:00:ab:00:01", address: "172.22.0.110" },
		{ mac: "52:54:00:ab:00:11", address: "172.22.0.111" },
	];
	t.deepEqual(keptAddresses(cp0, inState("provisioned"), leases), both);
	t.deepEqual(keptAddresses(cp0, inState("externally provisioned"), leases), both);
	t.deepEqual(keptAddresses(cp0, inState("provisioning"), leases), []);
	t.deepEqual(keptAddresses(cp0, inState("available"), leases), []);
});

test("without a lease of now what was kept stays; a lease of now is what the server uses", (t) => {
	const addresses = [{ mac: "52:54:00:ab:00:01", address: "172.22.0.140" }];
	t.deepEqual(keptAddresses(cp0, { ...inState("provisioned"), addresses }, []), addresses);
	t.deepEqual(keptAddresses(cp0, { ...inState("provisioned"), addresses }, leases)[0], {
		mac: "52:54:00:ab:00:01",
		address: "172.22.0.110",
	});
});

test("they are kept as long as the server is deployed", (t) => {
	const addresses = [{ mac: "52:54:00:ab:00:01", address: "172.22.0.110" }];
	const stored = { ...inState("provisioned"), addresses };
	const after = (state: ProvisioningState) =>
		recorded(cp0, stored, { state, node: undefined, now: "2026-08-01T11:00:00Z" }).addresses;
	t.deepEqual(after("provisioned"), addresses);
	t.is(after("deprovisioning"), undefined);
});
