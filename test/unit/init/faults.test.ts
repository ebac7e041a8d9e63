import test from "ava";
import {
	bmcFault,
	checksumFault,
	hostNameFault,
	imageUrlFault,
	interfaceAddressFault,
	macFault,
	rangeFault,
	serverAddressFault,
	splitRange,
} from "../../../src/init/faults.ts";
import { parseCidr } from "../../../src/resources/ip.ts";

const network = parseCidr("172.22.0.1/24");

test("what is right is taken in every usual spelling", (t) => {
	t.is(hostNameFault([])("cp-0"), undefined);
	t.is(interfaceAddressFault("172.22.0.1/24"), undefined);
	t.is(serverAddressFault(network, [])("172.22.0.9"), undefined);
	t.is(rangeFault(network, ["172.22.0.1"], 3)("172.22.0.100 - 172.22.0.150"), undefined);
	for (const mac of ["52:54:00:AB:00:01", "52-54-00-ab-00-01", "5254.00ab.0001", "525400ab0001"])
		t.is(macFault([])(mac), undefined, mac);
	for (const bmc of [
		"10.0.0.5",
		"bmc-1:8443",
		"fd00::5",
		"https://10.0.0.5/redfish/v1/Systems/1",
		"ipmi://10.0.0.5",
	])
		t.is(bmcFault(bmc), undefined, bmc);
	t.is(imageUrlFault("http://images.example.org/a.qcow2"), undefined);
	t.is(checksumFault("http://images.example.org/a.sha256"), undefined);
	t.is(checksumFault("a".repeat(64)), undefined);
	t.deepEqual(splitRange("10.0.0.1 to 10.0.0.9"), { begin: "10.0.0.1", end: "10.0.0.9" });
});

test("what is wrong is said, as the rest of a sentence", (t) => {
	const table: readonly (readonly [string | undefined, RegExp])[] = [
		[hostNameFault(["cp-0"])("cp-0"), /another host's name/],
		[hostNameFault([])("CP_0"), /lower-case letters/],
		[hostNameFault([])("00000000-0000-0000-0000-000000000001"), /UUID/],
		[interfaceAddressFault("172.22.0.1"), /is not a network/],
		[interfaceAddressFault("172.22.0.0/24"), /first or last/],
		[interfaceAddressFault("172.22.0.1/31"), /no room/],
		[interfaceAddressFault("fd00::1/64"), /IPv4/],
		[serverAddressFault(network, ["172.22.0.9"])("172.22.0.9"), /taken/],
		[serverAddressFault(network, [])("172.22.1.9"), /not in 172\.22\.0\.0\/24/],
		[rangeFault(network, [], 0)("172.22.0.100"), /is no range/],
		[rangeFault(network, [], 0)("172.22.0.150-172.22.0.100"), /comes after/],
		[rangeFault(network, ["172.22.0.1"], 0)("172.22.0.1-172.22.0.9"), /contains 172\.22\.0\.1/],
		[rangeFault(network, [], 5)("172.22.0.10-172.22.0.12"), /3 addresses for 5 hosts/],
		[rangeFault(network, [], 0)("172.22.0.200-172.22.0.255"), /first or last/],
		[macFault([])("00:00:00:00:00"), /is not a MAC/],
		[macFault([])("01:00:5e:00:00:01"), /group address/],
		[macFault(["52:54:00:ab:00:01"])("52-54-00-AB-00-01"), /another host's/],
		[bmcFault("10.0.0.300"), /neither an IP address nor/],
		[bmcFault("https://root:calvin@10.0.0.5"), /user name or password/],
		[bmcFault("ilo4://10.0.0.5"), /removed/],
		[imageUrlFault("ftp://x/y"), /http/],
		[imageUrlFault("https://me:secret@x/y"), /readable in the manifest/],
		[checksumFault("abc"), /3 hexadecimal digits/],
	];
	for (const [fault, expected] of table) t.regex(fault ?? "no fault", expected);
});
