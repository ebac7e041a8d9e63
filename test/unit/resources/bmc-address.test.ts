import test from "ava";
import fc from "fast-check";
import {
	bmcIdentity,
	driverInfo,
	formatBmcAddress,
	parseBmcAddress,
} from "../../../src/resources/bmc-address.ts";
import { bmcAddressFromNode } from "../../../src/resources/bmc-from-node.ts";
import { BMC_SCHEMES } from "../../../src/resources/bmc-types.ts";

const CREDENTIALS = { username: "admin", password: "secret" };

// scheme → driver, boot interface, transport, network boot
for (const [scheme, driver, boot, transport, network] of [
	["redfish", "redfish", "ipxe", "https", true],
	["redfish+http", "redfish", "ipxe", "http", true],
	["redfish+https", "redfish", "ipxe", "https", true],
	["redfish-virtualmedia", "redfish", "redfish-virtual-media", "https", false],
	["redfish-virtualmedia+http", "redfish", "redfish-virtual-media", "http", false],
	["redfish-virtualmedia+https", "redfish", "redfish-virtual-media", "https", false],
	["redfish-uefihttp", "redfish", "redfish-https", "https", false],
	["redfish-uefihttp+http", "redfish", "redfish-https", "http", false],
	["redfish-uefihttp+https", "redfish", "redfish-https", "https", false],
	["ilo5-redfish", "redfish", "ipxe", "https", true],
	["ilo5-redfish+http", "redfish", "ipxe", "http", true],
	["ilo5-virtualmedia+https", "redfish", "redfish-virtual-media", "https", false],
	["idrac-redfish", "idrac", "ipxe", "https", true],
	["idrac-redfish+http", "idrac", "ipxe", "http", true],
	["idrac-virtualmedia", "idrac", "idrac-redfish-virtual-media", "https", false],
	["idrac-virtualmedia+http", "idrac", "idrac-redfish-virtual-media", "http", false],
	["ipmi", "ipmi", "ipxe", "ipmi", true],
	["libvirt", "ipmi", "ipxe", "ipmi", true],
] as const)
	test(`scheme ${scheme}`, (t) => {
		const address = parseBmcAddress(`${scheme}://192.0.2.10`);
		t.is(address.driver, driver);
		t.is(address.bootInterface, boot);
		t.is(address.transport, transport);
		t.is(address.networkBoot, network);
		t.is(address.needsMac, scheme === "libvirt");
		t.is(address.supportsSecureBoot, driver !== "ipmi");
	});

// text → scheme, host, port, path: the cases of BMO's own access_test.go
for (const [text, scheme, host, port, systemId] of [
	["libvirt://192.168.122.1:6233/?abc=def", "libvirt", "192.168.122.1", 6233, undefined],
	["192.168.122.1", "ipmi", "192.168.122.1", undefined, undefined],
	["my.favoritebmc.com", "ipmi", "my.favoritebmc.com", undefined, undefined],
	["192.168.122.1:6233", "ipmi", "192.168.122.1", 6233, undefined],
	["bmc-7:623", "ipmi", "bmc-7", 623, undefined],
	["[fe80::fc33:62ff:fe83:8a76]:6233", "ipmi", "fe80::fc33:62ff:fe83:8a76", 6233, undefined],
	["ipmi://192.168.122.1:6233", "ipmi", "192.168.122.1", 6233, undefined],
	["ipmi:192.168.122.1", "ipmi", "192.168.122.1", undefined, undefined],
	["ipmi:192.168.122.1:6233", "ipmi", "192.168.122.1", 6233, undefined],
	["redfish:192.168.122.1", "redfish", "192.168.122.1", undefined, undefined],
	["redfish://192.168.122.1:6233/foo", "redfish", "192.168.122.1", 6233, "/foo"],
	["redfish://[fe80::fc33:62ff:fe83:8a76]:6233/foo", "redfish", "fe80::fc33:62ff:fe83:8a76", 6233, "/foo"],
	[
		"Redfish+HTTP://BMC.example.com/redfish/v1/Systems/1",
		"redfish+http",
		"BMC.example.com",
		undefined,
		"/redfish/v1/Systems/1",
	],
	["redfish+https://192.168.122.1/redfish/v1/", "redfish+https", "192.168.122.1", undefined, undefined],
	["redfish-virtualmedia://192.168.122.1/", "redfish-virtualmedia", "192.168.122.1", undefined, undefined],
] as const)
	test(`address ${text}`, (t) => {
		const address = parseBmcAddress(text);
		t.is(address.scheme, scheme);
		t.is(address.host, host);
		t.is(address.port, port);
		t.is(address.systemId, systemId);
		t.is(
			address.schemeAssumed,
			!/^[a-z+-]+:(\/\/|[^0-9])/i.test(text) && !text.startsWith("ipmi:") && !text.startsWith("redfish:"),
		);
	});

