import anyTest, { type ExecutionContext, type TestFn } from "ava";
import { type CanaryWatch, storedCanaries, watchForCanaries } from "../../lab/story/canaries.ts";
import { faultsIn, ironstrap, type Line, type Outcome } from "../../lab/story/product.ts";
import { faultOf, refused } from "./bad-days/assert.ts";
import { begun, faultsOf, type Machine, startMachine } from "./bad-days/machine.ts";
import { type HostText, nobody } from "./bad-days/site.ts";
import { nodes, snapshot } from "./bad-days/snapshot.ts";

/*
 * Bad days in the middle of the work. The tests are chapters of one story: an engine that goes away, three hosts
 * whose BMCs fail in three ways at the same time, a server that never calls back, and then a site that runs, which
 * a mistake in a manifest must not touch.
 */

const test = anyTest as TestFn<{ machine: Machine; told: Told; watch: CanaryWatch }>;

/** What the chapters leave to the tests after them. */
interface Told {
	first?: Outcome;
	second?: Outcome;
	status?: Outcome;
}

const disabled = "  inspectionMode: disabled\n";

test.before(async (t) => {
	t.timeout(300_000);
	t.context.told = {};
	t.context.machine = await startMachine(["a", "b", "c"]);
	t.context.watch = watchForCanaries(t.context.machine.lab.sandbox);
});

test.after.always(async (t) => {
	t.context.watch?.stop();
	await t.context.machine?.lab.stop();
});

test.serial("the engine goes away in the middle; started again, `up` continues", async (t) => {
	t.timeout(300_000);
	const { machine } = t.context;
	machine.write();
	let killed: Promise<() => Promise<void>> | undefined;
	const outcome = await machine.up({
		onLine({ step, type }) {
			if (type === "step-finished" && step === "stack:create-container:mariadb")
				killed ??= machine.killEngine();
		},
	});
	await (await killed)?.();
	t.is(outcome.exitCode, 1, faultsIn(outcome));
	const [fault] = faultsOf(outcome);
	t.is(fault?.code, "engine-gone", faultsIn(outcome));
	t.regex(fault?.message ?? "", /^the container engine did not answer when asked to /);
	t.is(fault?.fix, "start it (`systemctl start podman.socket` or `docker`) and run this again");
	const again = await machine.up();
	t.is(again.exitCode, 0, faultsIn(again));
	const made = begun(again.lines);
	t.true(made.includes("stack:create-container:ironic"));
	t.false(made.includes("stack:create-container:mariadb"), "what was there is kept");
});

test.serial("three BMCs fail at the same time: every host is told about, nothing is started", async (t) => {
	t.timeout(300_000);
	const { machine } = t.context;
	const { lab } = machine;
	await lab.bmc.control.setFaults([
		{ kind: "status", status: 500, path: `/Systems/${machine.server("c").uuid}` },
	]);
	write(machine, { a: { bmcAddress: nobody }, b: { password: "wrong" } });
	const outcome = await machine.up();
	t.context.told.first = outcome;
	t.is(outcome.exitCode, 1, faultsIn(outcome));
	t.deepEqual(
		faultsOf(outcome)
			.map(({ subject }) => subject)
			.sort(),
		["a", "b", "c"].map((name) => `BareMetalHost metal3/${name}`),
	);
	t.deepEqual(await nodes(lab.sandbox, "metal3"), [
		"metal3~a enroll null false",
		"metal3~b enroll null false",
		"metal3~c enroll null false",
	]);
	t.true((await lab.bmc.control.servers()).every(({ power }) => power === "Off"));
});

test.serial("a BMC that cannot be reached", (t) => {
	told(t, "a", {
		code: "host-bmc-unreachable",
		place: "hosts.yaml:12:14",
		message: "the BMC cannot be reached",
		seen: /192\.168\.222\.99/,
		fix: /^check the address, and that this machine reaches it/,
	});
});

test.serial("a wrong BMC password, which is not repeated in the message", (t) => {
	told(t, "b", {
		code: "host-bmc-password",
		place: "hosts.yaml:27:22",
		message: "the BMC refuses the user name or the password",
		seen: /401|[Uu]nauthori[sz]ed|Access ?[Ee]rror/,
		fix: /^correct the Secret that spec\.bmc\.credentialsName names/,
	});
	t.notRegex(JSON.stringify(t.context.told.first), /"wrong"|:wrong@/);
});

