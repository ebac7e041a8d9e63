import test from "ava";
import { importInstallConfig } from "../../../../src/site/import/install-config.ts";
import { CA } from "../../../support/certificate.ts";
import { remarkLines, written } from "../../../support/imported.ts";

const indent = (text: string, by: number) => text.trim().replaceAll("\n", `\n${" ".repeat(by)}`);

const FULL = `apiVersion: v1
baseDomain: example.com
metadata: {name: ostest}
networking:
  machineNetwork: [{cidr: 192.168.111.0/24}]
platform:
  baremetal:
    provisioningNetwork: Managed
    provisioningNetworkInterface: enp1s0
    provisioningNetworkCIDR: 172.30.0.0/24
    provisioningDHCPRange: 172.30.0.20, 172.30.0.80
    provisioningNetworkGateway: 172.30.0.254
    bootstrapProvisioningIP: 172.30.0.4
    clusterProvisioningIP: 172.30.0.5
    additionalNTPServers: [192.0.2.123]
    apiVIPs: [192.168.111.5]
    bmcVerifyCA: |
      ${indent(CA.certificate, 6)}
    hosts:
    - name: master-0
      role: master
      bmc:
        address: redfish-virtualmedia://192.168.111.1:8000/redfish/v1/Systems/1
        username: admin
        password: ' hunter2: "x" '
        disableCertificateVerification: true
      bootMACAddress: 00:FF:A1:B5:3A:01
      bootMode: legacy
      hardwareProfile: default
      rootDeviceHints: {wwn: "0x5000", rotational: false}
      networkConfig: {interfaces: [{name: eno1, type: ethernet}]}
    - name: worker-0
      role: worker
      bmc: {address: ipmi://192.168.111.1:6231, username: admin, password: 12345678}
      bootMACAddress: 00:ff:a1:b5:3a:02
pullSecret: '{"auths":{"hunter3":{}}}'
sshKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me
additionalTrustBundle: |
  ${indent(CA.certificate, 2)}
`;

test("an install-config with everything becomes a site that the linter takes", (t) => {
	const imported = importInstallConfig(FULL, "install-config.yaml");
	const { files, findings, hosts, ironic, secrets } = written(imported);
	t.deepEqual(findings, []);
	t.deepEqual(
		files.map(({ name, secret }) => [name, secret]),
		[
			["ironic.yaml", false],
			["hosts.yaml", false],
			["secrets.yaml", true],
		],
	);
	t.deepEqual(ironic.slice(0, 2), [
		{
			apiVersion: "ironic.metal3.io/v1alpha1",
			kind: "Ironic",
			metadata: { name: "metal3", namespace: "metal3" },
			spec: {
				networking: {
					ipAddress: "172.30.0.4",
					dhcp: {
						networkCIDR: "172.30.0.0/24",
						rangeBegin: "172.30.0.20",
						rangeEnd: "172.30.0.80",
						gatewayAddress: "172.30.0.254",
					},
				},
				deployRamdisk: {
					sshKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me",
					extraKernelParams: "ipa-ntp-server=192.0.2.123",
				},
				tls: {
					bmcCA: { kind: "ConfigMap", name: "bmc-verify-ca" },
					trustedCA: { kind: "ConfigMap", name: "trusted-ca" },
				},
			},
		},
		{
			apiVersion: "ironstrap.io/v1alpha1",
			kind: "Bootstrap",
			metadata: { name: "metal3", namespace: "metal3" },
			spec: { target: { ironic: { networking: { ipAddress: "172.30.0.5", interface: "enp1s0" } } } },
		},
	]);
	t.is(ironic.length, 4);
	t.deepEqual(hosts[0], {
		apiVersion: "metal3.io/v1alpha1",
		kind: "BareMetalHost",
		metadata: {
			name: "master-0",
			namespace: "metal3",
			labels: { "installer.openshift.io/role": "control-plane" },
		},
		spec: {
			online: true,
			bootMACAddress: "00:ff:a1:b5:3a:01",
			bootMode: "legacy",
			rootDeviceHints: { wwn: "0x5000", rotational: false },
			bmc: {
				address: "redfish-virtualmedia://192.168.111.1:8000/redfish/v1/Systems/1",
				credentialsName: "master-0-bmc",
				disableCertificateVerification: true,
			},
		},
	});
	t.deepEqual(
		secrets.map((secret) => (secret as { stringData: object }).stringData),
		[
			{ username: "admin", password: ' hunter2: "x" ' },
			{ nmstate: "interfaces:\n  - name: eno1\n    type: ethernet\n" },
			{ username: "admin", password: "12345678" },
		],
	);
	t.notRegex(JSON.stringify(imported.remarks), /hunter|12345678/);
});

const minimal = (platform: string) =>
	`platform:\n  baremetal:\n    hosts: [{name: a, bmc: {address: "redfish-virtualmedia://192.0.2.1", username: u, password: p}, bootMACAddress: "52:54:00:ab:00:01"}]\n${platform}`;

