import { readFileSync } from "node:fs";
import { join } from "node:path";
import anyTest, { type TestFn } from "ava";
import { METAL3_LAYOUT_IMAGE, makeMetal3Layout } from "../../../lab/metal3-layout.ts";
import { NEIGHBOUR } from "../../../lab/network.ts";
import type { PlannedChange } from "../../../src/converge/plan.ts";
import type { SiteParts } from "../../unit/stack/fixture.ts";
import { apiPassword, type SandboxedStack, stackDirectory, startSandboxedStack } from "./sandboxed-stack.ts";

/* A stack of another kind: an image in the metal3 layout, SQLite, and DHCP beside another server. */

interface UpResult {
	readonly changes: readonly PlannedChange[];
	readonly again: readonly unknown[];
}

const test = anyTest as TestFn<{ stack: SandboxedStack; up: UpResult }>;

const site: SiteParts = {
	bootstrap: {
		images: { ironic: METAL3_LAYOUT_IMAGE },
		database: "sqlite",
		dhcp: { mode: "proxy" },
		fence: { dhcp: "open" },
	},
};

test.before(async (t) => {
	t.timeout(600_000);
	const stack = await startSandboxedStack();
	t.context.stack = stack;
	await makeMetal3Layout(stack.sandbox);
	t.context.up = await stack.drive<UpResult>("up", { site });
});

test.after.always(async (t) => t.context.stack?.sandbox.stop());

const operator = "https://127.0.0.1:6385";
const request = ["-u", `admin:${apiPassword}`, "-H", "X-OpenStack-Ironic-API-Version: 1.90"];
const container = "ironstrap-metal3-ironic-1";

test.serial("the probe finds everything where metal3 has it", async (t) => {
	const { stack } = t.context;
	const folder = `${stackDirectory}/cache/probes`;
	const [file] = (await stack.shell(`ls ${folder}`)).trim().split("\n");
	const { layout } = JSON.parse(readFileSync(stack.sandbox.path(join(folder, file ?? "")), "utf8"));
	t.like(layout, { kind: "probed", uid: 997, gid: 994, init: undefined });
	t.like(layout.paths, {
		httpd: "/usr/sbin/httpd",
		httpdModules: "/etc/httpd/modules",
		dnsmasq: "/usr/sbin/dnsmasq",
		dnsmasqNoNewPrivileges: false,
		esp: "/templates/uefi_esp_x86_64.img",
		httpdUser: { uid: 997, gid: 994 },
	});
	t.deepEqual(layout.paths.firmware["undionly.kpxe"], ["/tftpboot/undionly.kpxe"]);
	t.deepEqual(layout.paths.firmware["snponly-x86_64.efi"], ["/tftpboot/snponly-x86_64.efi"]);
	t.regex(layout.paths.ironicVersion, /^\d+\.\d+\.\d+$/);
	t.is((await stack.shell("podman ps -a --format '{{.Names}}' | grep -c probe || true")).trim(), "0");
});

test.serial("the whole stack runs from it, as its user, and the next plan is empty", async (t) => {
	const { stack, up } = t.context;
	t.deepEqual(up.again, []);
	t.is(await stack.status(...request, `${operator}/v1/drivers`), "200");
	t.is(await stack.status("http://172.22.0.1:6180/snponly-x86_64.efi"), "200");
	const pid = (await stack.shell(`podman inspect -f '{{.State.Pid}}' ${container}`)).trim();
	t.regex(await stack.shell(`cat /proc/${pid}/status`), /Uid:\t997\t/);
});

test.serial(
	"there is no database server; nodes outlive Ironic's container in a file with a write-ahead log",
	async (t) => {
		const { stack } = t.context;
		t.notRegex(await stack.shell("podman ps -a --format '{{.Names}}'"), /mariadb/);
		const node = '{"driver":"redfish","name":"metal3~cp-0"}';
		const json = ["-H", "Content-Type: application/json", "-d", node];
		t.is(await stack.status(...request, ...json, `${operator}/v1/nodes`), "201");
		await stack.shell(`podman kill -s KILL ${container} >/dev/null; podman rm -f ${container} >/dev/null`);
		await stack.drive<UpResult>("up", { site });
		t.is(await stack.status(...request, `${operator}/v1/nodes/metal3~cp-0`), "200");
		const mode = `import sqlite3; print(sqlite3.connect("/var/lib/ironstrap-database/ironic.sqlite").execute("PRAGMA journal_mode").fetchone()[0])`;
		t.is((await stack.shell(`podman exec ${container} python3 -c '${mode}'`)).trim(), "wal");
	},
);

