import { createInterface } from "node:readline";
import anyTest, { type TestFn } from "ava";
import { BMC_NETWORK, PROVISIONING } from "../../lab/network.ts";
import { faultsIn } from "../../lab/story/product.ts";
import { withoutPodman } from "../support/without-podman.ts";
import { refused } from "./bad-days/assert.ts";
import { faultsOf, type Machine, startMachine } from "./bad-days/machine.ts";
import { snapshot } from "./bad-days/snapshot.ts";

/*
 * Bad days on which `up` must not begin: each is told with its place and its way out, all that can be seen at once
 * together, and nothing is made. Each test puts its fault right again, so that the next one is refused for its own.
 */

const test = anyTest as TestFn<{ machine: Machine }>;

test.before(async (t) => {
	t.timeout(300_000);
	t.context.machine = await startMachine([]);
});

test.after.always(async (t) => t.context.machine?.lab.stop());

test.serial("the provisioning address is not on this machine", async (t) => {
	const { machine } = t.context;
	machine.write({ address: "172.22.0.9" });
	await refused(
		t,
		machine,
		2,
		`
error: SITE/metal3.yaml:8:16: no interface of this machine has the address 172.22.0.9 [provisioning-address-missing]
  about: Ironic metal3/metal3
  seen:  ${PROVISIONING.interface} ${PROVISIONING.cidr}, ${PROVISIONING.interface} ${PROVISIONING.cidr6}, ${BMC_NETWORK.interface} ${BMC_NETWORK.cidr}
  fix:   set spec.networking.ipAddress to an address of this machine, or give the machine the address first (\`ip addr add\`)`,
	);
});

test.serial("a file of the deploy ramdisk is missing", async (t) => {
	const { machine } = t.context;
	machine.write({ initramfs: "/srv/nowhere/initramfs" });
	await refused(
		t,
		machine,
		2,
		`
error: SITE/metal3.yaml:21:16: the deploy ramdisk's initramfs cannot be read [deploy-ramdisk-missing]
  about: Bootstrap default/metal3
  seen:  ENOENT: no such file or directory, open '/srv/nowhere/initramfs'
  fix:   set Bootstrap.spec.deployRamdisk.kernel and .initramfs to files of an ironic-python-agent ramdisk on this machine`,
	);
});

test.serial("an image is not in the engine", async (t) => {
	const { machine } = t.context;
	machine.write({ ironicImage: "localhost/ironstrap/ironic:99" });
	await refused(
		t,
		machine,
		2,
		`
error: SITE/metal3.yaml:23:13: the container engine has no image localhost/ironstrap/ironic:99 [image-missing]
  about: Bootstrap default/metal3
  fix:   build it from Debian packages with \`ironstrap images build ironic\`, or load an archive of it into the engine (\`podman load\`, \`docker load\`)`,
	);
});

test.serial("no engine runs", async (t) => {
	const { machine } = t.context;
	machine.write();
	const start = await machine.killEngine();
	const before = await snapshot(machine.lab.sandbox);
	const outcome = await withoutPodman(machine.lab.sandbox, () => machine.up());
	t.deepEqual(await snapshot(machine.lab.sandbox), before);
	await start();
	t.is(outcome.exitCode, 1);
	const [fault] = faultsOf(outcome);
	t.is(fault?.code, "engine-not-found");
	t.is(fault?.message, "no container engine answers on this machine");
	t.regex(fault?.seen ?? "", /Podman's usual socket \(\/run\/podman\/podman\.sock\): .*ECONNREFUSED/);
	t.regex(fault?.seen ?? "", /Docker's usual socket \(\/run\/docker\.sock\): it does not exist/);
	t.regex(fault?.fix ?? "", /systemctl enable --now podman\.socket/);
});

test.serial("ports are taken: each is named with the process that holds it, all together", async (t) => {
	const { machine } = t.context;
	machine.write();
	const program = `
const { createServer } = require("node:net");
const listen = (port, host) => new Promise((done) => createServer().listen(port, host, done));
const socket = require("node:dgram").createSocket("udp4");
Promise.all([listen(6180, "0.0.0.0"), listen(6385, "127.0.0.1"), new Promise((done) => socket.bind(67, done))])
	.then(() => console.log(process.pid));`;
	const other = machine.lab.sandbox.spawn(process.execPath, ["-e", program]);
	const output = other.stdout;
	if (output === undefined) throw new Error("the other program has no output");
	const pid = await new Promise<string>((resolve) =>
		createInterface({ input: output }).once("line", resolve),
	);
	const name = (await machine.shell(`cat /proc/${pid}/comm`)).trim();
	try {
		await refused(
			t,
			machine,
			1,
			`
error: TCP port 6180 of 172.22.0.1, for boot files, is taken by ${name} (process ${pid}) [port-taken]
  seen:  tcp 0.0.0.0:6180, ${name} (process ${pid})
  fix:   stop ${name} (\`ps -fp ${pid}\` tells more), or give Ironic.spec.networking.imageServerPort another number
error: TCP port 6385 of 127.0.0.1, for the API, is taken by ${name} (process ${pid}) [port-taken]
  seen:  tcp 127.0.0.1:6385, ${name} (process ${pid})
  fix:   stop ${name} (\`ps -fp ${pid}\` tells more), or give Ironic.spec.networking.apiPort another number
error: UDP port 67 of br-prov, for DHCP, is taken by ${name} (process ${pid}) [port-taken]
  seen:  udp 0.0.0.0:67, ${name} (process ${pid})
  fix:   stop ${name} (\`ps -fp ${pid}\` tells more), only one program can serve it`,
		);
	} finally {
		other.kill("SIGKILL");
		await other.result;
	}
});

test.serial("disks are full: each is named with what is free and what is needed", async (t) => {
	const { machine } = t.context;
	machine.write();
	await machine.shell(`
mount -o remount,size=8m /var/lib/ironstrap
mount -o remount,size=64m /var/lib/containers
mkdir /run/ironstrap
mount -t tmpfs -o size=1m tmpfs /run/ironstrap`);
	await refused(
		t,
		machine,
		1,
		`
error: there is not enough free space in /run/ironstrap/metal3 for the configuration of the stack [disk-full]
  seen:  SOME free of 1 MiB; 8 MiB are needed
  fix:   make room there (\`df -h /run/ironstrap\`), then run \`ironstrap up\` again
error: there is not enough free space in /var/lib/containers/storage for the containers and their volumes [disk-full]
  seen:  SOME free of 64 MiB; 512 MiB are needed
  fix:   make room there (\`df -h /var/lib/containers/storage\`), then run \`ironstrap up\` again
error: there is not enough free space in /var/lib/ironstrap/metal3 for the state of the site [disk-full]
  seen:  SOME free of 8 MiB; 32 MiB are needed
  fix:   make room there (\`df -h /var/lib/ironstrap\`), then run \`ironstrap up\` again`,
	);
	await machine.shell(`
mount -o remount,size=1g /var/lib/ironstrap
mount -o remount,size=4g /var/lib/containers
umount /run/ironstrap`);
});

test.serial(
	"with everything put right the same command succeeds, and its own ports are not taken",
	async (t) => {
		t.timeout(300_000);
		const { machine } = t.context;
		const first = await machine.up();
		t.is(first.exitCode, 0, faultsIn(first));
		const again = await machine.up();
		t.is(again.exitCode, 0, faultsIn(again));
		const changes = again.result?.changes as readonly { readonly change: string }[];
		t.true(changes.length > 0 && changes.every(({ change }) => change === "keep"));
	},
);