/** Title, further lines of `platform.baremetal` from line 4 on, the `networking` that results, what is said. */
const NETWORKS: readonly (readonly [string, string, unknown, readonly string[]])[] = [
	[
		"nothing said: the installer's defaults",
		"",
		{
			ipAddress: "172.22.0.2",
			dhcp: { networkCIDR: "172.22.0.0/24", rangeBegin: "172.22.0.10", rangeEnd: "172.22.0.254" },
		},
		[
			"inferred 2:3 provisioningNetwork: Managed, the installer's default: with DHCP",
			"inferred 2:3 provisioningNetworkCIDR: 172.22.0.0/24, the installer's default",
			"inferred 2:3 bootstrapProvisioningIP: 172.22.0.2, the installer's default: this machine must have it",
			"inferred 2:3 provisioningDHCPRange: 172.22.0.10,172.22.0.254, the installer's default",
		],
	],
	[
		"unmanaged: another DHCP server is there",
		"    provisioningNetwork: Unmanaged\n    provisioningNetworkCIDR: 10.0.0.0/24",
		{ ipAddress: "10.0.0.2" },
		["inferred 2:3 bootstrapProvisioningIP: 10.0.0.2, the installer's default: this machine must have it"],
	],
	[
		"the deprecated way to say so",
		"    provisioningDHCPExternal: true\n    bootstrapProvisioningIP: 172.22.0.9",
		{ ipAddress: "172.22.0.9" },
		[
			"inferred 4:31 provisioningDHCPExternal: deprecated: the same as `provisioningNetwork: Unmanaged`",
			"inferred 2:3 provisioningNetworkCIDR: 172.22.0.0/24, the installer's default",
		],
	],
	[
		"disabled: an address must be given",
		"    provisioningNetwork: Disabled",
		{},
		[
			"missing 2:3 bootstrapProvisioningIP: give this machine's address in `networking.ipAddress` of the Ironic",
		],
	],
	[
		"IPv6",
		"    provisioningNetworkCIDR: fd00:1101::/64",
		{
			ipAddress: "fd00:1101::2",
			dhcp: {
				networkCIDR: "fd00:1101::/64",
				rangeBegin: "fd00:1101::a",
				rangeEnd: "fd00:1101::ffff:ffff:ffff:ffff",
			},
		},
		[
			"inferred 2:3 provisioningNetwork: Managed, the installer's default: with DHCP",
			"inferred 2:3 bootstrapProvisioningIP: fd00:1101::2, the installer's default: this machine must have it",
			"inferred 2:3 provisioningDHCPRange: fd00:1101::a,fd00:1101::ffff:ffff:ffff:ffff, the installer's default",
		],
	],
	[
		"wrong words",
		"    provisioningNetwork: managed\n    provisioningNetworkCIDR: 10.0.0.0\n    provisioningDHCPRange: 10.0.0.9",
		{},
		[
			"wrong 4:26 provisioningNetwork: is neither Managed, Unmanaged nor Disabled; Managed is taken",
			'wrong 5:30 provisioningNetworkCIDR: "10.0.0.0" is not a network such as 172.22.0.0/24; left out',
			"missing 2:3 bootstrapProvisioningIP: give this machine's address in `networking.ipAddress` of the Ironic",
		],
	],
];

for (const [title, platform, networking, expected] of NETWORKS)
	test(`networks: ${title}`, (t) => {
		const { ironic, remarks } = importInstallConfig(minimal(platform), "f");
		t.deepEqual(ironic?.spec.networking, networking as never);
		t.deepEqual(
			remarkLines(remarks)
				.filter((line) => line.includes(" - platform.baremetal."))
				.map((line) => line.replace("- platform.baremetal.", "")),
			[...expected],
		);
	});

test("what is wrong with hosts is told at its place; the others are imported", (t) => {
	const text = `platform:
  baremetal:
    provisioningNetworkCIDR: 192.168.111.0/24
    hosts:
    - name: a
      role: boss
      bmc: {address: "redfish://admin:hunter2@192.0.2.1", username: u}
      bootMACAddress: 52:54:00:ab:00
      rootDeviceHints: {size: 5}
    - just text
    - name: a
      bmc: {username: u, password: hunter2, token: hunter2}
      colour: blue
networking:
  machineNetwork: [{cidr: 192.168.111.128/26}]
`;
	const imported = importInstallConfig(text, "f");
	t.deepEqual(
		remarkLines(imported.remarks).filter((line) => /^(wrong|missing)/.test(line) || line.includes("colour")),
		[
			"wrong 8:23 a bootMACAddress: the value is not a MAC address such as 52:54:00:ab:00:01; left out",
			"missing 9:7 a rootDeviceHints: these are no root device hints: say otherwise which disk is meant",
			"wrong 6:13 a role: is neither master, arbiter nor worker; left out",
			"missing 7:7 a bmc.password: not given: add it to the host's Secret",
			"wrong 7:22 a bmc.address: the BMC address carries a user name or password; left out",
			"wrong 10:7 - hosts: this is not a host; left out",
			"left-out 13:15 a colour: this field is not known",
			"missing 11:7 a bootMACAddress: no boot MAC address",
			"missing 12:7 a bmc.address: no BMC address: the host would stay unmanaged",
			"wrong 3:30 - platform.baremetal.provisioningNetworkCIDR: 192.168.111.0/24 overlaps the machine network 192.168.111.128/26",
		],
	);
	t.notRegex(JSON.stringify(imported.remarks), /hunter2/);
	t.deepEqual(
		written(imported).hosts.map((host) => (host as { metadata: { name: string } }).metadata.name),
		["a", "a-2"],
	);
});

test("another platform, another file, no YAML", (t) => {
	const lines = (text: string) => remarkLines(importInstallConfig(text, "f").remarks);
	t.deepEqual(lines("platform: {aws: {}}"), [
		"wrong 1:1 - platform: there is no `platform.baremetal`: only the bare-metal platform is read",
	]);
	t.deepEqual(lines("kind: AgentConfig"), [
		"wrong 1:1 - platform: an AgentConfig is no install-config: import the install-config.yaml beside it",
	]);
	t.deepEqual(lines("a: [1"), [
		"wrong 1:6 - text: the indentation does not fit the lines above, or a bracket is not closed; give all keys of one mapping the same indentation, with spaces",
	]);
	t.deepEqual(lines(""), ["wrong 1:1 - text: the file is empty"]);
});