for (const [text, reason] of [
	["", "syntax"],
	[" redfish://h", "syntax"],
	["redfish://", "host"],
	["redfish:///redfish/v1/Systems/1", "host"],
	["redfish://my-.examplehost.com", "host"],
	["redfish://fe80::1", "host"],
	["redfish://[fe80::fc33:62ff:fe33:8xff]:6223", "host"],
	["redfish://[192.0.2.1]/", "host"],
	["ipmi://192.0.2.300", "host"],
	["ipmi://h:0", "port"],
	["ipmi://h:65536", "port"],
	["ipmi://h:abc", "host"],
	["redfish://admin:hunter2@h/", "userinfo"],
	["admin@192.0.2.1", "userinfo"],
	["http://192.0.2.1/redfish/v1/Systems/1", "scheme"],
	["redfsh://192.0.2.1", "scheme"],
	["ipmi+http://192.0.2.1", "scheme"],
	["redfish+ftp://192.0.2.1", "scheme"],
	["redfish+http+https://192.0.2.1", "scheme"],
	["idrac://192.0.2.1", "scheme"],
	["ilo4://192.0.2.1", "scheme"],
	["constructor://192.0.2.1", "scheme"],
] as const)
	test(`${JSON.stringify(text)} is refused for its ${reason}, without being quoted`, (t) => {
		const error = t.throws(() => parseBmcAddress(text), { name: "BmcAddressError" });
		t.is((error as { reason?: string }).reason, reason);
		t.notRegex(error.message, /hunter2/);
	});

// The expectations are those of BMO's own TestDriverInfo.
for (const [text, expected] of [
	[
		"ipmi://192.168.122.1",
		{ ipmi_address: "192.168.122.1", ipmi_port: "623", ipmi_priv_level: "ADMINISTRATOR" },
	],
	[
		"ipmi://192.168.122.1:6233?privilegelevel=OPERATOR",
		{ ipmi_address: "192.168.122.1", ipmi_port: "6233", ipmi_priv_level: "OPERATOR" },
	],
	[
		"libvirt://[fe80::1]:6233/",
		{ ipmi_address: "fe80::1", ipmi_port: "6233", ipmi_priv_level: "ADMINISTRATOR" },
	],
] as const)
	test(`driver_info of ${text}`, (t) => {
		const login = { ipmi_username: "admin", ipmi_password: "secret" };
		t.deepEqual(driverInfo(parseBmcAddress(text), CREDENTIALS), { ...expected, ...login });
		t.deepEqual(driverInfo(parseBmcAddress(text), CREDENTIALS, { disableCertificateVerification: true }), {
			...expected,
			...login,
			ipmi_verify_ca: false,
		});
	});

