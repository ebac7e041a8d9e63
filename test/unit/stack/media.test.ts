import test from "ava";
import { mediaAddresses, mediaDriverInfo, routedBmcs } from "../../../src/stack/media.ts";
import { renderStack } from "../../../src/stack/render.ts";
import { hostManifest, inputsOf, provisioningNetwork, type SiteParts, siteOf } from "./fixture.ts";

const host = (name: string, address: string, annotations = {}) => ({
	...(hostManifest(name, `52:54:00:ab:00:0${name.at(-1)}`, {
		bmc: { address, credentialsName: "bmc" },
	}) as object),
	metadata: { name, namespace: "metal3", annotations },
});

/** One server behind a second leg, one on the provisioning network, one that boots over the network, one that wants HTTP. */
const hosts = [
	host("cp-0", "redfish-virtualmedia://192.168.222.10/redfish/v1/Systems/1"),
	host("cp-1", "redfish-virtualmedia://172.22.0.61/redfish/v1/Systems/1"),
	host("cp-2", "redfish://192.168.222.12/redfish/v1/Systems/1"),
];
const plain = host("cp-3", "redfish-virtualmedia://192.168.222.13/redfish/v1/Systems/1", {
	"ironstrap.io/virtual-media": "http",
});

const media = {
	"192.168.222.10": "192.168.222.1",
	"172.22.0.61": "172.22.0.1",
	"192.168.222.13": "192.168.222.1",
};
const provisioning = { ...inputsOf().provisioning, media };

function published(parts: SiteParts): readonly string[] {
	const { services } = renderStack(siteOf(parts), inputsOf({ provisioning })).project;
	return (services.httpd?.ports ?? []).map(({ host_ip, published: port }) => `${host_ip}:${port}`);
}

test("routes are asked for BMCs that fetch virtual media, unless the site says where from", (t) => {
	t.deepEqual(routedBmcs(siteOf({ hosts })), ["172.22.0.61", "192.168.222.10"]);
	const networking = { ...provisioningNetwork, externalIP: "198.51.100.7" };
	t.deepEqual(routedBmcs(siteOf({ hosts, ironic: { networking } })), []);
});

test("a second leg gets virtual media alone, and plain HTTP only where a BMC wants that", (t) => {
	t.deepEqual(mediaAddresses(provisioning), ["192.168.222.1"]);
	const usual = ["172.22.0.1:6385", "127.0.0.1:6385", "172.22.0.1:6180", "172.22.0.1:6183"];
	t.deepEqual(published({ hosts }), [...usual, "192.168.222.1:6183"]);
	t.deepEqual(published({ hosts: [...hosts, plain] }), [
		...usual,
		"192.168.222.1:6183",
		"192.168.222.1:6180",
	]);
});

test("each node is told the address that its own BMC reaches; callbacks stay on the provisioning network", (t) => {
	const site = siteOf({ hosts: [...hosts, plain] });
	t.deepEqual(
		site.hosts.map((each) => mediaDriverInfo(site, provisioning, each)),
		[
			{ external_http_url: "https://192.168.222.1:6183" },
			{},
			{},
			{ external_http_url: "http://192.168.222.1:6180" },
		],
	);
	const open = siteOf({ hosts, ironic: { tls: { disableVirtualMediaTLS: true } } });
	t.deepEqual(mediaDriverInfo(open, provisioning, open.hosts[0] as (typeof open.hosts)[0]), {
		external_http_url: "http://192.168.222.1:6180",
	});
	const { files } = renderStack(site, inputsOf({ provisioning }));
	const conf = files.find(({ path }) => path === "ironic/ironic.conf")?.content ?? "";
	t.true(conf.includes("external_callback_url = https://172.22.0.1:6385\n"));
});
