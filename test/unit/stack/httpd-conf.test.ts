import test from "ava";
import { httpdConf } from "../../../src/stack/httpd-conf.ts";
import { inputsOf, siteOf } from "./fixture.ts";

const conf = httpdConf(siteOf(), inputsOf());

/** What a virtual host lets through, judged by the expression it compares the request line with. */
function passes(port: number, text = conf): (request: string) => boolean {
	const host = text.split(`<VirtualHost *:${port}>`)[1]?.split("</VirtualHost>")[0] ?? "";
	const pattern = /RewriteCond %\{THE_REQUEST\} "!(.*)"$/m.exec(host)?.[1] ?? "(?!)";
	return (request) => new RegExp(pattern).test(`${request} HTTP/1.1`);
}

const uuid = "11111111-2222-3333-4444-555555555555";

test("servers reach what a deploy ramdisk asks for", (t) => {
	const allowed = passes(6385);
	for (const request of [
		"GET /",
		"GET /v1",
		"GET /v1/",
		"GET /v1/lookup?addresses=52:54:00:ab:00:01,52:54:00:ab:00:02",
		`GET /v1/lookup?node_uuid=${uuid}`,
		`POST /v1/heartbeat/${uuid}`,
		"POST /v1/continue_inspection",
	])
		t.true(allowed(request), request);
});

test("servers reach nothing else of the API, however it is spelled", (t) => {
	const allowed = passes(6385);
	for (const request of [
		"GET /v1/nodes",
		"GET /nodes",
		"GET //v1/nodes",
		"GET /v1//lookup",
		"GET /v1/lookup/../nodes",
		"GET /v1/%6eodes",
		"GET /v1/lookup%2f..%2fnodes",
		"GET /v1/lookup/x",
		"GET /V1/lookup",
		"GET /v1/lookup;x",
		"GET /v1.json",
		"GET /v1?x=/nodes",
		"GET https://172.22.0.1/v1/lookup",
		"POST /v1/lookup",
		"GET /v1/continue_inspection",
		"PATCH /v1/continue_inspection",
		"POST /v1/heartbeat/name",
		`DELETE /v1/heartbeat/${uuid}`,
		"CONNECT 172.22.0.1:443",
	])
		t.false(allowed(request), request);
});

test("plain HTTP gives out boot files and images, and neither virtual media nor directories", (t) => {
	const allowed = passes(6180);
	for (const path of [
		"boot.ipxe",
		"undionly.kpxe",
		"snponly-x86_64.efi",
		"pxelinux.cfg/52-54-00-ab-00-01",
		`${uuid}/deploy_kernel`,
		`${uuid}/config`,
		"images/deploy-ramdisk/kernel",
		"images/ubuntu-24.04.qcow2",
		`agent_images/${uuid}`,
	])
		t.true(allowed(`GET /${path}`), path);
	for (const path of [
		"",
		"images/",
		"images/.hidden",
		"images/../x",
		`redfish/boot-${uuid}.iso`,
		`redfish/configdrive-${uuid}.iso`,
		"pxelinux.cfg/",
		`${uuid}/`,
		"tmp/x",
		"etc/passwd",
	])
		t.false(allowed(`GET /${path}`), path);
	t.false(allowed("PUT /images/x"));
});

test("virtual media has its own TLS port, and moves to plain HTTP only when the site asks for that", (t) => {
	t.true(passes(6183)(`GET /redfish/boot-${uuid}.iso`));
	t.true(passes(6183)(`HEAD /redfish/boot-${uuid}.iso?nocache=1`));
	t.false(passes(6183)("GET /boot.ipxe"));
	const plain = httpdConf(siteOf({ ironic: { tls: { disableVirtualMediaTLS: true } } }), inputsOf());
	t.true(passes(6180, plain)(`GET /redfish/boot-${uuid}.iso`));
	t.false(plain.includes("Listen 6183"));
});

test("one host whose BMC cannot use HTTPS opens virtual media on plain HTTP too", (t) => {
	const site = siteOf();
	const hosts = site.hosts.map((host) => ({
		...host,
		metadata: { ...host.metadata, annotations: { "ironstrap.io/virtual-media": "http" } },
	}));
	const both = httpdConf({ ...site, hosts }, inputsOf());
	t.true(passes(6180, both)(`GET /redfish/boot-${uuid}.iso`));
	t.true(passes(6183, both)(`GET /redfish/boot-${uuid}.iso`));
});

test("credentials are dropped on the servers' side and TLS starts at 1.2", (t) => {
	const servers = conf.split("<VirtualHost *:6385>")[1]?.split("</VirtualHost>")[0] ?? "";
	t.true(servers.includes("RequestHeader unset Authorization"));
	t.true(conf.includes("SSLProtocol -all +TLSv1.2 +TLSv1.3"));
	t.false(/autoindex|Indexes/.test(conf));
});

test("operators come through the bridge's gateway, unless the site publishes their side", (t) => {
	const guard = /RewriteCond %\{REMOTE_ADDR\} "(.*)"/;
	t.is(guard.exec(conf)?.[1], "!^(10\\.89\\.77\\.1|127\\.0\\.0\\.1)$");
	const published = siteOf({ bootstrap: { api: { listen: ["10.0.0.5"] } } });
	t.notRegex(httpdConf(published, inputsOf()), guard);
});
