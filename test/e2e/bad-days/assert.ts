import type { ExecutionContext } from "ava";
import type { Outcome } from "../../../lab/story/product.ts";
import { faultText } from "../../../src/cli/render/fault.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import { begun, type Fault, faultsOf, type Machine } from "./machine.ts";
import { snapshot } from "./snapshot.ts";

/** What a person reads on a terminal, with what differs from run to run taken out. */
export function said(machine: Machine, outcome: Outcome): string {
	return faultsOf(outcome)
		.map((fault) => faultText(new IronstrapError(fault), false))
		.sort()
		.join("\n")
		.replaceAll(machine.folder, "SITE")
		.replaceAll(machine.lab.workDir, "WORK")
		.replace(/\d+(\.\d+)? [KMG]iB free/g, "SOME free");
}

/** The fault of one host. */
export function faultOf(outcome: Outcome, host: string): Fault | undefined {
	return faultsOf(outcome).find(({ subject }) => subject === `BareMetalHost metal3/${host}`);
}

/** `up` refuses with these words before any step has begun, and everything is as it was. */
export async function refused(
	t: ExecutionContext,
	machine: Machine,
	exitCode: number,
	words: string,
): Promise<void> {
	const before = await snapshot(machine.lab.sandbox);
	const outcome = await machine.up();
	t.is(said(machine, outcome), words.trim());
	t.is(outcome.exitCode, exitCode);
	t.deepEqual(begun(outcome.lines), []);
	t.deepEqual(await snapshot(machine.lab.sandbox), before);
}
