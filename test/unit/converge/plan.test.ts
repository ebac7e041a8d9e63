import test from "ava";
import fc from "fast-check";
import { type Action, titleOf } from "../../../src/converge/actions.ts";
import { type DesiredContainer, type DesiredProject, desiredProject } from "../../../src/converge/desired.ts";
import { label } from "../../../src/converge/labels.ts";
import type { ObservedContainer, ObservedProject } from "../../../src/converge/observed.ts";
import { planConvergence } from "../../../src/converge/plan.ts";
import { planRemoval } from "../../../src/converge/plan-removal.ts";
import type { Change } from "../../../src/converge/verdict.ts";
import type { StackInputs } from "../../../src/stack/inputs.ts";
import { renderStack } from "../../../src/stack/render.ts";
import { inputsOf, type SiteParts, siteOf } from "../stack/fixture.ts";

const key = Buffer.from("key");
const nothing: ObservedProject = { networks: [], volumes: [], containers: [] };

function desired(parts: SiteParts = {}, changes: Partial<StackInputs> = {}): DesiredProject {
	return desiredProject(renderStack(siteOf(parts), inputsOf(changes)), key);
}

function running(container: DesiredContainer): ObservedContainer {
	const state = container.oneShot ? "exited" : "running";
	return { id: container.name, name: container.name, labels: container.labels, state, exitCode: 0 };
}

/** What an engine has after an action, with all that was waited for. */
function after(observed: ObservedProject, action: Action): ObservedProject {
	const without = <T extends { readonly name: string }>(list: readonly T[], name: string) =>
		list.filter((each) => each.name !== name);
	switch (action.type) {
		case "remove-container":
			return { ...observed, containers: without(observed.containers, action.name) };
		case "remove-network":
			return { ...observed, networks: without(observed.networks, action.name) };
		case "remove-volume":
			return { ...observed, volumes: without(observed.volumes, action.name) };
		case "create-network":
			return { ...observed, networks: [...observed.networks, action.network] };
		case "create-volume":
			return { ...observed, volumes: [...observed.volumes, action.volume] };
		case "create-container":
		case "start-container":
			return {
				...observed,
				containers: [...without(observed.containers, action.container.name), running(action.container)],
			};
	}
}

function apply(observed: ObservedProject, actions: readonly Action[]): ObservedProject {
	return actions.reduce(after, observed);
}

const titles = (actions: readonly Action[]) => actions.map(titleOf);
const complete = (project: DesiredProject) => apply(nothing, planConvergence(project, nothing).actions);

test("a first start: networks, volumes, then services, those that wait for less first", (t) => {
	t.deepEqual(titles(planConvergence(desired(), nothing).actions), [
		"create network ironstrap-metal3_private",
		"create volume ironstrap-metal3_mariadb-data",
		"create volume ironstrap-metal3_shared",
		"create volume ironstrap-metal3_dnsmasq-leases",
		"start mariadb",
		"run prepare",
		"start dnsmasq",
		"run schema",
		"start ironic",
		"start httpd",
	]);
});

test("nothing is done to a stack that is as desired, and one-shots that succeeded are not run again", (t) => {
	const plan = planConvergence(desired(), complete(desired()));
	t.deepEqual(plan.actions, []);
	t.true(plan.changes.every(({ change }) => change === "keep"));
	t.is(plan.changes.find(({ name }) => name.endsWith("schema-1"))?.reason, "it succeeded");
});

test("a file that somebody changed replaces the running service that reads it, and nothing else", (t) => {
	const project = desired();
	const edited = ["ironic/ironic.conf", "dnsmasq/hosts/52-54-00-ab-00-01"];
	t.deepEqual(titles(planConvergence(project, complete(project), edited).actions), [
		"remove container ironstrap-metal3-ironic-1",
		"start ironic",
	]);
	const { containers, ...rest } = complete(project);
	const stopped = containers.map((each) => ({ ...each, state: "exited" as const }));
	// what starts anew reads it anew; a one-shot has done its work
	t.deepEqual(
		titles(
			planConvergence(project, { ...rest, containers: stopped }, ["schema/schema.py", ...edited]).actions,
		),
		["start mariadb again", "start dnsmasq again", "start ironic again", "start httpd again"],
	);
});

