import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import anyTest, { type TestFn } from "ava";
import { secondIronicNodes } from "../../lab/cluster/second-ironic.ts";
import { killAt, type Moment } from "../../lab/story/crash.ts";
import { ironstrap, launcher, type Outcome } from "../../lab/story/product.ts";
import { resume, rollback, TROUBLED } from "../exhaustive/pivot/chains.ts";
import { mustBeBack, mustBeSafe } from "../exhaustive/pivot/judge-scene.ts";
import { HOSTS, handOver, openScene, type Scene } from "../exhaustive/pivot/scene.ts";
import { purge, succeed } from "../support/bare-stack.ts";
import { generator } from "../support/generator.ts";

const test = anyTest as TestFn<Scene>;

/** IRONSTRAP_SEED repeats a run. All points, without chance: `npm run exhaustive -- pivot --json`. */
const seed = Number(process.env.IRONSTRAP_SEED ?? randomInt(2 ** 31));
const random = generator(seed);

test.before(async (t) => {
	t.timeout(600_000);
	t.log(`seed ${seed}`);
	Object.assign(t.context, await openScene({ secondIronic: true }));
});

test.after.always(async (t) => t.context.stop?.());

test.serial("a dry run looks at both sides, says what would be written, and writes nothing", async (t) => {
	t.timeout(120_000);
	const { result } = await succeed(t.context.lab.sandbox, handOver(t.context, "--dry-run"));
	t.deepEqual(
		((result?.hosts ?? []) as readonly { name: string }[]).map(({ name }) => name).sort(),
		[...HOSTS].sort(),
	);
	t.deepEqual(result?.refusals, []);
	t.deepEqual(await ours(t.context), []);
	t.false(writesOf(t.context).some(({ requestURI }) => !requestURI.includes("dryRun=All")));
});

test.serial("without its rights, the hand-over says all that are missing and begins nothing", async (t) => {
	t.timeout(60_000);
	const { cluster, lab } = t.context;
	const token = await cluster
		.kubectl(
			["create", "--raw", "/api/v1/namespaces/default/serviceaccounts/default/token", "-f", "-"],
			JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} }),
		)
		.catch(() => undefined);
	const { token: bearer = "nobody" } = token === undefined ? {} : JSON.parse(token.stdout).status;
	const outcome = await ironstrap(lab.sandbox, ["pivot", "--to", await cluster.kubeconfig("nobody", bearer)]);
	t.is(codeOf(outcome), token === undefined ? "kube-unauthorized" : "pivot-rights-missing");
	t.is((await succeed(lab.sandbox, ["pivot", "status"])).result?.phase, null);
});

test.serial(
	"a host that is not taken over stops it; killed anywhere, its rollback brings everything back",
	async (t) => {
		t.timeout(600_000);
		const { lab, operators } = t.context;
		operators.behave({ unreachable: [TROUBLED] });
		t.is(codeOf(await ironstrap(lab.sandbox, handOver(t.context))), "deadline-passed");
		operators.behave({});
		t.is(codeOf(await ironstrap(lab.sandbox, t.context.up)), "site-handed-over");
		t.is(codeOf(await ironstrap(lab.sandbox, purge)), "pivot-open");
		for (const moment of inOrder(BACK, 2)) {
			t.log(`rollback killed ${moment.when} ${moment.phase} ${moment.step}`);
			await killAt(lab.sandbox, rollback, moment);
		}
		t.is(codeOf(await ironstrap(lab.sandbox, resume)), "pivot-going-back");
		await succeed(lab.sandbox, rollback);
		await mustBeBack(t.context);
		t.is(codeOf(await ironstrap(lab.sandbox, rollback)), "pivot-none");
		t.pass();
	},
);

test.serial("an Ironic that does not get ready is told about, with the operator's reason", async (t) => {
	t.timeout(120_000);
	const { lab, operators } = t.context;
	operators.behave({ ironicNeverReady: true });
	const { result } = await ironstrap(lab.sandbox, handOver(t.context));
	operators.behave({});
	const [fault] = (result?.errors ?? []) as readonly { code: string; seen: string }[];
	t.is(fault?.code, "deadline-passed");
	t.is(fault?.seen, "DeploymentInProgress: ironic: no node has the address");
});

test.serial("killed anywhere, and with the API server away for a while, it comes to its end", async (t) => {
	t.timeout(600_000);
	const { cluster, lab } = t.context;
	const { sandbox } = lab;
	for (const moment of inOrder(FORWARD, 2)) {
		t.log(`resume killed ${moment.when} ${moment.phase} ${moment.step}`);
		await killAt(sandbox, resume, moment);
	}
	await cluster.kill("apiserver");
	const going = ironstrap(sandbox, resume);
	await cluster.kill("etcd");
	await cluster.start();
	const outcome = await going;
	t.is(outcome.exitCode, 0, JSON.stringify(outcome.result));
	t.deepEqual(await mustBeSafe(t.context, "target"), {
		doubleManagers: [],
		lostHosts: [],
		bmcWrites: [],
		unsafeCreations: [],
	});
	t.deepEqual(
		(await secondIronicNodes(sandbox)).map(
			({ last_error, name, power_state, provision_state }) =>
				`${name} ${provision_state} ${power_state} ${last_error}`,
		),
		[
			"metal3~cp-0 active power off null",
			"metal3~cp-1 active power off null",
			"metal3~spare-0 manageable power off null",
		],
	);
	t.deepEqual(await statesOf(t.context), [
		"cp-0 externally provisioned OK",
		"cp-1 externally provisioned OK",
		"spare-0 available OK",
	]);
});

