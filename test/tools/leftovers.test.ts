import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { ownerTag } from "../../lab/owner.ts";
import { createProject, outcomeOf, run, start } from "./project.ts";

const sweeper =
	'import { sweep } from "./tools/lib/leftovers.mjs";\nconsole.log(JSON.stringify(sweep({ folders: ["work"], cgroupRoot: "groups" })));\n';

test("what dead runs left is removed; what is alive, or nobody's for certain, stays", async (t) => {
	const project = await createProject(t, { "sweep.mjs": sweeper });
	const other = start(project, ["sleep", "3600"]);
	t.teardown(() => other.kill("SIGKILL"));
	const living = `ironstrap-lab-${ownerTag()}`;
	const dying = `ironstrap-lab-${ownerTag(other.pid)}`;
	const emptyNamespace = "ironstrap-lab-1-1-1";
	const stays = [`work/${living}`, "work/ironstrap-lab-notes", "work/elsewhere", `groups/memory/${living}-0`];
	const goes = [
		`work/${dying}-disks`,
		`work/${emptyNamespace}`,
		`groups/memory/${dying}-0`,
		`groups/pids/${dying}-0/libpod_parent/libpod-1`,
	];
	for (const path of [...stays, ...goes]) await mkdir(join(project, path), { recursive: true });
	other.kill("SIGKILL");
	await outcomeOf(other);

	const { lastLine } = await run(project, [process.execPath, "sweep.mjs"]);
	t.deepEqual(JSON.parse(lastLine), [
		`work/${emptyNamespace}`,
		`work/${dying}-disks`,
		`groups/memory/${dying}-0`,
		`groups/pids/${dying}-0`,
	]);
	for (const path of stays) t.true(existsSync(join(project, path)), path);
});

const scratch = {
	"dist/test/unit/scratch.test.js": `import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
test("leaves a folder", (t) => {
	t.log(mkdtempSync(join(tmpdir(), "scratch-")));
	if (process.env.KILL) process.kill(process.ppid, "SIGKILL");
	t.pass();
});
`,
};

test("what a test leaves in its temporary folder goes with the run, after a kill with the next sweep", async (t) => {
	const folder = "tmp";
	const project = await createProject(t, {
		...scratch,
		"sweep.mjs": sweeper.replace("work", folder),
	});
	await mkdir(join(project, folder));
	const ava = (env: NodeJS.ProcessEnv = {}) =>
		run(project, [process.execPath, "node_modules/ava/entrypoints/cli.mjs"], {
			TMPDIR: join(project, folder),
			...env,
		});
	const { end, stdout } = await ava();
	t.is(end, 0, stdout);
	t.regex(stdout, /\/tmp\/ironstrap-lab-\d+-\d+-\d+\/scratch-/);
	t.deepEqual(await readdir(join(project, folder)), []);

	t.is((await ava({ KILL: "1" })).end, "SIGKILL");
	const [left = "none"] = await readdir(join(project, folder));
	t.regex(left, /^ironstrap-lab-/);
	const { lastLine } = await run(project, [process.execPath, "sweep.mjs"]);
	t.deepEqual(JSON.parse(lastLine), [join(folder, left)]);
	t.deepEqual(await readdir(join(project, folder)), []);
});
