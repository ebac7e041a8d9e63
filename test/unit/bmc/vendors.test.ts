import test from "ava";
import { readDocuments } from "../../../src/bmc/documents.ts";
import { interpretDocuments, isServiceRoot } from "../../../src/bmc/interpret.ts";
import { proposeAddresses } from "../../../src/bmc/propose.ts";
import { dell, hpe, lenovo, type Service, supermicro } from "./_vendors.ts";

const endpoint = { transport: "https", host: "10.0.0.5", port: 443, localAddress: "10.0.0.1" } as const;

async function factsOf(service: Service) {
	const root = service["/redfish/v1/"] ?? {};
	return interpretDocuments(await readDocuments(root, (path) => Promise.resolve(service[path])));
}

async function proposalFor(service: Service, boot?: "network" | "virtual-media") {
	const redfish = await factsOf(service);
	return proposeAddresses({ endpoint, tls: undefined, redfish, ipmi: undefined }, { boot })[0];
}

test("Dell: the idrac scheme, the card with a link, a CD drive at the Manager", async (t) => {
	const facts = await factsOf(dell);
	t.like(facts, { vendor: "Dell", product: "Integrated Dell Remote Access Controller" });
	t.deepEqual(facts.managers, [{ id: "iDRAC.Embedded.1", model: "15G Monolithic", firmware: "5.10.50.00" }]);
	t.is(facts.clock, Date.UTC(2026, 2, 1, 12, 0, 0));
	t.like(await proposalFor(dell), {
		address: "idrac-virtualmedia://10.0.0.5/redfish/v1/Systems/System.Embedded.1",
		boot: "virtual-media",
		bootMac: "b0:7b:25:00:00:10",
		disableCertificateVerification: false,
	});
	t.is(
		(await proposalFor(dell, "network"))?.address,
		"idrac-redfish://10.0.0.5/redfish/v1/Systems/System.Embedded.1",
	);
});

test("HPE: slashes at the end of links do not matter; a drive in use is seen", async (t) => {
	const facts = await factsOf(hpe);
	t.deepEqual(facts.systems[0]?.media, [
		{
			path: "/redfish/v1/Managers/1/VirtualMedia/1",
			where: "Manager",
			cd: false,
			insertMedia: true,
			inserted: false,
		},
		{
			path: "/redfish/v1/Managers/1/VirtualMedia/2",
			where: "Manager",
			cd: true,
			insertMedia: true,
			inserted: true,
		},
	]);
	t.deepEqual(facts.systems[0]?.bootModes, ["Legacy", "UEFI"]);
	t.is((await proposalFor(hpe))?.address, "redfish-virtualmedia://10.0.0.5/redfish/v1/Systems/1");
});

test("Supermicro without its licence: network boot, and why; its own link to the BMC is no boot card", async (t) => {
	const facts = await factsOf(supermicro);
	t.is(facts.vendor, "Supermicro", "from Oem, because Vendor is not there");
	t.is(facts.systems[0]?.serialNumber, undefined, "blanks are no serial number");
	t.deepEqual(
		facts.systems[0]?.nics.map(({ mac, toBmc }) => [mac, toBmc]),
		[
			["be:3a:f2:b6:05:9f", true],
			["ac:1f:6b:00:00:01", false],
		],
	);
	t.is(facts.clock, Date.UTC(2026, 2, 1, 10, 0, 0), "local time and its offset are two properties");
	t.deepEqual(await proposalFor(supermicro), {
		systemPath: "/redfish/v1/Systems/1",
		address: "redfish://10.0.0.5/redfish/v1/Systems/1",
		boot: "network",
		disableCertificateVerification: false,
		bootMac: "ac:1f:6b:00:00:01",
		reasons: [
			"network boot: its virtual CD drive lacks the standard action InsertMedia (old firmware, or a licence is missing)",
		],
	});
});

test("Lenovo: drives at the System, the permanent address where there is no other", async (t) => {
	const facts = await factsOf(lenovo);
	t.deepEqual(
		facts.systems[0]?.media.map(({ where, cd, insertMedia }) => [where, cd, insertMedia]),
		[
			["System", true, true],
			["System", false, false],
		],
	);
	t.like(await proposalFor(lenovo), {
		address: "redfish-virtualmedia://10.0.0.5/redfish/v1/Systems/1",
		bootMac: "08:c0:eb:00:00:01",
		reasons: ["virtual media: a CD drive with InsertMedia at the System"],
	});
});