/** What a PXE client is told: by the broadcast answer, and (UEFI) by the proxy's own port, 4011. */
const client = `
import json, socket, struct, sys, time
interface, server = sys.argv[1:3]
mac = bytes.fromhex(open("/sys/class/net/%s/address" % interface).read().strip().replace(":", ""))

def ask(kind, architecture, port, more=b""):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, interface.encode())
    s.settimeout(3)
    s.bind(("", 68))
    own = socket.inet_aton("0.0.0.0" if port == 67 else "172.22.0.200")
    head = struct.pack("!BBBBIHH", 1, 1, 6, 0, 0x1234 + architecture, 0, 0x8000 if port == 67 else 0) + own + bytes(12) + mac + bytes(202)
    vendor = b"PXEClient:Arch:%05d:UNDI:003016" % architecture
    options = b"\\x63\\x82\\x53\\x63" + bytes([53, 1, kind, 60, len(vendor)]) + vendor + bytes([93, 2, 0, architecture, 94, 3, 1, 3, 16, 97, 17, 0]) + bytes(16)
    s.sendto(head + options + more + b"\\xff", ("255.255.255.255" if port == 67 else server, port))
    try:
        while True:
            packet, sender = s.recvfrom(2048)
            if packet[4:8] != head[4:8]:
                continue
            found, at = {}, 240
            while at < len(packet) and packet[at] != 255:
                if packet[at] == 0:
                    at += 1
                    continue
                found[packet[at]] = packet[at + 2:at + 2 + packet[at + 1]]
                at += 2 + packet[at + 1]
            file = found.get(67) or packet[108:236]
            return {"address": socket.inet_ntoa(packet[16:20]), "file": file.split(b"\\0")[0].decode(), "next": socket.inet_ntoa(packet[20:24]),
              "class": found.get(60, b"").decode(), "router": 3 in found}
    except socket.timeout:
        return None
    finally:
        s.close()

ipxe = bytes([175, 3, 0x16, 1, 1])
print(json.dumps({"bios": ask(1, 0, 67), "uefi": ask(1, 7, 67), "uefiProxy": ask(3, 7, 4011), "arm64Proxy": ask(3, 11, 4011), "ipxe": ask(1, 7, 67, ipxe)}))
`;

test.serial(
	"beside another DHCP server PXE clients are told what to load, and get no address from us",
	async (t) => {
		const { stack } = t.context;
		const { stdout } = await stack.network.fromNeighbour("python3", [
			"-c",
			client,
			NEIGHBOUR.interface,
			"172.22.0.1",
		]);
		const told = JSON.parse(stdout);
		for (const answer of Object.values(told))
			t.like(answer, { address: "0.0.0.0", router: false, class: "PXEClient" });
		t.is(told.bios.file, "undionly.kpxe");
		t.is(told.uefiProxy.file, "snponly-x86_64.efi");
		t.is(told.arm64Proxy.file, "snponly-arm64.efi");
		t.is(told.ipxe.file, "http://172.22.0.1:6180/boot.ipxe");
		const plain = await stack.network.fromNeighbour(
			"busybox",
			[...["udhcpc", "-f", "-q", "-n", "-t", "2", "-T", "1", "-i", NEIGHBOUR.interface, "-s", "/bin/true"]],
			{ reject: false },
		);
		t.regex(plain.stderr, /no lease/);
	},
);

test.serial("down takes everything away, the file with the nodes too", async (t) => {
	t.deepEqual(await t.context.stack.drive("down", { site }), { networks: [], volumes: [], containers: [] });
});
