import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { editedFiles, stackFilesMatch, writeStackFiles } from "../../../src/lifecycle/stack-files.ts";
import type { ConfigFile, Stack } from "../../../src/stack/inputs.ts";

const { gid, uid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

function file(path: string): ConfigFile {
	return { path, content: `the ${path}`, mode: 0o400, uid, gid, secret: false, live: false };
}

function stackIn(runDirectory: string): Stack {
	return {
		project: { name: "ironstrap-x", services: {}, networks: {}, volumes: {} },
		directories: [{ path: "ironic", mode: 0o700, uid, gid }],
		files: [file("ironic/ironic.conf"), file("ironic/secrets.conf")],
		runDirectory,
		imageIds: {},
	};
}

test("a file with another content is an edited one; one that is missing or was never written is not", async (t) => {
	const directory = mkdtempSync(join(tmpdir(), "ironstrap-files-"));
	t.teardown(() => rmSync(directory, { recursive: true }));
	const stack = stackIn(join(directory, "run"));
	t.deepEqual(await editedFiles(stack), []);
	await writeStackFiles(stack);
	t.deepEqual(await editedFiles(stack), []);
	writeFileSync(join(stack.runDirectory, "ironic/ironic.conf"), "debug = true");
	rmSync(join(stack.runDirectory, "ironic/secrets.conf"));
	t.deepEqual(await editedFiles(stack), ["ironic/ironic.conf"]);
	t.false(await stackFilesMatch(stack));
	await writeStackFiles(stack);
	t.true(await stackFilesMatch(stack));
});
