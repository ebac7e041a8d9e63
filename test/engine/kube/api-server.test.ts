import anyTest, { type TestFn } from "ava";
import fc from "fast-check";
import { applyDefinitions, pivotUser } from "../../../lab/cluster/start.ts";
import type { KubeObject } from "../../../src/kube/objects.ts";
import { refOf } from "../../../src/kube/objects.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import { rightsFor } from "../../../src/pivot/permissions.ts";
import { hostFaults } from "../../../src/pivot/steps/host.ts";
import { contentFaults } from "../../../src/pivot/steps/owned.ts";
import { objectsOf } from "../../../src/pivot/target-facts.ts";
import { BMO_RELEASES, IRSO_RELEASES } from "../../support/crd.ts";
import { sharedPath } from "../../support/shared.ts";
import { anyHosts, planOf } from "../../unit/pivot/_hosts.ts";
import { openCluster, type TestCluster } from "./_cluster.ts";

const test = anyTest as TestFn<TestCluster>;

test.before(async (t) => {
	t.timeout(300_000);
	Object.assign(t.context, await openCluster());
	await t.context.cluster.kubectl(["create", "namespace", "metal3"]);
});

test.after.always(async (t) => t.context.stop?.());

const secret = (data: Record<string, string>, name = "s"): KubeObject => ({
	apiVersion: "v1",
	kind: "Secret",
	metadata: { name, namespace: "metal3" },
	data,
});

const code = (error: unknown) => (error instanceof IronstrapError ? error.code : String(error));
const codeOf = (work: Promise<unknown>) => work.then(() => "none", code);

test.serial(
	"applying twice changes nothing; a try writes nothing; what is not there is undefined",
	async (t) => {
		const kube = t.context.client();
		t.teardown(() => kube.close());
		await kube.apply(secret({ a: "YQ==" }), { dryRun: true });
		t.is(await kube.get(refOf(secret({}))), undefined);
		const first = await kube.apply(secret({ a: "YQ==" }));
		const second = await kube.apply(secret({ a: "YQ==" }));
		t.is(second.metadata.resourceVersion, first.metadata.resourceVersion);
		t.regex(await kube.version(), /^v1\.20\.2$/);
	},
);

test.serial("a field that somebody else owns is a conflict, never overwritten", async (t) => {
	const kube = t.context.client();
	t.teardown(() => kube.close());
	await t.context.cluster.kubectl(
		["apply", "--server-side", "--field-manager=somebody", "-f", "-"],
		JSON.stringify(secret({ b: "Yg==" }, "theirs")),
	);
	t.is(await codeOf(kube.apply(secret({ b: "Yw==" }, "theirs"))), "kube-conflict");
	t.deepEqual((await kube.get(refOf(secret({}, "theirs"))))?.data, { b: "Yg==" });
});

test.serial(
	"only the object with the uid is deleted, and a patch whose test fails changes nothing",
	async (t) => {
		const kube = t.context.client();
		t.teardown(() => kube.close());
		const made = await kube.apply(secret({ a: "YQ==" }, "gone"));
		const ref = refOf(made);
		t.is(await codeOf(kube.remove(ref, "00000000-0000-4000-8000-000000000000")), "kube-conflict");
		const failing = kube.patch(ref, [
			{ op: "test", path: "/metadata/resourceVersion", value: "0" },
			{ op: "add", path: "/metadata/labels", value: { x: "y" } },
		]);
		t.true(["kube-refused", "kube-conflict"].includes(await codeOf(failing)));
		t.is((await kube.get(ref))?.metadata.labels, undefined);
		await kube.remove(ref, made.metadata.uid ?? "");
		await kube.remove(ref, made.metadata.uid ?? "");
		t.is(await kube.get(ref), undefined);
	},
);