test.serial("a BMC that answers 500", (t) => {
	told(t, "c", {
		code: "host-bmc-failing",
		place: "hosts.yaml:40:14",
		message: "the BMC answers with an error of its own",
		seen: /500/,
		fix: /^wait a minute and run `ironstrap up` again/,
	});
});

test.serial(
	"with the BMCs put right, `up` goes on; meanwhile another process tells what is waited for",
	async (t) => {
		t.timeout(300_000);
		const { machine } = t.context;
		await machine.lab.bmc.control.setFaults([]);
		write(machine, { a: { more: disabled }, c: { more: disabled } }, "20s");
		let status: Promise<Outcome> | undefined;
		t.context.told.second = await machine.up({
			onLine(line) {
				if (isInspecting(line)) status ??= ironstrap(machine.lab.sandbox, ["status"]);
			},
		});
		t.context.told.status = (await status) as Outcome;
		t.deepEqual(await nodes(machine.lab.sandbox, "metal3"), [
			"metal3~a available power off false",
			"metal3~b inspect wait power on false",
			"metal3~c available power off false",
		]);
	},
);

test.serial("`status` of another process shows the wait: what, why, and until when", (t) => {
	const status = t.context.told.status as Outcome;
	t.is(status.exitCode, 0, faultsIn(status));
	const waits = status.result?.waits as readonly Readonly<Record<string, string>>[];
	const wait = waits.find(({ what }) => what === "metal3/b to be inspected");
	t.is(wait?.subject, "BareMetalHost metal3/b", JSON.stringify(waits));
	t.regex(wait?.why ?? "", /^inspect/);
	t.is((Date.parse(wait?.deadline ?? "") - Date.parse(wait?.since ?? "")) / 1000, 20);
});

test.serial("a server that never calls back: the deadline of the site passes, with what to look at", (t) => {
	const second = t.context.told.second as Outcome;
	t.is(second.exitCode, 1);
	t.deepEqual(
		faultsOf(second).map(({ code }) => code),
		["host-no-callback"],
		faultsIn(second),
	);
	const fault = faultOf(second, "b");
	t.is(fault?.message, "the ramdisk never called back");
	t.is(
		fault?.seen,
		"waited 20 s for metal3/b to be inspected; last seen: inspect wait, power on (waiting for the ramdisk)",
	);
	t.regex(fault?.fix ?? "", /^did the server ask for an address \(`ironstrap logs dnsmasq`\)\?/);
	t.regex(fault?.where?.file ?? "", /hosts\.yaml$/);
	t.is(fault?.where?.line, 23);
});

test.serial("that server's inspection switched off, `up` ends it and goes on", async (t) => {
	t.timeout(120_000);
	const { machine } = t.context;
	writeRight(machine);
	const outcome = await machine.up();
	t.is(outcome.exitCode, 0, faultsIn(outcome));
	t.deepEqual(await nodes(machine.lab.sandbox, "metal3"), [
		"metal3~a available power off false",
		"metal3~b available power off false",
		"metal3~c available power off false",
	]);
});

test.serial("a disk that fills up on the way: nothing is damaged, and with room `up` goes on", async (t) => {
	const { machine } = t.context;
	const hosts = "/var/lib/ironstrap/metal3/hosts";
	const before = await snapshot(machine.lab.sandbox);
	await machine.shell(`rm ${hosts}/metal3~a.json; cp -a ${hosts} /run/hosts-copy
mount -t tmpfs -o size=16k,mode=700 tmpfs ${hosts}; cp -a /run/hosts-copy/. ${hosts}
dd if=/dev/zero of=${hosts}/.fill bs=4k 2>/dev/null || true`);
	const outcome = await machine.up();
	t.is(outcome.exitCode, 1, faultsIn(outcome));
	const [fault] = faultsOf(outcome);
	t.is(fault?.code, "disk-full", faultsIn(outcome));
	t.is(fault?.message, `there is no space left for ${hosts}/metal3~a.json`);
	t.is(fault?.seen, "ENOSPC; 0 KiB free of 16 KiB");
	await machine.shell(`umount ${hosts}; rm -r /run/hosts-copy`);
	const again = await machine.up();
	t.is(again.exitCode, 0, faultsIn(again));
	const { containers, networks, volumes } = await snapshot(machine.lab.sandbox);
	t.deepEqual(
		{ containers, networks, volumes },
		{
			containers: before.containers,
			networks: before.networks,
			volumes: before.volumes,
		},
	);
});

