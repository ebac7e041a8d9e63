/** What a column of a table can be about. */
export type Column =
	| "name"
	| "mac"
	| "address"
	| "username"
	| "password"
	| "protocol"
	| "vendor"
	| "port"
	| "system"
	| "insecure"
	| "bootMode"
	| "role"
	| "labels"
	| "description"
	| "disk"
	| "minDisk"
	| "serialDisk"
	| "wwn"
	| "image"
	| "checksum"
	| "architecture"
	| "online"
	| "ip"
	| "netmask"
	| "gateway"
	| "dns"
	| "vlan"
	| "namespace";

/** Names as people give them, in English and German, without case, accents, blanks and signs. */
const NAMES: Readonly<Record<Column, readonly string[]>> = {
	name: ["name", "hostname", "host", "node", "nodename", "server", "servername", "rechner", "rechnername"],
	mac: [
		...[
			"mac",
			"macaddress",
			"macadresse",
			"bootmac",
			"bootmacaddress",
			"bootmacadresse",
			"pxemac",
			"nicmac",
			"mac1",
		],
		...["macadresspxe", "macaddr", "hwaddr", "ethernet", "provisioningmac", "bootnic", "macboot", "nic1mac"],
	],
	address: [
		...[
			"bmc",
			"bmcaddress",
			"bmcip",
			"bmcadresse",
			"bmchost",
			"bmcurl",
			"ipmi",
			"ipmiip",
			"ipmiaddress",
			"idrac",
		],
		...[
			"ilo",
			"ilohost",
			"iloip",
			"idracip",
			"xcc",
			"imm",
			"mgmtip",
			"managementip",
			"managementaddress",
			"redfish",
		],
		...[
			"redfishaddress",
			"redfishurl",
			"oob",
			"oobip",
			"oobaddress",
			"lom",
			"fernwartung",
			"verwaltungsip",
			"mgmt",
		],
		...["bmcipaddress", "remoteconsole", "cimc"],
	],
	username: [
		...["username", "user", "login", "bmcuser", "bmcusername", "ipmiuser", "ipmiusername", "redfishusername"],
		...[
			"benutzer",
			"benutzername",
			"bmcbenutzer",
			"idracuser",
			"ilouser",
			"anmeldename",
			"managementusername",
		],
	],
	password: [
		...[
			"password",
			"passwd",
			"pass",
			"bmcpassword",
			"bmcpass",
			"ipmipassword",
			"redfishpassword",
			"passwort",
		],
		...[
			"kennwort",
			"bmcpasswort",
			"bmckennwort",
			"idracpassword",
			"ilopassword",
			"secret",
			"managementpassword",
		],
	],
	protocol: [
		"protocol",
		"driver",
		"bmctype",
		"bmcdriver",
		"bmcprotocol",
		"protokoll",
		"treiber",
		"type",
		"pmtype",
	],
	vendor: ["vendor", "manufacturer", "hersteller", "make", "oem"],
	port: ["bmcport", "ipmiport", "redfishport", "port"],
	system: ["systemid", "redfishsystemid", "system", "redfishsystem"],
	insecure: ["insecure", "disablecertificateverification", "skipverify", "tlsinsecure"],
	bootMode: ["bootmode", "firmware", "boot", "bootart", "bootmodus"],
	role: ["role", "rolle", "function", "funktion"],
	labels: ["labels", "label", "tags"],
	description: [
		...[
			"description",
			"comment",
			"comments",
			"note",
			"notes",
			"beschreibung",
			"bemerkung",
			"kommentar",
			"notiz",
		],
		...["location", "standort", "rack"],
	],
	disk: ["disk", "rootdisk", "rootdevice", "devicename", "installdisk", "bootdisk", "systemplatte", "platte"],
	minDisk: [
		"minsizegigabytes",
		"mindisk",
		"mindiskgb",
		"rootdisksizegb",
		"mindestgrossegb",
		"plattegb",
		"diskgb",
	],
	serialDisk: ["diskserial", "rootdiskserial", "serialnumberdisk", "plattenseriennummer"],
	wwn: ["wwn", "diskwwn", "rootdiskwwn"],
	image: ["image", "imageurl", "imagesource", "osimage", "abbild"],
	checksum: ["checksum", "imagechecksum", "sha256", "prufsumme", "pruefsumme"],
	architecture: ["arch", "architecture", "cpuarch", "architektur"],
	online: ["online", "poweron", "eingeschaltet"],
	ip: ["ip", "ipaddress", "ipadresse", "ipv4", "ipv4address", "hostip", "serverip", "osip"],
	netmask: ["netmask", "netzmaske", "prefix", "prefixlength", "subnetmask", "subnetzmaske", "mask", "maske"],
	gateway: ["gateway", "gw", "defaultgateway", "standardgateway", "router"],
	dns: ["dns", "nameserver", "nameservers", "dnsserver", "dnsservers"],
	vlan: ["vlan", "vlanid"],
	namespace: ["namespace"],
};

const BY_NAME = new Map(
	Object.entries(NAMES).flatMap(([column, names]) => names.map((name) => [name, column as Column] as const)),
);

/** `BMC-IP (iDRAC)` → `address`; `undefined` for a name that says nothing to us. */
export function columnOf(header: string): Column | undefined {
	const whole = simplify(header);
	// what stands in brackets explains: `Festplatte (GB)` and `MAC (PXE)` are looked up with and without it
	return BY_NAME.get(whole) ?? BY_NAME.get(simplify(header.replace(/[([{].*$/, "")));
}

function simplify(header: string): string {
	return header
		.normalize("NFKD")
		.toLowerCase()
		.replaceAll("ß", "ss")
		.replace(/[^a-z0-9]/g, "");
}