for (const [index, release] of BMO_RELEASES.entries())
	test.serial(`${release} takes every object of random sites as it is, and shows it so`, async (t) => {
		t.timeout(180_000);
		const irso = IRSO_RELEASES[index % IRSO_RELEASES.length] ?? IRSO_RELEASES[0];
		await applyDefinitions(t.context.cluster, sharedPath("crds"), [release, irso]);
		const kube = t.context.client();
		t.teardown(() => kube.close());
		for (const hosts of fc.sample(anyHosts, { seed: 20260101 + index, numRuns: 4 })) {
			const plan = planOf(hosts);
			for (const object of objectsOf(plan)) {
				await kube.apply(object, { dryRun: true });
				await kube.apply(object);
			}
			for (const host of plan.hosts) await kube.writeStatus(refOf(host.object), host.status);
			for (const host of plan.hosts) {
				const found = await kube.get(refOf(host.object));
				t.deepEqual(found === undefined ? ["gone"] : hostFaults(host, found), []);
			}
			for (const object of objectsOf(plan)) {
				const found = await kube.get(refOf(object));
				t.deepEqual(found === undefined ? ["gone"] : contentFaults(object, found), []);
				await kube.remove(refOf(object), found?.metadata.uid ?? "");
			}
		}
	});

test.serial("a status that the CRD does not take is refused with the field's name", async (t) => {
	const kube = t.context.client();
	t.teardown(() => kube.close());
	const [hosts] = fc.sample(anyHosts, { seed: 7, numRuns: 1 });
	const [host] = planOf(hosts ?? []).hosts;
	if (host === undefined) throw new TypeError("a plan has a host");
	await kube.apply(host.object);
	const error = await t.throwsAsync(
		kube.writeStatus(refOf(host.object), { ...host.status, errorType: "detach error" }),
	);
	t.is(code(error), "kube-refused");
	t.regex((error as IronstrapError).seen ?? "", /status\.errorType/);
});

test.serial(
	"the account of kubernetes/pivot-rbac.yaml has every right that a hand-over asks for, and no more",
	async (t) => {
		t.timeout(60_000);
		const kube = t.context.client({ token: await pivotUser(t.context.cluster) });
		t.teardown(() => kube.close());
		for (const right of rightsFor(["metal3"])) t.true(await kube.mayI(right), JSON.stringify(right));
		t.false(await kube.mayI({ kind: "Secret", verb: "list", namespace: "metal3" }));
		t.false(await kube.mayI({ kind: "Secret", verb: "get", namespace: "kube-system" }));
		t.is(await codeOf(kube.get({ ...refOf(secret({})), namespace: "kube-system" })), "kube-forbidden");
	},
);

test.serial(
	"a token that is not known, a CA that is another, and a cluster that is away are told apart",
	async (t) => {
		const { admin, client } = t.context;
		const ref = refOf(secret({}));
		const all = [
			client({ token: "nobody" }),
			client({ ca: undefined }),
			client({ server: "https://127.0.0.1:1" }, 500),
		];
		t.teardown(() => Promise.all(all.map((kube) => kube.close())));
		t.deepEqual(await Promise.all(all.map((kube) => codeOf(kube.get(ref)))), [
			"kube-unauthorized",
			"kube-certificate",
			"kube-unreachable",
		]);
		t.truthy(admin.token);
	},
);

test.serial("an API server and an etcd that die are waited for", async (t) => {
	t.timeout(120_000);
	const kube = t.context.client();
	t.teardown(() => kube.close());
	await t.context.cluster.kill("apiserver");
	const asked = kube.apply(secret({ a: "Yg==" }));
	await t.context.cluster.kill("etcd");
	await t.context.cluster.start();
	t.deepEqual((await asked).data, { a: "Yg==" });
});

test.serial("an API server that starts and knows no roles yet is asked again", async (t) => {
	t.timeout(120_000);
	const { client, cluster } = t.context;
	const namespaceRef = { apiVersion: "v1", kind: "Namespace", name: "metal3" };
	const kube = client({ token: await pivotUser(cluster) });
	t.teardown(() => kube.close());
	await cluster.kill("apiserver");
	await cluster.kill("etcd");
	const asked: Promise<string>[] = [];
	const asking = setInterval(() => asked.push(codeOf(kube.get(namespaceRef))), 5);
	await cluster.start();
	clearInterval(asking);
	t.deepEqual([...new Set(await Promise.all(asked))], ["none"]);
});
