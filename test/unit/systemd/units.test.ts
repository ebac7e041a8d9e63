import test from "ava";
import fc from "fast-check";
import type { StackInputs } from "../../../src/stack/inputs.ts";
import { unitPaths, unitsOfSite } from "../../../src/systemd/names.ts";
import type { UnitEngine } from "../../../src/systemd/unit-options.ts";
import { siteUnits, type UnitFile } from "../../../src/systemd/units.ts";
import type { Version } from "../../../src/systemd/version.ts";
import { desiredStack } from "../../support/desired-stack.ts";
import { inputsOf, type SiteParts, siteOf } from "../stack/fixture.ts";

const podman = (version: Version): UnitEngine => ({
	kind: "podman",
	version,
	selinux: false,
	limits: { memory: true, pids: true },
});
const docker: UnitEngine = { ...podman([26, 1]), kind: "docker" };

interface Options {
	readonly engine?: UnitEngine;
	readonly systemd?: Version;
	readonly site?: SiteParts;
	readonly inputs?: Partial<StackInputs>;
}

function unitsFor({ engine = podman([5, 4]), inputs = {}, site = {}, systemd = [257, 0] }: Options = {}) {
	return siteUnits(desiredStack(site, inputs), {
		site: siteOf(site).name,
		engine,
		systemd,
		program: ["/usr/bin/node", "/opt/iron strap/bin/ironstrap.js"],
		startSeconds: 600,
	});
}

const unitOf = (units: readonly UnitFile[], service: string) =>
	units.find((unit) => unit.service === service)?.content ?? "";
const valuesOf = (text: string, key: string) =>
	[...text.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value]) => value);

test("Podman 5.4 gets Quadlet files, and two units that belong to all of them", (t) => {
	t.deepEqual(
		unitsFor().map(({ path }) => path),
		[
			"/etc/systemd/system/ironstrap-stack@metal3.target",
			"/etc/systemd/system/ironstrap-fence@metal3.service",
			"/etc/containers/systemd/ironstrap-metal3-mariadb.container",
			"/etc/containers/systemd/ironstrap-metal3-prepare.container",
			"/etc/containers/systemd/ironstrap-metal3-dnsmasq.container",
			"/etc/containers/systemd/ironstrap-metal3-schema.container",
			"/etc/containers/systemd/ironstrap-metal3-ironic.container",
			"/etc/containers/systemd/ironstrap-metal3-httpd.container",
		],
	);
});

for (const [name, engine, plain] of [
	["Podman 4.3", podman([4, 3]), true],
	["Podman 4.4", podman([4, 4]), false],
	["Docker", docker, true],
] as const)
	test(`${name} gets ${plain ? "complete services" : "Quadlet files"}`, (t) => {
		const paths = unitsFor({ engine }).map(({ path }) => path);
		t.is(paths.filter((path) => path.endsWith(".container")).length, plain ? 0 : 6);
		t.is(
			paths.filter((path) => path.startsWith("/etc/systemd/system/ironstrap-metal3-")).length,
			plain ? 6 : 0,
		);
	});

test("Ironic's container, as Quadlet of Podman 5.4 takes it", (t) => {
	const [, container = ""] = unitOf(unitsFor(), "ironic").split(/\[Container\]\n|\n\[Service\]/);
	t.is(
		container.replace(/config-hash=[0-9a-f]{64}/g, "config-hash=HASH"),
		`Image=localhost/ironstrap/ironic:29.0.5
ContainerName=ironstrap-metal3-ironic-1
Pull=never
User=902
Group=902
Network=ironstrap-metal3_private:ip=10.89.77.20,mac=02:42:0a:59:4d:14
Volume=/run/ironstrap/metal3/ironic:/etc/ironstrap/ironic:ro
Volume=/run/ironstrap/metal3/sockets/mariadb:/run/mysqld:rw
Volume=/run/ironstrap/metal3/sockets/ironic:/run/ironic:rw
Volume=ironstrap-metal3_shared:/shared:rw
Tmpfs=/tmp:mode=1777
Environment=HOME=/tmp
DropCapability=ALL
NoNewPrivileges=true
ReadOnly=true
ReadOnlyTmpfs=false
PodmanArgs=--memory=4g
PidsLimit=1024
HealthCmd=python3 /etc/ironstrap/ironic/health.py
HealthInterval=15s
HealthTimeout=15s
HealthRetries=4
HealthStartPeriod=90s
LogDriver=journald
StopTimeout=12
Label=io.ironstrap.site=metal3
Label=com.docker.compose.project=ironstrap-metal3
Label=com.docker.compose.service=ironic
Label=com.docker.compose.container-number=1
Label=com.docker.compose.oneoff=False
Label=com.docker.compose.config-hash=HASH
Label=com.docker.compose.depends_on=schema:service_completed_successfully:false,prepare:service_completed_successfully:false
Label=io.ironstrap.config-hash=HASH
Exec=ironic --config-file /etc/ironstrap/ironic/ironic.conf --config-file /etc/ironstrap/ironic/secrets.conf
`,
	);
});

