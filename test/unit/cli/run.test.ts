import test from "ava";
import { runCommand } from "../../../src/cli/run.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";

const where = { file: "site.yaml", line: 1, column: 1 };

test.serial(
	"what is wrong in a manifest is exit code 2 before anything has begun, 1 afterwards",
	async (t) => {
		const fail = () => Promise.reject(new IronstrapError({ code: "x", message: "x", where }));
		t.is(await runCommand(false, fail), 2);
		t.is(
			await runCommand(false, ({ report }) => {
				report.emit({ type: "step-finished", step: "a", title: "a", seconds: 0, skipped: true });
				return fail();
			}),
			2,
		);
		t.is(
			await runCommand(false, ({ report }) => {
				report.emit({ type: "step-started", step: "a", title: "a" });
				return fail();
			}),
			1,
		);
	},
);
