import test from "ava";
import { imageDestinations } from "../../../src/fence/egress.ts";
import { proxyFor } from "../../../src/resources/proxy.ts";
import { dnsmasqConf } from "../../../src/stack/dnsmasq-conf.ts";
import { ramdiskKernelParams } from "../../../src/stack/kernel-params.ts";
import { proxyEnvironment, ramdiskProxy } from "../../../src/stack/proxy.ts";
import { renderStack } from "../../../src/stack/render.ts";
import { contentOf, inputsOf, siteOf } from "./fixture.ts";

const proxy = {
	http: "http://proxy.example.org:3128",
	https: "http://proxy.example.org:3129",
	noProxy: [".lan"],
};

test("Ironic downloads by the proxy, and reaches this machine, servers and BMCs without it", (t) => {
	const site = siteOf({ bootstrap: { proxy } });
	t.deepEqual(proxyEnvironment(site, inputsOf()), {
		http_proxy: "http://proxy.example.org:3128",
		https_proxy: "http://proxy.example.org:3129",
		no_proxy: "localhost,127.0.0.1,172.22.0.1,172.22.0.0/24,10.89.77.0/24,192.168.222.1,.lan",
	});
	const { services } = renderStack(site, inputsOf()).project;
	t.is(services.ironic?.environment?.http_proxy, proxy.http);
	t.is(services.ironic?.environment?.HOME, "/tmp");
	t.is(services.httpd?.environment?.http_proxy, undefined);
	t.deepEqual(proxyEnvironment(siteOf(), inputsOf()), {});
});

test("the networks behind relays need no proxy either", (t) => {
	const extraRanges = [{ networkCIDR: "10.1.0.0/16", rangeBegin: "10.1.0.9", rangeEnd: "10.1.0.20" }];
	const networking = { ipAddress: "172.22.0.1", externalIP: "198.51.100.7", dhcp: { extraRanges } };
	const { no_proxy } = proxyEnvironment(siteOf({ ironic: { networking }, bootstrap: { proxy } }), inputsOf());
	t.is(
		no_proxy,
		"localhost,127.0.0.1,172.22.0.1,198.51.100.7,172.22.0.0/24,10.1.0.0/16,10.89.77.0/24,192.168.222.1,.lan",
	);
});

test("an IPv6 provisioning network cannot be excepted, and is refused", (t) => {
	const provisioning = { address: "fd00::1", interface: "prov", cidr: "fd00::1/64" };
	t.throws(() => proxyEnvironment(siteOf({ bootstrap: { proxy } }), inputsOf({ provisioning })), {
		code: "proxy-ipv6",
	});
});

test("a ramdisk is told the proxy only where it downloads images itself", (t) => {
	t.deepEqual(ramdiskProxy(siteOf({ bootstrap: { proxy } }), inputsOf()), {});
	const site = siteOf({ bootstrap: { proxy, imageDownload: "server" } });
	t.deepEqual(ramdiskProxy(site, { provisioning: inputsOf().provisioning }), {
		image_http_proxy: "http://proxy.example.org:3128",
		image_https_proxy: "http://proxy.example.org:3129",
		image_no_proxy: "localhost,127.0.0.1,172.22.0.1,172.22.0.0/24,192.168.222.1,.lan",
	});
	const source = (each: typeof site) =>
		/^image_download_source = (.*)$/m.exec(
			contentOf(renderStack(each, inputsOf()).files, "ironic/ironic.conf"),
		)?.[1];
	t.is(source(site), "http");
	t.is(source(siteOf()), "local");
});

test("this machine looks at images by the same proxy, and by none where the site excepts it", (t) => {
	const site = siteOf({
		bootstrap: { proxy: { ...proxy, noProxy: [".lan", "example.net", "10.0.0.0/8", "192.0.2.5"] } },
	});
	for (const [url, expected] of [
		["http://images.example.org/a.raw", proxy.http],
		["https://images.example.org/a.raw", proxy.https],
		["http://a.lan/x", undefined],
		["http://example.net/x", undefined],
		["http://a.example.net/x", undefined],
		["http://anexample.net/x", proxy.http],
		["http://10.1.2.3/x", undefined],
		["http://11.1.2.3/x", proxy.http],
		["http://192.0.2.5:8080/x", undefined],
	] as const)
		t.is(proxyFor(site, url), expected, url);
	t.is(proxyFor(siteOf(), "http://images.example.org/a"), undefined);
});

test("the fence lets the stack reach the proxy", (t) => {
	const found = imageDestinations(siteOf({ bootstrap: { proxy } }));
	t.deepEqual(
		found.map(({ host, port }) => `${host}:${port}`),
		["proxy.example.org:3128", "proxy.example.org:3129"],
	);
});

test("time servers reach the ramdisk's command line, and those that are addresses DHCP clients", (t) => {
	const site = siteOf({ bootstrap: { ntpServers: ["172.22.0.9", "ntp.example.org", "172.22.0.10"] } });
	t.true(ramdiskKernelParams(site).includes(" ipa-ntp-server=172.22.0.9"));
	t.true(
		dnsmasqConf(site, inputsOf(), "full").includes(
			"\ndhcp-option=option:ntp-server,172.22.0.9,172.22.0.10\n",
		),
	);
});
