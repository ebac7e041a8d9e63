import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { findLogin, parseSshConnection } from "../../../src/linux/login.ts";

test("SSH_CONNECTION, in each of its forms", (t) => {
	t.deepEqual(parseSshConnection("10.0.0.7 51234 10.0.0.5 22"), { from: "10.0.0.7", to: "10.0.0.5" });
	t.deepEqual(parseSshConnection("::ffff:10.0.0.7 5 ::ffff:10.0.0.5 22"), {
		from: "10.0.0.7",
		to: "10.0.0.5",
	});
	t.deepEqual(parseSshConnection("fe80::1%eth0 5 fe80::2%eth0 22"), { from: "fe80::1", to: "fe80::2" });
	t.is(parseSshConnection("nonsense"), undefined);
});

test("below sudo, the shell that it was typed in still has it", async (t) => {
	const root = mkdtempSync(join(tmpdir(), "ironstrap-proc-"));
	t.teardown(() => rmSync(root, { recursive: true }));
	const processes = [
		[300, "node) S (x", 200, "PATH=/bin\0"],
		[200, "sudo", 100, ""],
		[100, "bash", 1, "HOME=/root\0SSH_CONNECTION=10.0.0.7 51234 10.0.0.5 22\0"],
	] as const;
	for (const [pid, name, parent, environ] of processes) {
		mkdirSync(join(root, `proc/${pid}`), { recursive: true });
		writeFileSync(join(root, `proc/${pid}/stat`), `${pid} (${name}) S ${parent} 1 1 0`);
		writeFileSync(join(root, `proc/${pid}/environ`), environ);
	}
	t.deepEqual(await findLogin({}, { root, pid: 300 }), { from: "10.0.0.7", to: "10.0.0.5" });
	t.is(await findLogin({}, { root, pid: 999 }), undefined);
	t.deepEqual(await findLogin({ SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" }, { root, pid: 300 }), {
		from: "192.0.2.1",
		to: "192.0.2.2",
	});
});