test("a chassis of blades: a proposal for each, only the named one if one is named", async (t) => {
	const blades: Service = {
		"/redfish/v1/": { RedfishVersion: "1.0.0", Systems: { "@odata.id": "/redfish/v1/Systems" } },
		"/redfish/v1/Systems": {
			Members: [{ "@odata.id": "/redfish/v1/Systems/a" }],
			"Members@odata.nextLink": "/redfish/v1/Systems?$skip=1",
		},
		"/redfish/v1/Systems?$skip=1": { Members: [{ "@odata.id": "/redfish/v1/Systems/b" }] },
		"/redfish/v1/Systems/a": { Id: "a" },
		"/redfish/v1/Systems/b": { Id: "b" },
	};
	const redfish = await factsOf(blades);
	const seen = { endpoint, tls: undefined, redfish, ipmi: undefined };
	t.deepEqual(
		proposeAddresses(seen).map(({ address }) => address),
		["redfish://10.0.0.5/redfish/v1/Systems/a", "redfish://10.0.0.5/redfish/v1/Systems/b"],
	);
	t.deepEqual(
		proposeAddresses(seen, { systemPath: "/redfish/v1/Systems/b" }).map(({ address }) => address),
		["redfish://10.0.0.5/redfish/v1/Systems/b"],
	);
});

test("HTTP, IPv6 and an unusual port are in the address; an untrusted certificate is said and why", async (t) => {
	const redfish = await factsOf(lenovo);
	const http = { transport: "http", host: "fd00::5", port: 8000, localAddress: undefined } as const;
	t.is(
		proposeAddresses({ endpoint: http, tls: undefined, redfish, ipmi: undefined })[0]?.address,
		"redfish-virtualmedia+http://[fd00::5]:8000/redfish/v1/Systems/1",
	);
	const certificate = {
		subject: "CN=XCC",
		issuer: "CN=XCC",
		validFrom: "",
		validTo: "",
		selfSigned: true,
		names: [],
		fingerprint: "",
	};
	const tls = { protocol: "TLSv1.2", certificate, distrust: "it is self-signed" };
	const [proposal] = proposeAddresses({ endpoint, tls, redfish, ipmi: undefined });
	t.true(proposal?.disableCertificateVerification);
	t.regex(proposal?.reasons.at(-1) ?? "", /it is self-signed .*bmcCA/);
});

test("IPMI alone can boot over the network", (t) => {
	const ipmi = { version: "2.0", authenticationTypes: [], anonymousLogin: false } as const;
	const [proposal] = proposeAddresses({ endpoint, tls: undefined, redfish: undefined, ipmi });
	t.like(proposal, { address: "ipmi://10.0.0.5", boot: "network" });
});

test("firmware that answers nonsense is no crash", async (t) => {
	const nonsense: Service = {
		"/redfish/v1/": { Systems: "no link", Managers: { "@odata.id": 7 }, Oem: [] },
	};
	t.deepEqual((await factsOf(nonsense)).systems, []);
	const loop: Service = {
		"/redfish/v1/": { Systems: { "@odata.id": "/s" } },
		"/s": { Members: [null, {}, { "@odata.id": "/s/1" }], "Members@odata.nextLink": "/s" },
		"/s/1": { Boot: [], EthernetInterfaces: { "@odata.id": "/n" } },
		"/n": { Members: [{ "@odata.id": "/n/1" }] },
		"/n/1": { MACAddress: "00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff:00:11:22:33" },
	};
	const [system] = (await factsOf(loop)).systems;
	t.like(system, { path: "/s/1", id: "1", nics: [], media: [], bootTargets: [] });
});

test("a service root is told from a web page's JSON", (t) => {
	t.true(isServiceRoot({ "@odata.type": "#ServiceRoot.v1_0_2.ServiceRoot" }));
	t.false(isServiceRoot({ status: "ok" }));
	t.false(isServiceRoot(undefined));
});

test("a BMC for each of two servers: a server has its own BMC's drives only", async (t) => {
	const pair: Service = {
		"/redfish/v1/": { Systems: { "@odata.id": "/s" }, Managers: { "@odata.id": "/m" } },
		"/s": { Members: [{ "@odata.id": "/s/a" }, { "@odata.id": "/s/b" }] },
		"/s/a": { Id: "a" },
		"/s/b": { Id: "b" },
		"/m": { Members: [{ "@odata.id": "/m/a" }, { "@odata.id": "/m/b" }] },
		"/m/a": {
			Links: { ManagerForServers: [{ "@odata.id": "/s/a" }] },
			VirtualMedia: { "@odata.id": "/m/a/v" },
		},
		"/m/b": { Links: { ManagerForServers: [{ "@odata.id": "/s/b" }] } },
		"/m/a/v": { Members: [{ "@odata.id": "/m/a/v/1" }] },
		"/m/a/v/1": { MediaTypes: ["CD"] },
	};
	t.deepEqual(
		(await factsOf(pair)).systems.map(({ media }) => media.map(({ path }) => path)),
		[["/m/a/v/1"], []],
	);
});
