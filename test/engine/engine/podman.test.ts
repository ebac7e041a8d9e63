import { existsSync } from "node:fs";
import { join } from "node:path";
import anyTest, { type TestFn } from "ava";
import { imageStore } from "../../../lab/image-store.ts";
import { type Podman, startPodman } from "../../../lab/podman.ts";
import { type Sandbox, startSandbox } from "../../../lab/sandbox.ts";
import { until } from "../../../lab/until.ts";

const test = anyTest as TestFn<{
	sandbox: Sandbox;
	podman: Podman;
	run: <T>(name: string) => Promise<T>;
}>;

test.before(async (t) => {
	t.timeout(600_000);
	const store = await imageStore();
	const sandbox = await startSandbox({ name: "engine-test" });
	const podman = await startPodman(sandbox, { imageStores: [store] });
	const driver = join(process.cwd(), "dist/test/engine/engine/driver.js");
	t.context = {
		sandbox,
		podman,
		async run(name) {
			const options = { reject: false, timeoutMs: 90_000, cwd: process.cwd() };
			const { exitCode, stdout, stderr } = await sandbox.run(process.execPath, [driver, name], options);
			if (exitCode !== 0) throw new Error(`${name}: ${stderr}`);
			return JSON.parse(stdout);
		},
	};
});

test.after.always(async (t) => t.context.sandbox?.stop());

test.serial(
	"a volume is not removed by the start of its name, and can be made and removed twice",
	async (t) => {
		t.deepEqual(await t.context.run("volumes"), { kept: ["ironstrap-engine_datalong"], left: [] });
	},
);

test.serial("a volume of somebody else is not taken over", async (t) => {
	await t.context.sandbox.run("podman", ["volume", "create", "theirs"]);
	t.like(await t.context.run("foreign-volume"), { code: "volume-foreign" });
});

test.serial(
	"a network gets the bridge name that was asked for, and can be made twice but not as another",
	async (t) => {
		const { bridge, other, left } = await t.context.run<{
			bridge: string;
			other: { code: string };
			left: unknown;
		}>("networks");
		t.is(bridge, "is-enginetest");
		t.is(other.code, "engine-refused");
		t.deepEqual(left, []);
	},
);

test.serial(
	"a container can be made, started and removed twice, but not be replaced by making it",
	async (t) => {
		const result = await t.context.run<{ other: { code: string } }>("containers");
		t.like(result, { created: "created", running: "running", gone: "gone" });
		t.is(result.other.code, "engine-refused");
	},
);

test.serial("exec: exit code, both streams, input, large output, a missing command, an abort", async (t) => {
	t.deepEqual(await t.context.run("exec"), {
		code: { exitCode: 7, stdout: "out\n", stderr: "err\n" },
		counted: "300005",
		bytes: 3_000_000,
		missing: 127,
		aborted: "stopped by the test",
	});
});

test.serial("the end of a one-shot is waited for; its code and its log are there", async (t) => {
	t.deepEqual(await t.context.run("one-shot"), {
		exitCode: 3,
		state: "exited",
		observedCode: 3,
		tail: ["first", "second"],
	});
});

test.serial("a log can be followed to its end", async (t) => {
	t.deepEqual(await t.context.run("follow"), { text: "line 1\nline 2\nline 3\n" });
});

test.serial("a signal reaches the program and does not end the container", async (t) => {
	t.is(await t.context.run("signal"), "running");
});

test.serial("the root file system is read-only and tmpfs options are kept", async (t) => {
	const { stdout, info } = await t.context.run<{ stdout: string; info: object }>("limits");
	t.regex(stdout, /Read-only file system/);
	t.regex(stdout, /\n1777\n/);
	t.regex(stdout, /size=1024k/);
	t.like(info, { kind: "podman", rootless: false });
});

test.serial("a missing image is named, with what to do", async (t) => {
	t.like(await t.context.run("missing-image"), {
		code: "image-missing",
		message: "the container engine has no image localhost/none:1 for x",
	});
});

test.serial("a bind whose source is missing is refused, and no directory is made of it", async (t) => {
	t.like(await t.context.run("missing-source"), { code: "mount-source-missing" });
	t.false(existsSync(t.context.sandbox.path("/nowhere")));
});

test.serial("images: inspection and list agree; a broken archive is refused", async (t) => {
	const result = await t.context.run<{ id: string; bad: { code: string } }>("images");
	t.like(result, { same: true, none: "none" });
	t.regex(result.id, /^sha256:[0-9a-f]{64}$/);
	t.regex(result.bad.code, /^(image-archive-refused|engine-refused)$/);
});

test.serial(
	"without its API running, Podman's is started for the command, and ends with it, also by a kill",
	async (t) => {
		const { podman, run, sandbox } = t.context;
		podman.process.kill("SIGTERM");
		await podman.process.result;
		const services = async () =>
			(await sandbox.run("pgrep", ["-fc", "podman system service"], { reject: false })).stdout;
		const found = await run<{ socket: string; kind: string }>("own-service");
		t.is(found.kind, "podman");
		t.regex(found.socket, /^\/run\/ironstrap-podman\/\d+\.sock$/);
		await until(async () => (await services()) === "0", { what: "the service to end", deadlineMs: 10_000 });
		t.false(existsSync(sandbox.path("/run/ironstrap-podman")));
		// it did not take the container along
		t.regex((await sandbox.run("podman", ["ps", "--format", "{{.Names}}"])).stdout, /-one-1/);
		await t.throwsAsync(run("own-service-killed"));
		await until(async () => (await services()) === "0", { what: "the service to end", deadlineMs: 10_000 });
		t.is((await sandbox.run("podman", ["ps", "--all", "--quiet"])).stdout, "");
	},
);