test("another database password replaces what reads it, dependents first, and makes the schema sure", (t) => {
	const credentials = { ...inputsOf().credentials, databasePassword: "other" };
	t.deepEqual(titles(planConvergence(desired({}, { credentials }), complete(desired())).actions), [
		"remove container ironstrap-metal3-ironic-1",
		"remove container ironstrap-metal3-schema-1",
		"remove container ironstrap-metal3-mariadb-1",
		"start mariadb",
		"run schema",
		"start ironic",
	]);
});

test("another API password or another host changes live files only", (t) => {
	const credentials = {
		...inputsOf().credentials,
		htpasswd: "admin:$2y$10$other",
		api: { username: "admin", password: "other" },
	};
	t.deepEqual(planConvergence(desired({}, { credentials }), complete(desired())).actions, []);
	t.deepEqual(planConvergence(desired({ hosts: [] }), complete(desired())).actions, []);
});

test("another Ironic image: the old Ironic is gone before the schema is upgraded; the database stays", (t) => {
	const { images } = inputsOf();
	const changed = desired({}, { images: { ...images, ironic: { ...images.ironic, id: "sha256:3333" } } });
	const done = titles(planConvergence(changed, complete(desired())).actions);
	t.true(done.indexOf("remove container ironstrap-metal3-ironic-1") < done.indexOf("run schema"));
	t.false(done.includes("start mariadb"));
	t.true(done.includes("run prepare"));
});

test("another certificate replaces httpd alone", (t) => {
	const tls = { ...inputsOf().tls, certificate: "OTHER\n" };
	t.deepEqual(titles(planConvergence(desired({}, { tls }), complete(desired())).actions), [
		"remove container ironstrap-metal3-httpd-1",
		"start httpd",
	]);
});

test("another deploy ramdisk is staged again and disturbs nobody", (t) => {
	const deployRamdisk = { ...inputsOf().deployRamdisk, digest: "sha256:ffff" };
	t.deepEqual(titles(planConvergence(desired({}, { deployRamdisk }), complete(desired())).actions), [
		"remove container ironstrap-metal3-prepare-1",
		"run prepare",
	]);
});

test("another subnet replaces the network and those on it", (t) => {
	t.deepEqual(
		titles(planConvergence(desired({}, { bridgeSubnet: "10.1.2.0/24" }), complete(desired())).actions),
		[
			"remove container ironstrap-metal3-httpd-1",
			"remove container ironstrap-metal3-ironic-1",
			"remove network ironstrap-metal3_private",
			"create network ironstrap-metal3_private",
			"start ironic",
			"start httpd",
		],
	);
});

test("DHCP taken out of the site takes dnsmasq away and keeps the leases", (t) => {
	const plan = planConvergence(
		desired({ ironic: { networking: { ipAddress: "172.22.0.1" } } }),
		complete(desired()),
	);
	t.deepEqual(titles(plan.actions), ["remove container ironstrap-metal3-dnsmasq-1"]);
	t.deepEqual(
		plan.changes.find(({ name }) => name.endsWith("dnsmasq-leases")),
		{
			kind: "volume",
			name: "ironstrap-metal3_dnsmasq-leases",
			change: "keep",
			reason: "no longer used; its data is kept",
		},
	);
});

test("a lost database volume: the schema is made again although its container succeeded", (t) => {
	const observed = complete(desired());
	const volumes = observed.volumes.filter(({ name }) => !name.endsWith("mariadb-data"));
	const containers = observed.containers.filter(({ name }) => !name.endsWith("mariadb-1"));
	t.deepEqual(titles(planConvergence(desired(), { ...observed, volumes, containers }).actions), [
		"remove container ironstrap-metal3-schema-1",
		"create volume ironstrap-metal3_mariadb-data",
		"start mariadb",
		"run schema",
	]);
});

const table: readonly [string, string, Partial<ObservedContainer>, Change][] = [
	["a stopped service", "ironic", { state: "exited", exitCode: 142 }, "start"],
	["a service whose creator was killed before the start", "ironic", { state: "created" }, "start"],
	["a paused service", "ironic", { state: "paused" }, "replace"],
	["a restarting service", "ironic", { state: "restarting" }, "keep"],
	["a failed one-shot", "schema", { state: "exited", exitCode: 1 }, "replace"],
	["a one-shot that was never started", "schema", { state: "created" }, "replace"],
	["a one-shot that is at work", "schema", { state: "running" }, "keep"],
	["a container with another hash", "httpd", { labels: { [label.ironstrapHash]: "old" } }, "replace"],
	["a container without labels", "httpd", { labels: {} }, "replace"],
];
for (const [what, service, change, expected] of table)
	test(`${what}: ${expected}`, (t) => {
		const observed = complete(desired());
		const containers = observed.containers.map((each) =>
			each.name.endsWith(`-${service}-1`) ? { ...each, ...change } : each,
		);
		const plan = planConvergence(desired(), { ...observed, containers });
		t.is(plan.changes.find(({ name }) => name.endsWith(`-${service}-1`))?.change, expected);
	});

