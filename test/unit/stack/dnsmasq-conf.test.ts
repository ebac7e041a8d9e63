import test from "ava";
import type { ServedMode } from "../../../src/resources/dhcp-mode.ts";
import type { Dhcp } from "../../../src/resources/ironic.ts";
import { dnsmasqConf, dnsmasqHosts } from "../../../src/stack/dnsmasq-conf.ts";
import type { StackInputs } from "../../../src/stack/inputs.ts";
import { hostManifest, inputsOf, provisioningNetwork, type SiteParts, siteOf } from "./fixture.ts";

const main = provisioningNetwork.dhcp;

function lines(
	dhcp: Dhcp = main,
	changes: Partial<StackInputs> = {},
	bootstrap: SiteParts["bootstrap"] = {},
	mode: ServedMode = "full",
): readonly string[] {
	const site = siteOf({ ironic: { networking: { ipAddress: "172.22.0.1", dhcp } }, bootstrap });
	return dnsmasqConf(site, inputsOf(changes), mode).split("\n");
}

const dedicated = { fence: { mode: "dedicated" } } as const;

function matching(dhcp: Dhcp, option: string): readonly string[] {
	return lines(dhcp).filter((line) => line.startsWith(`${option}=`));
}

test("only known servers are answered, on the provisioning interface, with an explicit netmask", (t) => {
	const conf = lines();
	for (const line of [
		"port=0",
		"interface=br-prov",
		"bind-dynamic",
		"dhcp-ignore=tag:!known",
		"dhcp-hostsdir=/etc/ironstrap/dnsmasq/hosts",
		"dhcp-range=172.22.0.100,172.22.0.150,255.255.255.0,1h",
		"no-ping",
		"pid-file",
		"dhcp-authoritative",
		"tftp-single-port",
		"dhcp-leasefile=/var/lib/misc/dnsmasq.leases",
	])
		t.true(conf.includes(line), line);
});

test("a site that opens DHCP has everybody answered", (t) => {
	t.false(lines(main, {}, { fence: { dhcp: "open" } }).includes("dhcp-ignore=tag:!known"));
});

test("each kind of firmware gets its boot file, iPXE gets Ironic's script", (t) => {
	t.deepEqual(matching(main, "dhcp-boot"), [
		"dhcp-boot=tag:ipxe,http://172.22.0.1:6180/boot.ipxe",
		"dhcp-boot=tag:!ipxe,tag:bios,undionly.kpxe,172.22.0.1,172.22.0.1",
		"dhcp-boot=tag:!ipxe,tag:efi64,snponly-x86_64.efi,172.22.0.1,172.22.0.1",
		"dhcp-boot=tag:!ipxe,tag:arm64,snponly-arm64.efi,172.22.0.1,172.22.0.1",
		"dhcp-boot=tag:!ipxe,tag:efihttp,http://172.22.0.1:6180/snponly-x86_64.efi",
		"dhcp-boot=tag:!ipxe,tag:arm64http,http://172.22.0.1:6180/snponly-arm64.efi",
	]);
	// https://www.iana.org/assignments/dhcpv6-parameters, processor architecture types
	t.deepEqual(matching(main, "dhcp-match"), [
		"dhcp-match=set:bios,option:client-arch,0",
		"dhcp-match=set:efi64,option:client-arch,7",
		"dhcp-match=set:efi64,option:client-arch,9",
		"dhcp-match=set:arm64,option:client-arch,11",
		"dhcp-match=set:efihttp,option:client-arch,16",
		"dhcp-match=set:arm64http,option:client-arch,19",
		"dhcp-match=set:ipxe,175",
	]);
});

test("no router and no name server is announced unless the site names one", (t) => {
	t.deepEqual(matching(main, "dhcp-option"), ["dhcp-option=option:router", "dhcp-option=option:dns-server"]);
	t.deepEqual(
		matching({ ...main, gatewayAddress: "172.22.0.254", dnsAddress: "192.0.2.53" }, "dhcp-option"),
		["dhcp-option=option:router,172.22.0.254", "dhcp-option=option:dns-server,192.0.2.53"],
	);
});

test("serveDNS really serves DNS (the operator's own dnsmasq does not listen)", (t) => {
	const dhcp = { ...main, serveDNS: true };
	t.true(lines(dhcp).includes("port=53"));
	t.true(lines(dhcp).includes("dhcp-option=option:dns-server,172.22.0.1"));
});

