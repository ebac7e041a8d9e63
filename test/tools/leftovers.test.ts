import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { ownerTag } from "../../lab/owner.ts";
import { createProject, outcomeOf, run, start } from "./project.ts";

const sweeper =
	'import { sweep } from "./tools/lib/leftovers.mjs";\nconsole.log(JSON.stringify(sweep({ workParent: "work", cgroupRoot: "groups" })));\n';

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
