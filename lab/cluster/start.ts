import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { IronstrapError } from "../../src/lib/errors.ts";
import type { CommandResult, SandboxProcess } from "../sandbox/command.ts";
import { LAB_RUN_DIRECTORY } from "../sandbox/mounts.ts";
import type { Sandbox } from "../sandbox.ts";
import { until } from "../until.ts";
import type { ClusterPrograms } from "./build.ts";

/** Everything of the cluster inside the sandbox. */
export const CLUSTER_DIRECTORY = `${LAB_RUN_DIRECTORY}/cluster`;

const PORTS = { etcd: 12379, peer: 12380, api: 16443 } as const;
const SERVER = `https://127.0.0.1:${PORTS.api}`;

/** Writes of the kinds that a hand-over is about, whole; nothing of Secrets but that they were written. */
const AUDIT_POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: None
    verbs: [get, list, watch]
  - level: RequestResponse
    resources:
      - { group: metal3.io }
      - { group: ironic.metal3.io }
  - level: Metadata
    resources:
      - { group: "", resources: [secrets, namespaces] }
  - level: None
`;

/** A Kubernetes API server and its etcd, and nothing else: no controllers, no nodes. */
export interface LabCluster {
	/** Inside the sandbox, for the administrator. */
	readonly adminKubeconfig: string;
	readonly server: string;
	readonly port: number;
	/** What was written, one JSON object a line; an outside path. */
	readonly auditLog: string;
	/** Runs kubectl as the administrator. */
	kubectl(args: readonly string[], input?: string): Promise<CommandResult>;
	/** A kubeconfig (inside) for a token. */
	kubeconfig(name: string, token: string): Promise<string>;
	/** Ends one of the two programs as a power cut would. */
	kill(program: "apiserver" | "etcd"): Promise<void>;
	/** Starts what does not run, and waits until it answers. */
	start(): Promise<void>;
}

/** Starts a cluster in the sandbox (3 to 10 s); it ends with the sandbox. Errors: `lab-cluster-failed`. */
export async function startCluster(sandbox: Sandbox, programs: ClusterPrograms): Promise<LabCluster> {
	const outside = (name: string) => sandbox.path(`${CLUSTER_DIRECTORY}/${name}`);
	const inside = (name: string) => `${CLUSTER_DIRECTORY}/${name}`;
	await mkdir(outside(""), { recursive: true, mode: 0o700 });
	await makeKeys(sandbox);
	const adminToken = randomBytes(16).toString("hex");
	await writeFile(outside("audit.yaml"), AUDIT_POLICY);
	await writeFile(outside("tokens.csv"), `${adminToken},admin,admin,system:masters\n`, { mode: 0o600 });
	const running = new Map<"apiserver" | "etcd", SandboxProcess>();

	const kubeconfig = async (name: string, token: string) => {
		await writeFile(
			outside(`${name}.kubeconfig`),
			kubeconfigText(name, token, readFileSync(outside("api.crt"))),
			{
				mode: 0o600,
			},
		);
		return inside(`${name}.kubeconfig`);
	};
	const adminKubeconfig = await kubeconfig("admin", adminToken);

	const settings = ["--kubeconfig", adminKubeconfig, "--cache-dir", inside("kubectl-cache")];
	const kubectl: LabCluster["kubectl"] = (args, input) =>
		sandbox.run(programs.kubectl, [...settings, ...args], { input, timeoutMs: 60_000 });

	const run = (name: "apiserver" | "etcd", program: string, args: readonly string[]) => {
		if (running.has(name)) return;
		const child = sandbox.spawn(program, args, { log: outside(`${name}.log`) });
		running.set(name, child);
		void child.result.then(() => {
			if (running.get(name) === child) running.delete(name);
		});
	};

	async function start(): Promise<void> {
		run("etcd", programs.etcd, etcdArguments(inside("etcd")));
		run("apiserver", programs.apiserver, apiserverArguments(inside));
		await until(
			async () => {
				if (!running.has("apiserver") || !running.has("etcd")) throw await failed();
				const { exitCode } = await sandbox.run(
					"curl",
					["-sSf", "--cacert", inside("api.crt"), "--max-time", "5", `${SERVER}/readyz`],
					{ reject: false },
				);
				return exitCode === 0;
			},
			{ what: "the Kubernetes API server", deadlineMs: 120_000, everyMs: 200 },
		);
	}

	async function failed(): Promise<IronstrapError> {
		const logs = await Promise.all(
			["etcd", "apiserver"].map((name) => readFile(outside(`${name}.log`), "utf8").catch(() => "")),
		);
		return new IronstrapError({
			code: "lab-cluster-failed",
			message: "The cluster's API server or its etcd ended at once",
			seen: logs.map((log) => log.slice(-1500)).join("\n"),
			fix: "Look at the logs above",
		});
	}

	await start();
	return {
		adminKubeconfig,
		server: SERVER,
		port: PORTS.api,
		auditLog: outside("audit.log"),
		kubectl,
		kubeconfig,
		start,
		async kill(name) {
			const child = running.get(name);
			child?.kill("SIGKILL");
			await child?.result;
		},
	};
}

/** Applies CustomResourceDefinitions of releases, e.g. `bmo-v0.13.2`, from a folder of such folders. */
export async function applyDefinitions(
	cluster: LabCluster,
	folder: string,
	releases: readonly string[],
): Promise<void> {
	for (const release of releases)
		await cluster.kubectl(["apply", "--server-side", "--force-conflicts", "-f", `${folder}/${release}`]);
	await cluster.kubectl(["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"]);
}

/** Applies the product's own manifest and makes a token of the account in it, as its first lines say. */
export async function pivotUser(cluster: LabCluster, seconds = 7200): Promise<string> {
	const manifest = fileURLToPath(new URL("../../../kubernetes/pivot-rbac.yaml", import.meta.url));
	await cluster.kubectl(["create", "namespace", "metal3"]).catch(() => undefined);
	await cluster.kubectl(["apply", "--server-side", "-f", manifest]);
	const { stdout } = await cluster.kubectl(
		["create", "--raw", "/api/v1/namespaces/ironstrap/serviceaccounts/ironstrap-pivot/token", "-f", "-"],
		JSON.stringify({
			apiVersion: "authentication.k8s.io/v1",
			kind: "TokenRequest",
			spec: { expirationSeconds: seconds },
		}),
	);
	return (JSON.parse(stdout) as { status: { token: string } }).status.token;
}

async function makeKeys(sandbox: Sandbox): Promise<void> {
	const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30"];
	const at = (name: string) => `${CLUSTER_DIRECTORY}/${name}`;
	await sandbox.run("openssl", [
		...["req", "-x509", ...ec, "-subj", "/CN=kube-apiserver", "-addext", "subjectAltName=IP:127.0.0.1"],
		...["-keyout", at("api.key"), "-out", at("api.crt")],
	]);
	await sandbox.run("openssl", ["genrsa", "-out", at("sa.key"), "2048"]);
	await sandbox.run("openssl", ["rsa", "-in", at("sa.key"), "-pubout", "-out", at("sa.pub")]);
}

function etcdArguments(data: string): readonly string[] {
	const url = (port: number) => `http://127.0.0.1:${port}`;
	return [
		...[
			"--data-dir",
			data,
			"--listen-client-urls",
			url(PORTS.etcd),
			"--advertise-client-urls",
			url(PORTS.etcd),
		],
		...["--listen-peer-urls", url(PORTS.peer), "--initial-advertise-peer-urls", url(PORTS.peer)],
		...["--initial-cluster", `default=${url(PORTS.peer)}`],
	];
}