/** Service → what must have succeeded, and what is only started before it; from the conditions in compose/compose.yaml. */
const order: Readonly<Record<string, readonly [required: readonly string[], wanted: readonly string[]]>> = {
	mariadb: [[], []],
	prepare: [[], []],
	dnsmasq: [["prepare"], []],
	schema: [["prepare"], ["mariadb"]],
	ironic: [["schema", "prepare"], []],
	httpd: [[], ["ironic"]],
};

for (const [name, engine] of [
	["Quadlet", podman([5, 4])],
	["Podman 4.3", podman([4, 3])],
] as const)
	for (const [service, [required, wanted]] of Object.entries(order))
		test(`${name}: ${service} comes after the fence and what it needs, and goes with the target`, (t) => {
			const text = unitOf(unitsFor({ engine }), service);
			const names = (services: readonly string[]) =>
				services.map((each) => `ironstrap-metal3-${each}.service`);
			const all = ["ironstrap-fence@metal3.service", ...names(required)];
			t.deepEqual(valuesOf(text, "Requires"), [all.join(" ")]);
			t.deepEqual(valuesOf(text, "Wants"), wanted.length === 0 ? [] : [names(wanted).join(" ")]);
			t.deepEqual(valuesOf(text, "After"), [[...all, ...names(wanted)].join(" ")]);
			t.deepEqual(valuesOf(text, "PartOf"), ["ironstrap-stack@metal3.target"]);
			t.deepEqual(valuesOf(text, "WantedBy"), ["ironstrap-stack@metal3.target"]);
		});

test("Docker's services come and go with Docker", (t) => {
	const text = unitOf(unitsFor({ engine: docker }), "mariadb");
	t.deepEqual(valuesOf(text, "Requires"), ["ironstrap-fence@metal3.service", "docker.service"]);
	t.deepEqual(valuesOf(text, "After"), ["ironstrap-fence@metal3.service", "docker.service"]);
});

test("a service is started again, slower each time, and given up after eight starts in 15 minutes", (t) => {
	const text = unitOf(unitsFor(), "ironic");
	for (const [key, value] of [
		["Restart", "always"],
		["RestartSec", "2"],
		["RestartSteps", "5"],
		["RestartMaxDelaySec", "60"],
		["StartLimitIntervalSec", "15min"],
		["StartLimitBurst", "8"],
	] as const)
		t.deepEqual(valuesOf(text, key), [value], key);
});

test("systemd before 254 gets no keys that it would complain about", (t) => {
	const text = unitOf(unitsFor({ systemd: [252, 0] }), "ironic");
	t.deepEqual(valuesOf(text, "RestartSteps"), []);
	t.deepEqual(valuesOf(text, "RestartMaxDelaySec"), []);
	t.deepEqual(valuesOf(text, "Restart"), ["always"]);
});

test("a one-shot runs once, stays done, and is not repeated by itself", (t) => {
	const text = unitOf(unitsFor(), "schema");
	t.deepEqual(valuesOf(text, "Type"), ["oneshot"]);
	t.deepEqual(valuesOf(text, "RemainAfterExit"), ["yes"]);
	t.deepEqual(valuesOf(text, "Restart"), []);
	t.deepEqual(valuesOf(text, "ExecStartPost"), []);
});

test("a service has started when its own health check succeeds, and has the site's time for it", (t) => {
	const text = unitOf(unitsFor(), "httpd");
	t.deepEqual(valuesOf(text, "ExecStartPost"), [
		'/bin/sh -c "until \\"$$@\\" >/dev/null 2>&1; do sleep 1; done" health /usr/bin/podman exec ironstrap-metal3-httpd-1 python3 /etc/ironstrap/httpd/health.py',
	]);
	t.deepEqual(valuesOf(text, "TimeoutStartSec"), ["600"]);
	t.deepEqual(valuesOf(text, "TimeoutStopSec"), ["25"]);
});