for (const [text, expected] of [
	[
		"redfish://192.168.122.1/redfish/v1/foo/bar",
		{ redfish_address: "https://192.168.122.1", redfish_system_id: "/redfish/v1/foo/bar" },
	],
	[
		"redfish+http://192.168.122.1/foo/bar",
		{ redfish_address: "http://192.168.122.1", redfish_system_id: "/foo/bar" },
	],
	[
		"redfish://192.168.122.1:8080/foo/bar",
		{ redfish_address: "https://192.168.122.1:8080", redfish_system_id: "/foo/bar" },
	],
	[
		"redfish://[fe80::fc33:62ff:fe83:8a76]:8080/foo",
		{ redfish_address: "https://[fe80::fc33:62ff:fe83:8a76]:8080", redfish_system_id: "/foo" },
	],
	["redfish+https://192.168.122.1/", { redfish_address: "https://192.168.122.1" }],
	["redfish-virtualmedia://192.168.122.1/redfish/v1/", { redfish_address: "https://192.168.122.1" }],
	[
		"idrac-virtualmedia+http://192.168.122.1/redfish/v1/Systems/System.Embedded.1",
		{ redfish_address: "http://192.168.122.1", redfish_system_id: "/redfish/v1/Systems/System.Embedded.1" },
	],
] as const)
	test(`driver_info of ${text}`, (t) => {
		const login = { redfish_username: "admin", redfish_password: "secret" };
		t.deepEqual(driverInfo(parseBmcAddress(text), CREDENTIALS), { ...expected, ...login });
		t.deepEqual(driverInfo(parseBmcAddress(text), CREDENTIALS, { disableCertificateVerification: true }), {
			...expected,
			...login,
			redfish_verify_ca: false,
		});
	});

for (const [driver, boot, info, address] of [
	[
		"redfish",
		"ipxe",
		{ redfish_address: "https://h:443", redfish_system_id: "/redfish/v1/Systems/1" },
		"redfish://h:443/redfish/v1/Systems/1",
	],
	["redfish", "pxe", { redfish_address: "http://h/" }, "redfish+http://h"],
	[
		"redfish",
		"redfish-virtual-media",
		{ redfish_address: "http://192.168.222.1:8000", redfish_system_id: "/redfish/v1/Systems/a" },
		"redfish-virtualmedia+http://192.168.222.1:8000/redfish/v1/Systems/a",
	],
	["redfish", "redfish-https", { redfish_address: "h" }, "redfish-uefihttp://h"],
	["idrac", "ipxe", { redfish_address: "https://[fd00::1]" }, "idrac-redfish://[fd00::1]"],
	["idrac", "idrac-redfish-virtual-media", { redfish_address: "https://h" }, "idrac-virtualmedia://h"],
	[
		"idrac",
		"idrac-redfish-virtual-media",
		{
			redfish_address: "http://[fd00:0::2]:8000",
			redfish_system_id: "/redfish/v1/Systems/System.Embedded.1",
		},
		"idrac-virtualmedia+http://[fd00:0::2]:8000/redfish/v1/Systems/System.Embedded.1",
	],
	[
		"ipmi",
		"ipxe",
		{ ipmi_address: "h", ipmi_port: 623, ipmi_priv_level: "OPERATOR" },
		"ipmi://h?privilegelevel=OPERATOR",
	],
	["ipmi", null, { ipmi_address: "fd00::1", ipmi_port: "6230" }, "ipmi://[fd00::1]:6230"],
] as const)
	test(`a node of driver ${driver}, ${boot} at ${address}`, (t) => {
		t.is(bmcAddressFromNode({ driver, boot_interface: boot, driver_info: info }).address, address);
	});

for (const node of [
	{ driver: "fake-hardware", boot_interface: "fake", driver_info: {} },
	{ driver: "ilo5", boot_interface: "ilo-virtual-media", driver_info: { ilo_address: "h" } },
	{
		driver: "redfish",
		boot_interface: "idrac-redfish-virtual-media",
		driver_info: { redfish_address: "https://h" },
	},
	{ driver: "redfish", boot_interface: "ipxe", driver_info: {} },
	{ driver: "redfish", boot_interface: "ipxe", driver_info: { redfish_address: "https://h/redfish" } },
	{ driver: "ipmi", boot_interface: "ipxe", driver_info: {} },
])
	test(`a node without a BMC address: ${JSON.stringify(node)}`, (t) => {
		t.throws(() => bmcAddressFromNode(node), { instanceOf: RangeError });
	});