test("containers are found by Compose and by nobody's secrets", (t) => {
	const httpd = desired().containers.find(({ service }) => service === "httpd");
	t.like(httpd?.labels, {
		"com.docker.compose.project": "ironstrap-metal3",
		"com.docker.compose.service": "httpd",
		"com.docker.compose.container-number": "1",
		"com.docker.compose.oneoff": "False",
		"com.docker.compose.depends_on": "ironic:service_started:false",
	});
	const otherKey = desiredProject(renderStack(siteOf(), inputsOf()), Buffer.from("other"));
	t.not(otherKey.containers[0]?.hash, desired().containers[0]?.hash);
});

const sites = fc.record({
	dhcp: fc.boolean(),
	password: fc.constantFrom("one", "two"),
	image: fc.constantFrom("sha256:1", "sha256:2"),
	subnet: fc.constantFrom("10.1.0.0/24", "10.2.0.0/24"),
	tls: fc.constantFrom("A", "B"),
	ramdisk: fc.constantFrom("sha256:a", "sha256:b"),
});

function drawn(site: typeof sites extends fc.Arbitrary<infer T> ? T : never): DesiredProject {
	const base = inputsOf();
	return desired(site.dhcp ? {} : { ironic: { networking: { ipAddress: "172.22.0.1" } } }, {
		bridgeSubnet: site.subnet,
		images: { ...base.images, ironic: { ...base.images.ironic, id: site.image } },
		credentials: { ...base.credentials, databasePassword: site.password },
		tls: { ...base.tls, certificate: site.tls },
		deployRamdisk: { ...base.deployRamdisk, digest: site.ramdisk },
	});
}

test("from any site to any other, killed after any action: the next plan ends in the same state, and the one after is empty", (t) => {
	const states = fc.constantFrom<ObservedContainer["state"][]>(
		"created",
		"running",
		"exited",
		"paused",
		"dead",
		"restarting",
	);
	fc.assert(
		fc.property(
			sites,
			sites,
			fc.nat(20),
			fc.nat(20),
			states,
			fc.nat(2),
			(from, to, kill, victim, state, exitCode) => {
				const before = complete(drawn(from));
				const hurt = {
					...before,
					containers: before.containers.map((each, index) =>
						index === victim ? { ...each, state, exitCode } : each,
					),
				};
				const wanted = drawn(to);
				const interrupted = apply(hurt, planConvergence(wanted, hurt).actions.slice(0, kill));
				const end = apply(interrupted, planConvergence(wanted, interrupted).actions);
				// A one-shot that is still at work is waited for, not changed.
				const settled = {
					...end,
					containers: end.containers.map((each) => ({ ...each, ...settledState(each, wanted) })),
				};
				t.deepEqual(planConvergence(wanted, settled).actions, []);
				t.deepEqual(
					end.containers.map(({ name }) => name).sort(),
					wanted.containers.map(({ name }) => name).sort(),
				);
				t.deepEqual(
					new Set(before.volumes.filter(({ name }) => !end.volumes.some((each) => each.name === name))),
					new Set(),
				);
			},
		),
		{ numRuns: 200 },
	);
});

function settledState(container: ObservedContainer, wanted: DesiredProject): Partial<ObservedContainer> {
	const oneShot = wanted.containers.find(({ name }) => name === container.name)?.oneShot === true;
	return oneShot ? { state: "exited", exitCode: 0 } : {};
}

test("taking down: dependents first, data only when asked for, and nothing is left", (t) => {
	const observed = complete(desired());
	const kept = planRemoval(observed, { volumes: false });
	const order = titles(kept);
	t.true(
		order.indexOf("remove container ironstrap-metal3-httpd-1") <
			order.indexOf("remove container ironstrap-metal3-ironic-1"),
	);
	t.true(
		order.indexOf("remove container ironstrap-metal3-ironic-1") <
			order.indexOf("remove container ironstrap-metal3-mariadb-1"),
	);
	t.is(order.at(-1), "remove network ironstrap-metal3_private");
	t.deepEqual(apply(observed, planRemoval(observed, { volumes: true })), nothing);
});