test.serial("a wrong field in a manifest", async (t) => {
	await untouched(
		t,
		{ b: { more: `${disabled}  onlin: true\n` } },
		2,
		`
error: SITE/hosts.yaml:30:3: \`spec.onlin\` is not a field of BareMetalHost [unknown-field]
  about: BareMetalHost metal3/b
  fix:   did you mean \`online\`?`,
	);
});

test.serial("two hosts with one MAC address", async (t) => {
	const mac = t.context.machine.server("a").mac.toUpperCase();
	await untouched(
		t,
		{ b: { bootMAC: mac, more: disabled } },
		2,
		`
error: SITE/hosts.yaml:23:19: \`bootMACAddress\` is that of BareMetalHost metal3/a too [boot-mac-twice]
  about: BareMetalHost metal3/b
  fix:   give each host its own; the other is at SITE/hosts.yaml:8:19`,
	);
});

test.serial("a Secret that is not among the manifests", async (t) => {
	await untouched(
		t,
		{ b: { credentialsName: "b-bcm", more: disabled } },
		2,
		`
error: SITE/hosts.yaml:28:22: Secret metal3/b-bcm, named by \`bmc.credentialsName\`, is not among the manifests [secret-missing]
  about: BareMetalHost metal3/b
  fix:   add the Secret, or correct the name`,
	);
});

test.serial("through all of it, no secret was anywhere but where it belongs", async (t) => {
	const { machine, watch } = t.context;
	const { sandbox, bmc } = machine.lab;
	for (const text of machine.printed) watch.printed("output of up", text);
	const { hits, places } = await watch.search({
		...storedCanaries(sandbox, "metal3"),
		"BMC password": bmc.password,
	});
	t.deepEqual(hits, []);
	t.true(places > 100, `${places} places`);
});

/** The site's three hosts, with what is wrong about some. */
function write(
	machine: Machine,
	wrong: Readonly<Partial<Record<"a" | "b" | "c", Partial<HostText>>>>,
	inspect?: string,
): void {
	machine.write({
		hosts: (["a", "b", "c"] as const).map((name) => machine.host(name, wrong[name])),
		inspect,
	});
}

function writeRight(machine: Machine, wrong: Parameters<typeof write>[1] = {}): void {
	write(machine, { a: { more: disabled }, b: { more: disabled }, c: { more: disabled }, ...wrong }, "20s");
}

/** A running site is asked for something impossible: machine and Ironic stay as they are. */
async function untouched(
	t: ExecutionContext<{ machine: Machine }>,
	wrong: Parameters<typeof write>[1],
	exitCode: number,
	words: string,
): Promise<void> {
	const { machine } = t.context;
	const before = await nodes(machine.lab.sandbox, "metal3");
	writeRight(machine, wrong);
	await refused(t, machine, exitCode, words);
	t.deepEqual(await nodes(machine.lab.sandbox, "metal3"), before);
}

function told(
	t: ExecutionContext<{ told: Told }>,
	host: string,
	expected: {
		readonly code: string;
		readonly place: string;
		readonly message: string;
		readonly seen: RegExp;
		readonly fix: RegExp;
	},
): void {
	const fault = faultOf(t.context.told.first as Outcome, host);
	const { file, line, column } = fault?.where ?? { file: "", line: 0, column: 0 };
	t.is(fault?.code, expected.code, fault?.seen);
	t.is(`${file.split("/").at(-1)}:${line}:${column}`, expected.place);
	t.is(fault?.message, expected.message);
	t.regex(fault?.seen ?? "", expected.seen);
	t.regex(fault?.fix ?? "", expected.fix);
}

function isInspecting(line: Line): boolean {
	const wait = line.wait as { readonly what: string; readonly why: string } | undefined;
	return (
		line.type === "waiting" &&
		wait?.what === "metal3/b to be inspected" &&
		wait.why.startsWith("inspect wait")
	);
}