/** Service accounts' admission needs a controller that makes their secrets. */
function apiserverArguments(inside: (name: string) => string): readonly string[] {
	return [
		`--etcd-servers=http://127.0.0.1:${PORTS.etcd}`,
		"--bind-address=127.0.0.1",
		`--secure-port=${PORTS.api}`,
		"--advertise-address=127.0.0.1",
		`--tls-cert-file=${inside("api.crt")}`,
		`--tls-private-key-file=${inside("api.key")}`,
		`--token-auth-file=${inside("tokens.csv")}`,
		"--service-account-issuer=https://kubernetes.default.svc",
		`--service-account-key-file=${inside("sa.pub")}`,
		`--service-account-signing-key-file=${inside("sa.key")}`,
		"--authorization-mode=RBAC",
		"--service-cluster-ip-range=10.0.0.0/24",
		"--disable-admission-plugins=ServiceAccount",
		`--audit-policy-file=${inside("audit.yaml")}`,
		`--audit-log-path=${inside("audit.log")}`,
		"--audit-log-mode=blocking-strict",
	];
}

function kubeconfigText(name: string, token: string, ca: Buffer): string {
	return JSON.stringify({
		apiVersion: "v1",
		kind: "Config",
		"current-context": name,
		clusters: [
			{ name: "lab", cluster: { server: SERVER, "certificate-authority-data": ca.toString("base64") } },
		],
		users: [{ name, user: { token } }],
		contexts: [{ name, context: { cluster: "lab", user: name } }],
	});
}