for (const driver of ["ilo", "ilo5", "irmc", "ibmc"])
	test(`the retired driver ${driver}: what takes its place is told`, (t) => {
		const node = { driver, boot_interface: "ipxe", driver_info: { [`${driver}_address`]: "h" } };
		t.throws(() => bmcAddressFromNode(node), {
			message: /has no BMC address scheme; .* take the server's Redfish$/,
		});
	});

for (const driver of ["fake-hardware", "manual-management", "snmp"])
	test(`driver ${driver} is refused`, (t) => {
		t.throws(() => bmcAddressFromNode({ driver, boot_interface: null, driver_info: {} }), {
			message: /has no BMC address scheme$/,
		});
	});

test("keys that a BareMetalHost has no place for are named", (t) => {
	const node = {
		driver: "redfish",
		boot_interface: "ipxe",
		driver_info: {
			redfish_address: "https://h",
			redfish_password: "******",
			redfish_verify_ca: "/etc/ca.pem",
			redfish_auth_type: "session",
			kernel_append_params: "a=b",
			bootloader: null,
			force_persistent_boot_device: "Default",
			deploy_kernel: "http://h/k",
		},
	};
	const result = bmcAddressFromNode(node);
	t.deepEqual(result.lossy, ["kernel_append_params", "redfish_auth_type"]);
	t.is(result.caPath, "/etc/ca.pem");
	t.false(result.disableCertificateVerification);
	t.true(
		bmcAddressFromNode({ ...node, driver_info: { redfish_address: "h", redfish_verify_ca: "False" } })
			.disableCertificateVerification,
	);
});

test("address → driver_info → address means the same node, for every scheme", (t) => {
	const host = fc.oneof(
		fc.ipV4(),
		fc.ipV6().map((ip) => `[${ip}]`),
		fc.domain(),
	);
	const port = fc.option(fc.integer({ min: 1, max: 65535 }), { nil: undefined });
	fc.assert(
		fc.property(
			fc.constantFrom(...BMC_SCHEMES),
			host,
			port,
			fc.stringMatching(/^[A-Za-z0-9.-]{1,12}$/),
			fc.boolean(),
			(scheme, name, number, system, unverified) => {
				const path = scheme === "ipmi" || scheme === "libvirt" ? "" : `/redfish/v1/Systems/${system}`;
				const address = parseBmcAddress(
					`${scheme}://${name}${number === undefined ? "" : `:${number}`}${path}`,
				);
				const info = driverInfo(address, CREDENTIALS, { disableCertificateVerification: unverified });
				const back = bmcAddressFromNode({
					driver: address.driver,
					boot_interface: address.bootInterface,
					driver_info: info,
				});
				const again = parseBmcAddress(back.address);
				t.is(bmcIdentity(again), bmcIdentity(address));
				t.is(again.bootInterface, address.bootInterface);
				t.is(back.disableCertificateVerification, unverified);
				t.deepEqual(back.lossy, []);
				t.deepEqual(driverInfo(again, CREDENTIALS, { disableCertificateVerification: unverified }), info);
				t.deepEqual(parseBmcAddress(formatBmcAddress(address)), { ...address, schemeAssumed: false });
			},
		),
		{ numRuns: 300 },
	);
});

test("two spellings of one system have one identity", (t) => {
	const identity = (text: string) => bmcIdentity(parseBmcAddress(text));
	t.is(
		identity("redfish://H/redfish/v1/Systems/1"),
		identity("redfish-virtualmedia+https://h:443/redfish/v1/Systems/1/"),
	);
	t.is(identity("ipmi://192.0.2.1"), identity("192.0.2.1:623"));
	t.not(identity("redfish://h/redfish/v1/Systems/1"), identity("redfish://h/redfish/v1/Systems/2"));
	t.is(identity("redfish://[fd00::1]/"), identity("redfish://[fd00:0:0::1]/"));
});
