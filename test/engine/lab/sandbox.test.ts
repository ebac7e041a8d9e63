import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test from "ava";
import { execa } from "execa";
import { createNetwork } from "../../../lab/network.ts";
import { startSandbox } from "../../../lab/sandbox.ts";
import { until } from "../../../lab/until.ts";
import { openWorkDirectory } from "../../../lab/work-directory.ts";

const links = () => readdirSync("/sys/class/net").sort();

/** Control groups that hold this word in their path, in every hierarchy. */
async function cgroups(word: string): Promise<string[]> {
	const { stdout } = await execa("find", ["/sys/fs/cgroup", "-type", "d", "-path", `*${word}*`], {
		reject: false,
	});
	return stdout.split("\n").filter((line) => line !== "");
}

/** Whether any process of the machine is in this namespace. */
function inUse(kind: "net" | "pid" | "mnt", namespace: string): boolean {
	return readdirSync("/proc").some((pid) => {
		try {
			return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/ns/${kind}`) === namespace;
		} catch {
			return false;
		}
	});
}

test("what happens inside stays inside, and stop leaves nothing", async (t) => {
	const before = { links: links(), mounts: readFileSync("/proc/self/mounts", "utf8") };
	const sandbox = await startSandbox();
	const network = await createNetwork(sandbox, { taps: ["tap-s0"], neighbour: true });
	const { stdout } = await sandbox.run("ls", ["/sys/class/net"]);
	t.deepEqual(stdout.split("\n").sort(), [
		"bmc0",
		"bmc0-end",
		"br-prov",
		"lo",
		"prov-nb",
		"prov-up",
		"prov-up-end",
		"tap-s0",
	]);
	const seen = await network.fromNeighbour("cat", ["/sys/class/net/eth0/operstate"]);
	t.is(seen.stdout, "up");
	await sandbox.run("sh", [
		"-ec",
		"touch /run/x /var/lib/containers/x /var/lib/ironstrap/x /var/cache/ironstrap/x",
	]);
	t.deepEqual(links(), before.links);
	t.false(existsSync("/var/lib/ironstrap/x"));
	t.true(existsSync(sandbox.path("/var/lib/ironstrap/x")));
	await sandbox.run("sh", [
		"-ec",
		'for group in /sys/fs/cgroup/*/; do mkdir -p "$group/libpod_parent/libpod-y"; done',
	]);
	t.not((await cgroups("libpod-y")).length, 0);
	const namespace = readlinkSync(`/proc/${sandbox.pid1}/ns/net`);
	await sandbox.stop();
	t.false(inUse("net", namespace));
	t.deepEqual(await cgroups("libpod-y"), []);
	t.is(readFileSync("/proc/self/mounts", "utf8"), before.mounts);
});

test("a command's input, environment, directory and failure", async (t) => {
	const sandbox = await startSandbox();
	t.teardown(() => sandbox.stop());
	const run = await sandbox.run("sh", ["-c", 'cat; echo "$GREETING $PWD"'], {
		input: "in ",
		env: { GREETING: "hello" },
		cwd: "/run/lock",
	});
	t.is(run.stdout, "in hello /run/lock");
	t.is((await sandbox.run("sh", ["-c", "exit 3"], { reject: false })).exitCode, 3);
	await t.throwsAsync(sandbox.run("sh", ["-c", "echo because >&2; exit 3"]), { code: "lab-command-failed" });
	await t.throwsAsync(sandbox.run("sleep", ["60"], { timeoutMs: 200 }), { code: "lab-command-timeout" });
});

test("a long-running command gets the signals that it is sent", async (t) => {
	const sandbox = await startSandbox();
	t.teardown(() => sandbox.stop());
	const child = sandbox.spawn("sh", [
		"-c",
		'trap "echo bye; exit 7" INT; echo ready; while :; do sleep 0.05; done',
	]);
	let output = "";
	child.stdout?.on("data", (chunk) => {
		output += String(chunk);
	});
	await until(() => output.includes("ready"), { what: "the command", deadlineMs: 5000 });
	t.true(child.kill("SIGINT"));
	const result = await child.result;
	t.is(result.exitCode, 7);
	t.regex(result.stdout, /bye/);
	t.false(child.kill());
});

test("stop asks first: a process that minds SIGTERM ends by itself, a stubborn one does not hold it up", async (t) => {
	const sandbox = await startSandbox({ stopTimeoutMs: 500 });
	const polite = sandbox.spawn("sh", ["-c", 'trap "exit 5" TERM; echo ready; while :; do sleep 0.05; done']);
	const stubborn = sandbox.spawn("sh", ["-c", 'trap "" TERM; echo ready; while :; do sleep 0.05; done']);
	await Promise.all(
		[polite, stubborn].map(({ stdout }) => new Promise((resolve) => stdout?.once("data", resolve))),
	);
	await sandbox.stop();
	t.is((await polite.result).exitCode, 5);
	t.is((await stubborn.result).signal, "SIGKILL");
	await sandbox.stop();
});

test("an aborted signal ends the sandbox", async (t) => {
	const abort = new AbortController();
	const sandbox = await startSandbox({ signal: abort.signal });
	const child = sandbox.spawn("sleep", ["600"]);
	await until(() => child.pid() !== undefined, { what: "the command", deadlineMs: 5000 });
	abort.abort();
	t.is((await child.result).signal, "SIGTERM");
	await sandbox.stop();
});

test.serial(
	"kill -9 of the owner: processes, namespaces and servers are gone, the next start sweeps the rest",
	async (t) => {
		t.timeout(120_000);
		const before = links();
		const owner = execa(process.execPath, [join(import.meta.dirname, "doomed-lab.js")], { reject: false });
		const line = await new Promise<string>((resolve, reject) => {
			createInterface({ input: owner.stdout }).once("line", resolve);
			void owner.then((result) => reject(new Error(result.stderr)));
		});
		const { pid1, workDir, commands } = JSON.parse(line) as {
			pid1: number;
			workDir: string;
			commands: string[];
		};
		t.true(commands.some((command) => command.startsWith("qemu-system")));
		t.true(commands.includes("podman"));
		const namespaces = (["net", "pid", "mnt"] as const).map(
			(kind) => [kind, readlinkSync(`/proc/${pid1}/ns/${kind}`)] as const,
		);

		process.kill(owner.pid ?? 0, "SIGKILL");
		await owner;
		await until(() => namespaces.every(([kind, namespace]) => !inUse(kind, namespace)), {
			what: "the sandbox's processes to be gone",
			deadlineMs: 5000,
		});
		t.deepEqual(links(), before);

		t.true(existsSync(workDir));
		openWorkDirectory(undefined).remove();
		t.false(existsSync(workDir));
		t.not((await cgroups("libpod-x")).length, 0);
		await (await startSandbox()).stop();
		t.deepEqual(await cgroups("libpod-x"), []);
	},
);
