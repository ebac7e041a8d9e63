import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { assetPath } from "../../../src/assets/assets.ts";

const module = "usr/lib/python3/dist-packages/ironic/api/controllers/v1/node.py";

// The lines in question of Debian's packages.
const broken = `        if parent_node := api_utils.authorize_node_link_patch(
                rpc_node, patch, 'parent_node'):
            corrected_values['parent_node'] = parent_node.uuid

        self._update_changed_fields(node, rpc_node)
`;
const corrected = `        if parent_node := api_utils.authorize_node_link_patch(
                rpc_node, patch, 'parent_node'):
            if parent_node.uuid != rpc_node.uuid:
                corrected_values['parent_node'] = parent_node.uuid

        self._update_changed_fields(node, rpc_node)
`;
const before = "        self._update_changed_fields(node, rpc_node)\n";
const unknown = `${broken}        corrected_values['parent_node'] = None\n            corrected_values['parent_node'] = parent_node.uuid\n`;

/** Runs the script on a tree that holds only this module; compiling is noted instead of done. */
async function fix(text: string) {
	const folder = await mkdtemp(join(tmpdir(), "ironstrap-fix-"));
	const file = join(folder, "root", module);
	try {
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, text);
		await mkdir(join(folder, "bin"));
		await writeFile(join(folder, "bin/chroot"), `#!/bin/sh\necho "$@" > ${folder}/compiled\n`);
		await chmod(join(folder, "bin/chroot"), 0o755);
		const script = assetPath("images/ironic/fix-parent-node.sh");
		const env = { ...process.env, PATH: `${folder}/bin:${process.env.PATH}` };
		const run = () => promisify(execFile)("sh", [script, join(folder, "root")], { env });
		await run();
		const once = await readFile(file, "utf8");
		await run();
		const twice = await readFile(file, "utf8");
		const compiled = await readFile(join(folder, "compiled"), "utf8").catch(() => undefined);
		return { once, twice, compiled };
	} finally {
		await rm(folder, { recursive: true });
	}
}

test("the regression is corrected, compiled, and a second run changes nothing", async (t) => {
	const { once, twice, compiled } = await fix(broken);
	t.is(once, corrected);
	t.is(twice, corrected);
	t.regex(compiled ?? "", /py_compile \/usr\/lib\/python3/);
});

test("a version that Debian has corrected is left alone", async (t) => {
	const { once, compiled } = await fix(corrected);
	t.is(once, corrected);
	t.is(compiled, undefined);
});

test("a version before the backport is left alone", async (t) => {
	const { once, compiled } = await fix(before);
	t.is(once, before);
	t.is(compiled, undefined);
});

test("a version that looks different from all known ones stops the build", async (t) => {
	const error = await t.throwsAsync(fix(unknown));
	t.regex(String((error as { stderr?: string }).stderr), /must be reviewed/);
});