test.serial(
	"after the commit this machine starts no second Ironic, and there is no way back by itself",
	async (t) => {
		t.timeout(120_000);
		const { lab } = t.context;
		t.is(codeOf(await ironstrap(lab.sandbox, t.context.up)), "site-handed-over");
		t.is(codeOf(await ironstrap(lab.sandbox, handOver(t.context))), "site-handed-over");
		t.is(codeOf(await ironstrap(lab.sandbox, rollback)), "pivot-committed");
		const { stdout } = await lab.sandbox.run("podman", ["ps", "--all", "--format", "{{.Names}}"]);
		t.is(stdout, "target-ironic");
	},
);

test.serial("no password is in the journal, in what was recorded, or in an argument", async (t) => {
	t.timeout(60_000);
	const { lab } = t.context;
	const texts = [
		readFileSync(lab.sandbox.path("/var/lib/ironstrap/metal3/journal.jsonl"), "utf8"),
		readFileSync(lab.sandbox.path("/var/lib/ironstrap/metal3/pivot.json"), "utf8"),
		(await lab.sandbox.run(process.execPath, [launcher, "pivot", "status"])).stdout,
	];
	for (const text of texts) t.false(text.includes(lab.bmc.password));
	t.throws(() => readFileSync(lab.sandbox.path("/var/lib/ironstrap/metal3/secrets/pivot-plan.json")));
	await succeed(lab.sandbox, purge);
});

const phases = [
	["before", "begin"],
	["after", "begin"],
] as const;
const undoing = [
	["before", "undo-begin"],
	["after", "undo-begin"],
	["before", "undone"],
	["after", "undone"],
] as const;

const moments = (
	steps: readonly string[],
	kinds: readonly (readonly [Moment["when"], string])[],
	command: string,
): readonly Moment[] =>
	steps.flatMap((step) => kinds.map(([when, phase]) => ({ command, step, phase, when })));

/** In the order in which they come. The last two thaw the nodes, after the stack was started again. */
const BACK = [
	...moments(
		["pivot:release:metal3~cp-0", "pivot:ironic", "pivot:host:metal3~cp-1", "pivot:hardware:metal3~cp-0"],
		undoing,
		"pivot rollback",
	),
	...moments(["pivot:cleared"], phases, "pivot rollback"),
	...moments(["pivot:freeze:metal3~cp-0"], undoing, "pivot rollback"),
];

/** What is left to do when the target's Ironic was not ready. */
const FORWARD = moments(
	[
		"pivot:prove",
		"pivot:ironic-ready",
		"pivot:release:metal3~spare-0",
		"pivot:release:metal3~cp-0",
		"pivot:release:metal3~cp-1",
		"pivot:soak",
		"pivot:commit",
	],
	phases,
	"pivot resume",
);

function inOrder(all: readonly Moment[], count: number): readonly Moment[] {
	const chosen = new Set<number>();
	while (chosen.size < count) chosen.add(Math.floor(random() * all.length));
	return all.filter((_moment, index) => chosen.has(index));
}

function codeOf({ result }: Outcome): string | undefined {
	return (result?.errors as readonly { code: string }[] | undefined)?.[0]?.code;
}

/** Objects of a hand-over that the cluster has. */
async function ours({ cluster }: Scene): Promise<readonly string[]> {
	const kinds = "baremetalhosts,hardwaredata,ironics,secrets";
	const { stdout } = await cluster.kubectl(["get", kinds, "-A", "-l", "ironstrap.io/run", "-o", "name"]);
	return stdout.split("\n").filter((line) => line !== "");
}

function writesOf({ cluster }: Scene): readonly { readonly requestURI: string }[] {
	return readFileSync(cluster.auditLog, "utf8")
		.split("\n")
		.filter((line) => line.includes('"username":"system:serviceaccount:ironstrap:ironstrap-pivot"'))
		.map((line) => JSON.parse(line) as { requestURI: string });
}

async function statesOf({ cluster }: Scene): Promise<readonly string[]> {
	const { stdout } = await cluster.kubectl(["get", "baremetalhosts", "-n", "metal3", "-o", "json"]);
	const { items } = JSON.parse(stdout) as {
		items: readonly {
			metadata: { name: string };
			status: { operationalStatus: string; provisioning: { state: string } };
		}[];
	};
	return items.map(
		({ metadata, status }) => `${metadata.name} ${status.provisioning.state} ${status.operationalStatus}`,
	);
}