test("extra ranges have their own mask and router", (t) => {
	const extraRanges = [
		{
			networkCIDR: "10.1.0.0/16",
			rangeBegin: "10.1.0.10",
			rangeEnd: "10.1.9.10",
			gatewayAddress: "10.1.0.1",
		},
		{ networkCIDR: "10.2.0.0/20", rangeBegin: "10.2.0.10", rangeEnd: "10.2.0.90" },
	];
	t.deepEqual(matching({ extraRanges }, "dhcp-range"), [
		"dhcp-range=set:range_1,10.1.0.10,10.1.9.10,255.255.0.0,1h",
		"dhcp-range=set:range_2,10.2.0.10,10.2.0.90,255.255.240.0,1h",
	]);
	t.deepEqual(matching({ ...main, gatewayAddress: "172.22.0.254", extraRanges }, "dhcp-option").slice(0, 3), [
		"dhcp-option=option:router,172.22.0.254",
		"dhcp-option=tag:range_1,option:router,10.1.0.1",
		"dhcp-option=tag:range_2,option:router",
	]);
});

test("on a dedicated network the IPv6 prefix is announced without a router, which ends iPXE's wait", (t) => {
	const provisioning = { ...inputsOf().provisioning, ipv6Cidr: "fd00:1abc::1/64" };
	const conf = lines(main, { provisioning }, dedicated);
	for (const line of ["ra-param=br-prov,0,0", "enable-ra", "dhcp-range=fd00:1abc::,ra-stateless,64,1h"])
		t.true(conf.includes(line), line);
	t.false(lines(main, {}, dedicated).includes("enable-ra"));
});

test("on a shared network nothing is announced, unless the site asks for it", (t) => {
	const provisioning = { ...inputsOf().provisioning, ipv6Cidr: "fd00:1abc::1/64" };
	for (const dhcp of [main, ipv6])
		t.deepEqual(
			lines(dhcp, { provisioning }).filter((line) => /ra-|enable-ra/.test(line)),
			[],
		);
	const always = { dhcp: { routerAdvertisements: "always" } } as const;
	t.true(lines(main, { provisioning }, always).includes("enable-ra"));
	const never = { ...dedicated, dhcp: { routerAdvertisements: "never" } } as const;
	t.false(lines(main, { provisioning }, never).includes("enable-ra"));
});

const ipv6: Dhcp = {
	networkCIDR: "fd00:1abc::/64",
	rangeBegin: "fd00:1abc::100",
	rangeEnd: "fd00:1abc::150",
	dnsAddress: "fd00:1abc::53",
};

test("an IPv6 site: prefix length, name server and boot files by URL; UEFI HTTP boot gets its vendor class", (t) => {
	const provisioning = { ...inputsOf().provisioning, address: "fd00:1abc::1", cidr: "fd00:1abc::1/64" };
	const conf = lines(ipv6, { provisioning });
	t.deepEqual(
		conf.filter((line) => /^dhcp-(range|option|option-force|boot)=/.test(line)),
		[
			"dhcp-range=fd00:1abc::100,fd00:1abc::150,64,1h",
			"dhcp-option=option6:dns-server,[fd00:1abc::53]",
			"dhcp-option=tag:!ipxe6,tag:efi64,option6:bootfile-url,tftp://[fd00:1abc::1]/snponly-x86_64.efi",
			"dhcp-option=tag:!ipxe6,tag:arm64,option6:bootfile-url,tftp://[fd00:1abc::1]/snponly-arm64.efi",
			"dhcp-option-force=tag:!ipxe6,tag:efihttp,option6:16,00:00:01:57:00:0a:48:54:54:50:43:6c:69:65:6e:74",
			"dhcp-option=tag:!ipxe6,tag:efihttp,option6:bootfile-url,http://[fd00:1abc::1]:6180/snponly-x86_64.efi",
			"dhcp-option-force=tag:!ipxe6,tag:arm64http,option6:16,00:00:01:57:00:0a:48:54:54:50:43:6c:69:65:6e:74",
			"dhcp-option=tag:!ipxe6,tag:arm64http,option6:bootfile-url,http://[fd00:1abc::1]:6180/snponly-arm64.efi",
			"dhcp-option=tag:ipxe6,option6:bootfile-url,http://[fd00:1abc::1]:6180/boot.ipxe",
		],
	);
});

