import test from "ava";
import { columnOf } from "../../../../src/site/import/columns.ts";
import { importBytes } from "../../../../src/site/import/formats.ts";
import { decimal } from "../../../../src/site/import/row.ts";
import { importTable } from "../../../../src/site/import/table.ts";
import { remarkLines, written } from "../../../support/imported.ts";

test("header names are understood, in English and German, however they are written", (t) => {
	const names: Readonly<Record<string, string | undefined>> = {
		Hostname: "name",
		"MAC Address": "mac",
		"MAC-Adresse (PXE)": "mac",
		boot_mac: "mac",
		bmcIP: "address",
		"iDRAC IP": "address",
		"BMC-Adresse": "address",
		Kennwort: "password",
		"BMC Passwort": "password",
		Benutzername: "username",
		Prüfsumme: "checksum",
		"Mindestgröße (GB)": "minDisk",
		"Mindestgröße GB": "minDisk",
		"": undefined,
		constructor: undefined,
		Asset: undefined,
	};
	for (const [name, column] of Object.entries(names)) t.is(columnOf(name), column as never, name);
});

test("a plain CSV: hosts, Secrets and what was concluded", (t) => {
	const text = [
		"hostname,mac,bmc_ip,bmc_user,bmc_password,vendor,boot_mode,role,asset",
		'cp-0,52-54-00-AB-00-01,192.0.2.10,root,"pa,ss""word",Dell Inc.,UEFI,control plane,17',
		"CP_1,5254.00ab.0002,https://192.0.2.11:8443/redfish/v1/Systems/1,admin,$ecret: #1,Supermicro,legacy,,",
	].join("\n");
	const result = written(importTable(text, "hosts.csv"));
	t.deepEqual(result.hosts, [
		{
			apiVersion: "metal3.io/v1alpha1",
			kind: "BareMetalHost",
			metadata: { name: "cp-0", namespace: "metal3", labels: { role: "control-plane" } },
			spec: {
				online: true,
				bootMACAddress: "52:54:00:ab:00:01",
				bootMode: "UEFI",
				bmc: {
					address: "idrac-virtualmedia://192.0.2.10/redfish/v1/Systems/System.Embedded.1",
					credentialsName: "cp-0-bmc",
				},
			},
		},
		{
			apiVersion: "metal3.io/v1alpha1",
			kind: "BareMetalHost",
			metadata: { name: "cp-1", namespace: "metal3" },
			spec: {
				online: true,
				bootMACAddress: "52:54:00:ab:00:02",
				bootMode: "legacy",
				bmc: {
					address: "redfish-virtualmedia://192.0.2.11:8443/redfish/v1/Systems/1",
					credentialsName: "cp-1-bmc",
				},
			},
		},
	]);
	t.deepEqual(result.secrets, [
		{
			apiVersion: "v1",
			kind: "Secret",
			metadata: { name: "cp-0-bmc", namespace: "metal3" },
			stringData: { username: "root", password: 'pa,ss"word' },
		},
		{
			apiVersion: "v1",
			kind: "Secret",
			metadata: { name: "cp-1-bmc", namespace: "metal3" },
			stringData: { username: "admin", password: "$ecret: #1" },
		},
	]);
	const virtual = "virtual media is taken, which needs no DHCP; write redfish:// to boot over the network";
	t.deepEqual(
		remarkLines(result.remarks).filter((line) => !/^taken .* - /.test(line)),
		[
			"left-out 1:65 - asset: this column's name is not known",
			`inferred 2:24 cp-0 address: a Dell's iDRAC: ${virtual}`,
			"inferred 2:1 cp-0 online: `online: true`: the host is to be switched on",
			`inferred 3:21 CP_1 address: Redfish is assumed, with the BMC's only system: ${virtual}`,
			"inferred 3:1 CP_1 online: `online: true`: the host is to be switched on",
			"inferred 3:1 CP_1 name: renamed to cp-1: a name that Kubernetes takes",
			"taken 2:1 cp-0 host: as BareMetalHost cp-0: bmc.address, username, password, online, bootMACAddress, bootMode, labels",
			"taken 3:1 CP_1 host: as BareMetalHost cp-1: bmc.address, username, password, online, bootMACAddress, bootMode",
		],
	);
	t.deepEqual(result.findings, ["error ironic-missing"]);
});