test("Podman 4.3 runs conmon as the unit's main process, and a one-shot in the foreground", (t) => {
	const units = unitsFor({ engine: podman([4, 3]) });
	const [service = ""] = valuesOf(unitOf(units, "mariadb"), "ExecStart");
	t.true(
		service.startsWith(
			"/usr/bin/podman run --replace --rm --cgroups=split --sdnotify=conmon --detach --name=ironstrap-metal3-mariadb-1 --pull=never --user=901:901 --network=none ",
		),
		service,
	);
	t.deepEqual(valuesOf(unitOf(units, "mariadb"), "Type"), ["notify"]);
	t.deepEqual(valuesOf(unitOf(units, "mariadb"), "ExecStop"), [
		"/usr/bin/podman rm --force --ignore --time=60 ironstrap-metal3-mariadb-1",
	]);
	const [oneShot = ""] = valuesOf(unitOf(units, "schema"), "ExecStart");
	t.true(
		oneShot.startsWith(
			"/usr/bin/podman run --replace --rm --cgroups=split --name=ironstrap-metal3-schema-1 ",
		),
	);
});

test("Docker takes a member's addresses beside the network, and stays attached", (t) => {
	const [line = ""] = valuesOf(unitOf(unitsFor({ engine: docker }), "ironic"), "ExecStart");
	t.true(
		line.startsWith(
			"/usr/bin/docker run --rm --name=ironstrap-metal3-ironic-1 --pull=never --user=902:902 --network=ironstrap-metal3_private --ip=10.89.77.20 --mac-address=02:42:0a:59:4d:14 ",
		),
		line,
	);
	t.false(line.includes("--read-only-tmpfs"));
});

test("limits that the kernel's control groups do not have are not asked for", (t) => {
	const engine = { ...podman([5, 4]), limits: { memory: false, pids: false } };
	t.notRegex(unitOf(unitsFor({ engine }), "ironic"), /memory|Pids/i);
});

test("SELinux: shared folders of this machine get the containers' label, volumes have it", (t) => {
	const text = unitOf(unitsFor({ engine: { ...podman([5, 4]), selinux: true } }), "ironic");
	t.deepEqual(valuesOf(text, "Volume"), [
		"/run/ironstrap/metal3/ironic:/etc/ironstrap/ironic:ro,z",
		"/run/ironstrap/metal3/sockets/mariadb:/run/mysqld:rw,z",
		"/run/ironstrap/metal3/sockets/ironic:/run/ironic:rw,z",
		"ironstrap-metal3_shared:/shared:rw",
	]);
});

test("the fence's unit runs this very ironstrap, whatever is in its path", (t) => {
	const fence = unitsFor()[1]?.content ?? "";
	t.deepEqual(valuesOf(fence, "ExecStart"), [
		'/usr/bin/node "/opt/iron strap/bin/ironstrap.js" systemd prepare --site metal3',
	]);
	t.deepEqual(valuesOf(fence, "After"), [
		"network-online.target nftables.service firewalld.service podman.socket",
	]);
});

test("SQLite: no unit of a database server, and nothing that waits for one", (t) => {
	const units = unitsFor({ site: { bootstrap: { database: "sqlite" } } });
	t.is(unitOf(units, "mariadb"), "");
	t.false(units.some(({ content }) => content.includes("ironstrap-metal3-mariadb.service")));
});

test("no secret is in any unit, whatever it is and whoever runs the containers", (t) => {
	const secret = fc.stringMatching(/^S3CR3T[a-zA-Z0-9%$"' ]{8,20}$/);
	fc.assert(
		fc.property(secret, fc.constantFrom(podman([4, 3]), podman([5, 8]), docker), (password, engine) => {
			const credentials = {
				...inputsOf({}).credentials,
				api: { username: "admin", password },
				databasePassword: password,
				htpasswd: `admin:${password}`,
			};
			const tls = { certificate: password, key: password, ca: password };
			for (const { content } of unitsFor({ engine, inputs: { credentials, tls } }))
				t.false(content.includes("S3CR3T"));
		}),
		{ numRuns: 25 },
	);
});

test("every file and unit of a site is among those that are taken away", (t) => {
	for (const engine of [podman([4, 3]), podman([5, 4]), docker]) {
		const known = { paths: new Set(unitPaths("metal3")), units: new Set(unitsOfSite("metal3")) };
		for (const { path, unit } of unitsFor({ engine })) {
			t.true(known.paths.has(path), path);
			t.true(known.units.has(unit), unit);
		}
	}
});