test("reservations only: the network is served, but no range is drawn from", (t) => {
	const conf = lines({ ...main, hosts: ["52:54:00:ab:00:01,172.22.0.20"] }, {}, {}, "reservations");
	t.true(conf.includes("dhcp-range=172.22.0.100,static,255.255.255.0,1h"));
	t.true(conf.includes("dhcp-host=52:54:00:ab:00:01,172.22.0.20"));
});

test("beside another DHCP server: no address, no router, no name server, only what to boot", (t) => {
	const conf = lines(
		main,
		{ provisioning: { ...inputsOf().provisioning, ipv6Cidr: "fd00:1abc::1/64" } },
		dedicated,
		"proxy",
	);
	t.deepEqual(
		conf.filter((line) => /^(dhcp-(range|option|boot|auth)|pxe-service|enable-ra)/.test(line)),
		[
			"dhcp-range=172.22.0.1,proxy,255.255.255.0",
			"dhcp-boot=tag:ipxe,http://172.22.0.1:6180/boot.ipxe",
			"dhcp-boot=tag:!ipxe,tag:bios,undionly.kpxe,172.22.0.1,172.22.0.1",
			"pxe-service=tag:!ipxe,7,ironstrap,snponly-x86_64.efi",
			"pxe-service=tag:!ipxe,9,ironstrap,snponly-x86_64.efi",
			"pxe-service=tag:!ipxe,11,ironstrap,snponly-arm64.efi",
		],
	);
	t.true(conf.includes("dhcp-ignore=tag:!known"));
	const address = { address: "fd00:1abc::1", interface: "br-prov", cidr: "fd00:1abc::1/64" };
	t.throws(() => lines(main, { provisioning: address }, {}, "proxy"), { code: "dhcp-proxy-ipv6" });
});

test("raw values of the site are passed on, one line each", (t) => {
	const dhcp = { ...main, hosts: ["52:54:00:ab:00:09,172.22.0.9,set:nine"], ignore: ["tag:unwanted"] };
	t.true(lines(dhcp).includes("dhcp-host=52:54:00:ab:00:09,172.22.0.9,set:nine"));
	t.true(lines(dhcp).includes("dhcp-ignore=tag:unwanted"));
});

for (const bad of ["a\nport=53", "a\r", "", "  ", 'a"b', "a #b", "a\\b", "a\0b"])
	test(`${JSON.stringify(bad)} is refused as a dhcp-host or dhcp-ignore value`, (t) => {
		t.throws(() => lines({ ...main, hosts: [bad] }), { code: "dhcp-value-invalid" });
		t.throws(() => lines({ ...main, ignore: [bad] }), { code: "dhcp-value-invalid" });
	});

test("an interface name that would end the line is refused", (t) => {
	const provisioning = { ...inputsOf().provisioning, interface: "eth0\nport=53" };
	t.throws(() => lines(main, { provisioning }), { code: "interface-name-invalid" });
});

test("known are all MAC addresses of the hosts, those found by inspection too; reservations keep their address", (t) => {
	const site = siteOf({
		hosts: [
			hostManifest("cp-0", "52:54:00:AB:00:01"),
			hostManifest("cp-1", "52:54:00:ab:00:02", { networkInterfaces: [{ macAddress: "52:54:00:ab:00:22" }] }),
		],
		hardwareData: [
			{
				apiVersion: "metal3.io/v1alpha1",
				kind: "HardwareData",
				metadata: { name: "cp-0", namespace: "metal3" },
				spec: {
					hardware: {
						nics: [{ mac: "52:54:00:ab:00:11" }, { mac: "80:00:02:08:fe:80:00:00:00:00:00:00:e4:1d" }],
					},
				},
			},
		],
	});
	const reservations = [{ mac: "52:54:00:ab:00:02", address: "172.22.0.120" }];
	t.deepEqual(
		dnsmasqHosts(site, inputsOf({ reservations })).map(({ content, path }) => [path, content]),
		[
			["dnsmasq/hosts/52-54-00-ab-00-01", "52:54:00:ab:00:01\n"],
			["dnsmasq/hosts/52-54-00-ab-00-02", "52:54:00:ab:00:02,172.22.0.120,infinite\n"],
			["dnsmasq/hosts/52-54-00-ab-00-11", "52:54:00:ab:00:11\n"],
			["dnsmasq/hosts/52-54-00-ab-00-22", "52:54:00:ab:00:22\n"],
		],
	);
});