test("German Excel: semicolons, decimal commas, Windows-1252, formulas that keep texts", (t) => {
	const text =
		'Rechnername;MAC-Adresse;BMC-Adresse;Benutzer;Kennwort;Platte GB;Bemerkung\r\nMünchen-01;="525400AB0001";192.0.2.10;admin;Käse€;447,1;"Büro; links"\r\n;;;;;;\r\n';
	const bytes = Buffer.from(text.replaceAll("€", "\u0080"), "latin1");
	const imported = importBytes("csv", bytes, "server.csv");
	const { hosts, secrets, remarks } = written(imported);
	t.like(hosts[0], {
		metadata: { name: "munchen-01" },
		spec: {
			bootMACAddress: "52:54:00:ab:00:01",
			description: "Büro; links",
			rootDeviceHints: { minSizeGigabytes: 447 },
		},
	});
	t.like(secrets[0], { stringData: { username: "admin", password: "Käse€" } });
	t.is(hosts.length, 1);
	t.true(
		remarkLines(remarks).includes(
			"inferred 1:1 - encoding: read as Windows-1252; if umlauts or accents are wrong, save the file as UTF-8",
		),
	);
	t.true(remarkLines(remarks).includes("inferred 2:51 München-01 minDisk: rounded down to 447 gigabytes"));
});

test("numbers with decimal commas or points, and signs of thousands", (t) => {
	const numbers: Readonly<Record<string, number>> = {
		"447,1": 447.1,
		"447.1": 447.1,
		"1.920,5": 1920.5,
		"1,920.5": 1920.5,
		"1.920": 1920,
		"0,512": 0.512,
		"1 920": 1920,
		"480 GB": 480,
	};
	for (const [text, number] of Object.entries(numbers)) t.is(decimal(text), number, text);
	for (const text of ["", "big", "-5", "1.2.3x"])
		t.throws(() => decimal(text), { instanceOf: RangeError }, text);
});

test("two columns about the same: the first counts, the second is told", (t) => {
	const { hosts, remarks } = importTable(
		"name,mac,MAC Address,bmc\na,52:54:00:ab:00:01,52:54:00:ab:00:02,ipmi://192.0.2.1",
		"f",
	);
	t.is(hosts[0]?.spec.bootMACAddress, "52:54:00:ab:00:01");
	t.true(
		remarkLines(remarks).includes(
			"left-out 1:10 - MAC Address: about the same as the column mac, which is taken",
		),
	);
});

test("a line with a value too many is left out: whose password is whose cannot be told", (t) => {
	const text =
		"name,mac,bmc,user,password\na,52:54:00:ab:00:01,ipmi://192.0.2.1,admin,hunter2,extra\nb,52:54:00:ab:00:02,ipmi://192.0.2.2,admin,p";
	const { hosts, remarks } = importTable(text, "f");
	t.deepEqual(
		hosts.map(({ name }) => name),
		["b"],
	);
	t.true(
		remarkLines(remarks).includes(
			"wrong 2:52 - line: more values than the first line has (5): put values that contain the delimiter in quotes; the line is left out",
		),
	);
	t.false(JSON.stringify(remarks).includes("hunter2"));
});

test("values that are wrong are told without being shown, and the rest of the line counts", (t) => {
	const text =
		"name,mac,bmc,user,password,boot mode,disk,ip,netmask\n" +
		"a,hunter2,redfish://root:hunter2@192.0.2.1,admin,x,hunter2,hunter2,hunter2,hunter2\n" +
		"b,01:00:5e:00:00:01,ftp://192.0.2.1,admin,x,,/dev/disk/by-id/x,,\n" +
		"c,52:54:00:ab:00:01,ipmi://192.0.2.3,,,,/dev/sda,192.0.2.9,255.0.255.0";
	const { hosts, remarks } = importTable(text, "f");
	t.deepEqual(
		remarkLines(remarks).filter((line) => line.startsWith("wrong") || line.startsWith("missing")),
		[
			"wrong 2:3 a mac: the value is not a MAC address such as 52:54:00:ab:00:01; left out",
			"wrong 2:11 a address: the BMC address carries a user name or password; left out",
			"wrong 2:52 a bootMode: is neither UEFI, UEFISecureBoot nor legacy; left out",
			"wrong 2:60 a disk: a root disk must be a path in /dev/ or /dev/disk/by-path/, or is a serial number or WWN; left out",
			"wrong 3:3 b mac: 01:00:5e:00:00:01 is a group address or zero, which no network card has; left out",
			"wrong 3:21 b address: the BMC address has a scheme that is not known; left out",
			"wrong 3:46 b disk: a root disk must be a path in /dev/ or /dev/disk/by-path/, or is a serial number or WWN; left out",
			"missing 4:1 c username: no BMC user name",
			"missing 4:1 c password: no BMC password",
			"wrong 4:50 c ip: the value is not a netmask; left out",
		],
	);
	t.false(JSON.stringify(remarks).includes("hunter2"));
	t.is(hosts.length, 3);
	t.is(hosts[2]?.spec.rootDeviceHints?.deviceName, "/dev/sda");
});

