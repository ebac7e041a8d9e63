import test from "ava";
import { parse } from "yaml";
import { description } from "../../../src/cli/hosts/describe.ts";
import { listing } from "../../../src/cli/hosts/handler.ts";
import { candidates } from "../../../src/hosts/choose.ts";
import { failed, recorded } from "../../../src/hosts/status.ts";
import { crdValidator } from "../../support/crd.ts";
import { host, site } from "../hosts/_fixtures.ts";
import { modelNode } from "../hosts/_model-ironic.ts";

const hardware = {
	ramMebibytes: 512,
	nics: [{ name: "eth0", mac: "52:54:00:ab:00:01", ip: "172.22.0.5" }],
	storage: [{ name: "/dev/sda", sizeBytes: 21_474_836_480, type: "SSD" as const }],
};
const inspecting = recorded(host(), undefined, {
	...{ state: "inspecting", node: modelNode(), hardware, now: "2026-08-01T10:30:00Z" },
} as const);
const stored = failed(host(), inspecting, {
	...{ type: "inspection error", message: "no answer", now: "2026-08-01T10:31:00Z" },
} as const);
const hosts = candidates(site([host()]), [stored]);

test("-o json and yaml: a List of objects as a cluster would return them, hardware in the status", (t) => {
	const list = JSON.parse(listing(hosts, "json")) as { kind: string; items: readonly unknown[] };
	t.is(list.kind, "List");
	t.deepEqual(parse(listing(hosts, "yaml")), list);
	t.like(list.items[0], {
		kind: "BareMetalHost",
		spec: { online: true },
		status: { errorType: "inspection error", hardware: { ramMebibytes: 512 } },
	});
	t.deepEqual(crdValidator("bmo-v0.14.0-rc.0", "BareMetalHost")(list.items[0]), []);
});

test("-o name and wide", (t) => {
	t.is(listing(hosts, "name"), "baremetalhost.metal3.io/cp-0");
	const [header, row] = listing(hosts, "wide").split("\n");
	t.is(header?.replaceAll(/ +/g, " "), "NAMESPACE NAME STATUS STATE CONSUMER BMC ONLINE ERROR AGE");
	t.regex(row ?? "", /^metal3 +cp-0 +error +inspecting +redfish\+http:\S+ +true +inspection error/);
	t.is(listing([], "wide"), "no hosts");
});

test("describe: what is known, one line a fact, and nothing of what is not", (t) => {
	const lines = hosts.map((candidate) => description(candidate))[0]?.split("\n") ?? [];
	const fact = (label: string) =>
		lines
			.find((line) => line.startsWith(`${label}:`))
			?.slice(label.length + 1)
			.trim();
	t.is(fact("Error"), "inspection error (1): no answer");
	t.is(fact("Online"), "true (powered off)");
	t.is(fact("NIC"), "eth0 52:54:00:ab:00:01 172.22.0.5");
	t.is(fact("Disk"), "/dev/sda 20.0 GiB SSD");
	t.is(fact("Last inspect"), "2026-08-01T10:30:00Z to now");
	t.is(fact("Image deployed"), undefined);
	const [gone] = candidates(site([]), [stored]);
	t.regex(gone === undefined ? "" : description(gone), /Declared: +no: not in the manifests any more/);
});
