import { chmod, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { createProject, outcomeOf, run, start, write } from "./project.ts";

/*
 * The real script in a project of its own, with stand-ins for what would change this machine (npm, apt-get and dpkg-query
 * only write down how they were called) and for the build.
 */
const recorded = (name: string, rest: string) => `#!/bin/sh\necho "${name} $*" >>"$RECORD"\n${rest}\n`;
const endlessNpm = recorded("npm", `trap 'kill $!; echo ended >>"$RECORD"; exit 1' TERM; sleep 3600 & wait`);
const everythingInstalled = { "dpkg-query": "#!/bin/sh\nprintf installed\n" };

test("on a machine with all packages it installs node_modules, once, and becomes the program", async (t) => {
	const { project, env, record } = await createMachine(t);
	const { end, stdout } = await run(project, ["sh", "tools/setup.sh", "demo", "a b", "c"], env);
	t.is(stdout, "the demo: [a b] [c]\n");
	t.is(end, 0);
	t.deepEqual(await record(), ["npm ci --no-audit --no-fund --loglevel=error"]);

	await run(project, ["sh", "tools/setup.sh", "demo"], env);
	t.is((await record()).length, 1, "npm ci is not repeated");

	await write(project, { "package-lock.json": "{}\n" });
	await run(project, ["sh", "tools/setup.sh", "demo"], env);
	t.is((await record()).length, 2, "npm ci is repeated for another lock file");
});

test("it stops at the first failure, and a test run still ends with its count", async (t) => {
	const { project, env } = await createMachine(t, { npm: recorded("npm", "exit 1") });
	const { end, stdout, stderr } = await run(project, ["sh", "tools/setup.sh", "test"], env);
	t.is(stdout, "0 passed, 1 failed\n");
	t.regex(stderr, /^setup: npm ci failed: see above$/m);
	t.is(end, 2);
});

test("an old Node is refused", async (t) => {
	const { project, env } = await createMachine(t, {
		node: '#!/bin/sh\n[ "$1" = --version ] && echo v18.20.4\nexit 1\n',
	});
	const { end, stderr } = await run(project, ["sh", "tools/setup.sh", "demo"], env);
	t.is(stderr, "setup: Node.js 20.19 or newer is needed; this is v18.20.4\n");
	t.is(end, 2);
});

test("an interrupted set-up stops at once and takes its child along", async (t) => {
	const { project, env, record } = await createMachine(t, {
		npm: endlessNpm,
	});
	const child = start(project, ["sh", "tools/setup.sh", "test"], env);
	t.teardown(() => child.kill("SIGKILL"));
	await until(async () => (await record()).length === 1);
	child.kill("SIGINT");
	const { end, lastLine } = await outcomeOf(child);
	t.is(lastLine, "0 passed, 1 failed");
	t.is(end, 130);
	t.is((await record()).at(-1), "ended");
});

test("it ends when the process that started it is killed", async (t) => {
	const { project, env, record } = await createMachine(t, {
		npm: endlessNpm,
	});
	const parent = start(project, ["sh", "-c", "sh tools/setup.sh test; true"], env);
	t.teardown(() => parent.kill("SIGKILL"));
	await until(async () => (await record()).length === 1);
	parent.kill("SIGKILL");
	await until(async () => (await record()).at(-1) === "ended");
	t.pass();
});

test("the program ends when the process that started it is killed", async (t) => {
	const { project, env, record } = await createMachine(t);
	await write(project, {
		"dist/lab/demo/main.js": [
			'import { appendFileSync } from "node:fs";',
			"const say = (text) => appendFileSync(process.env.RECORD, text);",
			'process.on("SIGTERM", () => { say("ended\\n"); process.exit(); });',
			'say("started\\n");',
			"setInterval(() => {}, 1_000);",
			"",
		].join("\n"),
	});
	const parent = start(project, ["sh", "-c", "sh tools/setup.sh demo; true"], env);
	t.teardown(() => parent.kill("SIGKILL"));
	await until(async () => (await record()).at(-1) === "started");
	parent.kill("SIGKILL");
	await until(async () => (await record()).at(-1) === "ended");
	t.pass();
});

test("the packages bring no engine or server daemon", async (t) => {
	const script = await readFile(join(await createProject(t), "tools/setup.sh"), "utf8");
	const packages = /^packages="([^"]+)"/m.exec(script)?.[1]?.split(/\s+/) ?? [];
	t.true(packages.includes("podman"));
	for (const daemon of ["docker.io", "apache2", "mariadb-server", "dnsmasq", "firewalld"])
		t.false(packages.includes(daemon));
});

async function createMachine(t: ExecutionContext, replaced: Readonly<Record<string, string>> = {}) {
	const project = await createProject(t, {
		"tools/build.mjs": 'console.log("built");\n',
		"dist/lab/demo/main.js":
			'console.log("the demo:", ...process.argv.slice(2).map((word) => "[" + word + "]"));\n',
	});
	const commands = {
		npm: recorded("npm", ""),
		"apt-get": recorded("apt-get", "exit 1"),
		...everythingInstalled,
		...replaced,
	};
	// The stamp must not be written into the real packages: a folder of links to them.
	await rm(join(project, "node_modules"));
	await run(project, [
		"sh",
		"-c",
		`mkdir node_modules && ln -s "${process.cwd()}"/node_modules/* node_modules/`,
	]);
	for (const [name, text] of Object.entries(commands)) {
		await write(project, { [`stand-ins/${name}`]: text });
		await chmod(join(project, "stand-ins", name), 0o755);
	}
	const recordPath = join(project, "record");
	const env = { PATH: `${join(project, "stand-ins")}:${process.env.PATH}`, RECORD: recordPath };
	const record = async () => {
		const text = await readFile(recordPath, "utf8").catch(() => "");
		return text.split("\n").filter((line) => line !== "");
	};
	return { project, env, record };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
	const deadline = performance.now() + 20_000;
	while (!(await holds())) {
		if (performance.now() > deadline) throw new Error("gave up waiting");
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