test("credentials are kept though the address is wrong or missing", (t) => {
	const { hosts, secrets } = written(
		importTable(
			"name,mac,bmc,user,password\na,52:54:00:ab:00:01,ftp://x,admin,p1\nb,52:54:00:ab:00:02,,admin,p2",
			"f",
		),
	);
	t.true(hosts.every((host) => !("bmc" in (host as { spec: object }).spec)));
	t.deepEqual(
		secrets.map((secret) => (secret as { stringData: object }).stringData),
		[
			{ username: "admin", password: "p1" },
			{ username: "admin", password: "p2" },
		],
	);
});

test("without a header, columns are told by their values; what cannot be told is left out", (t) => {
	const { hosts, remarks } = importTable(
		"52:54:00:ab:00:01\tnode-1\t192.0.2.1\thunter2\n52:54:00:ab:00:02\tnode-2\t192.0.2.2\thunter3\n",
		"f",
	);
	t.deepEqual(
		hosts.map(({ bmc, name, spec }) => [name, spec.bootMACAddress, bmc?.address, bmc?.password]),
		[
			["node-1", "52:54:00:ab:00:01", "redfish-virtualmedia://192.0.2.1", undefined],
			["node-2", "52:54:00:ab:00:02", "redfish-virtualmedia://192.0.2.2", undefined],
		],
	);
	t.deepEqual(remarkLines(remarks).slice(0, 4), [
		"inferred 1:1 - column 1: as mac, from its values",
		"inferred 1:26 - column 3: as address, from its values",
		"inferred 1:19 - column 2: as name, from its values",
		"left-out 1:36 - column 4: what it is about cannot be told: give the table a first line with names",
	]);
	t.false(JSON.stringify(remarks).includes("hunter"));
});

test("BMC addresses of every kind", (t) => {
	const address = (fields: string) => {
		const text = `name;bmc;driver;vendor;port;system\na;${fields}`;
		return importTable(text, "f").hosts[0]?.bmc?.address;
	};
	const kinds: Readonly<Record<string, string | undefined>> = {
		"192.0.2.1;ipmi;;;": "ipmi://192.0.2.1",
		"192.0.2.1;IPMI 2.0;;6230;": "ipmi://192.0.2.1:6230",
		"192.0.2.1;;HPE;;": "ilo5-virtualmedia://192.0.2.1/redfish/v1/Systems/1",
		"192.0.2.1;idrac-redfish;;;": "idrac-redfish://192.0.2.1",
		"192.0.2.1;redfish;;;437XR1138R2": "redfish-virtualmedia://192.0.2.1/redfish/v1/Systems/437XR1138R2",
		"fd00::1;ipmi;;;": "ipmi://[fd00::1]",
		"[fd00::1]:8443;;;;": "redfish-virtualmedia://[fd00::1]:8443",
		"http://bmc.example:8000/redfish/v1/Systems/1;;;;":
			"redfish-virtualmedia+http://bmc.example:8000/redfish/v1/Systems/1",
		"redfish://192.0.2.1/redfish/v1/Systems/1;ipmi;;;": "redfish://192.0.2.1/redfish/v1/Systems/1",
		"not an address;;;;": undefined,
		"192.0.2.1;;;x;": undefined,
	};
	for (const [fields, expected] of Object.entries(kinds)) t.is(address(fields), expected, fields);
});

test("a table of nothing, and one that is no table of hosts", (t) => {
	t.deepEqual(remarkLines(importTable("", "f").remarks), ["wrong 1:1 - line: the file has no lines"]);
	t.deepEqual(
		remarkLines(importTable("animal,legs\ncat,4", "f").remarks).at(-1)?.slice(0, 60),
		"wrong 1:1 - header: neither MAC addresses nor BMC addresses ".slice(0, 60),
	);
});

test("a fixed address becomes network data", (t) => {
	const text =
		"name,mac,bmc,ip,netmask,gateway,dns,vlan\na,52:54:00:ab:00:01,ipmi://192.0.2.1,198.51.100.5,24,198.51.100.1,203.0.113.1 203.0.113.2,12";
	const [host] = importTable(text, "f").hosts;
	t.deepEqual(host?.networkData, {
		links: [
			{ id: "nic0", type: "phy", ethernet_mac_address: "52:54:00:ab:00:01" },
			{ id: "vlan0", type: "vlan", vlan_link: "nic0", vlan_id: 12, vlan_mac_address: "52:54:00:ab:00:01" },
		],
		networks: [
			{
				id: "net0",
				type: "ipv4",
				link: "vlan0",
				ip_address: "198.51.100.5",
				netmask: "255.255.255.0",
				routes: [{ network: "0.0.0.0", netmask: "0.0.0.0", gateway: "198.51.100.1" }],
			},
		],
		services: [
			{ type: "dns", address: "203.0.113.1" },
			{ type: "dns", address: "203.0.113.2" },
		],
	});
});
