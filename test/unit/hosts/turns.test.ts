import test from "ava";
import { turnOf } from "../../../src/hosts/turn.ts";
import { openTurns } from "../../../src/hosts/turns.ts";
import type { StepTools } from "../../../src/steps/step.ts";
import { host, memoryStore, site } from "./_fixtures.ts";
import { modelIronic } from "./_model-ironic.ts";

test("so many at once, so many of one BMC, and no two switched on together", (t) => {
	let now = 0;
	const turns = openTurns({ hosts: 3, perBmc: 2, powerOnEvery: 500 }, () => now);
	const take = (bmc: string) => {
		const taken = turns.tryTake(bmc);
		return "release" in taken ? taken.release : taken.ahead;
	};
	const first = take("a");
	t.is(typeof first, "function");
	t.is(take("b"), 1, "too soon after the first");
	now = 500;
	t.is(typeof take("a"), "function");
	now = 1000;
	t.is(take("a"), 2, "two of one BMC");
	t.is(typeof take("b"), "function");
	now = 1500;
	t.is(take("c"), 3, "three at once");
	if (typeof first === "function") {
		first();
		first();
	}
	t.is(typeof take("c"), "function");
	now = 2000;
	t.is(take("a"), 3, "given back once, however often");
});

test("a host takes a turn for what makes its server work, keeps it meanwhile, and gives it back", async (t) => {
	const turns = openTurns({ hosts: 1, perBmc: 1, powerOnEvery: 1 });
	const context = { site: site([host()]), ironic: modelIronic(), store: memoryStore(), turns };
	const waited: string[] = [];
	const tools: StepTools = {
		signal: new AbortController().signal,
		emit: () => undefined,
		async waitFor(spec, look) {
			const found = await look(tools.signal);
			if (found === undefined) {
				waited.push(`${spec.what}: ${typeof spec.why === "function" ? spec.why() : ""}`);
				throw new Error("waits");
			}
			return found;
		},
	};
	const one = turnOf(context, tools, host());
	const two = turnOf(context, tools, host({}, { name: "cp-1" }));
	await one.take({ kind: "enrol" });
	await one.take({ kind: "change", target: "manage", operation: "register" });
	await one.take({ kind: "change", target: "inspect", operation: "inspect" });
	await one.take({ kind: "record", state: "preparing" });
	await t.throwsAsync(two.take({ kind: "deploy" }), { message: "waits" });
	t.deepEqual(waited, ["the turn of metal3/cp-1: 1 other servers are being worked on"]);
	one.release();
	await new Promise((resolve) => setTimeout(resolve, 5));
	await t.notThrowsAsync(two.take({ kind: "deploy" }));
	// switching off and what only Ironic's database sees needs none
	await one.take({ kind: "power", target: "power off" });
	await one.take({ kind: "change", target: "adopt", operation: "adopt" });
	t.is(waited.length, 1);
});

test("cleaning that is switched off makes no server work", async (t) => {
	const turns = openTurns({ hosts: 1, perBmc: 1, powerOnEvery: 60_000 });
	const context = { site: site([host()]), ironic: modelIronic(), store: memoryStore(), turns };
	const tools = { waitFor: () => Promise.reject(new Error("waits")) } as unknown as StepTools;
	const turn = turnOf(context, tools, host({ automatedCleaningMode: "disabled" }));
	await t.notThrowsAsync(turn.take({ kind: "change", target: "provide", operation: "prepare" }));
	const cleaned = turnOf(context, tools, host());
	await t.throwsAsync(cleaned.take({ kind: "change", target: "provide", operation: "prepare" }));
});
