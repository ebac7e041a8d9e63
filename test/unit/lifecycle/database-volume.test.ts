import test from "ava";
import { parseServerRecord } from "../../../src/lifecycle/database-volume.ts";

test("what the volume says of its last server is read as it was written, and nothing else is", (t) => {
	t.deepEqual(parseServerRecord("11.8.9 clean\n"), { version: "11.8.9", clean: true });
	t.deepEqual(parseServerRecord("10.5.23 unclean\n"), { version: "10.5.23", clean: false });
	for (const text of ["", "11.8.9", "11.8.9 clean", " clean\n", "11.8.9 CLEAN\n", "11.8.9 clean\nmore\n"])
		t.is(parseServerRecord(text), undefined, JSON.stringify(text));
});
