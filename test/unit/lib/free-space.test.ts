import test from "ava";
import { IronstrapError } from "../../../src/lib/errors.ts";
import { formatBytes, freeSpace, spaceFault } from "../../../src/lib/free-space.ts";

test("free space is that of the nearest folder that exists", (t) => {
	const { at, free, total } = freeSpace("/proc/self/nowhere/at/all");
	t.is(at, "/proc/self");
	t.true(free <= total);
});

test("sizes are told in the unit that fits", (t) => {
	t.deepEqual([0, 5 * 1024, 130.9 * 1024 ** 2, 2.5 * 1024 ** 3].map(formatBytes), [
		"0 KiB",
		"5 KiB",
		"130 MiB",
		"2.5 GiB",
	]);
});

test("only a full disk becomes a fault of its own", (t) => {
	const other = Object.assign(new Error("EACCES"), { code: "EACCES" });
	t.is(spaceFault("/tmp/x", other), other);
	const full = spaceFault("/tmp/x", Object.assign(new Error("ENOSPC"), { code: "ENOSPC" }));
	t.true(full instanceof IronstrapError);
	t.like(full, { code: "disk-full", message: "there is no space left for /tmp/x" });
});
