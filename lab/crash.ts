import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";

/*
 * Preloaded into the product (`node --import`), it kills the process around a record of its journal, as hard as a power
 * cut would. The product knows nothing of it: it listens on the diagnostics channel that the journal publishes on.
 *
 *   IRONSTRAP_CRASH_LIST  file that gets a line a moment: SEQ WHEN PHASE STEP COMMAND
 *   IRONSTRAP_CRASH_AT    the moment to die at: its number from 1, or `WHEN PHASE STEP`
 *   IRONSTRAP_CRASH_LATE  milliseconds to live on after that moment. Default 0
 */

/** What the journal publishes; written down once more, because the product is not imported here. */
interface Moment {
	readonly when: "before" | "after";
	readonly record: { readonly command: string; readonly step: string; readonly phase: string };
}

const { IRONSTRAP_CRASH_AT: at, IRONSTRAP_CRASH_LATE: late, IRONSTRAP_CRASH_LIST: list } = process.env;
let moments = 0;

if (at !== undefined || list !== undefined)
	subscribe("ironstrap:journal", (message) => {
		const { record, when } = message as Moment;
		const name = `${when} ${record.phase} ${record.step}`;
		moments += 1;
		if (list !== undefined) appendFileSync(list, `${moments} ${name} ${record.command}\n`);
		if (at !== name && at !== String(moments)) return;
		if (late === undefined) process.kill(process.pid, "SIGKILL");
		else setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(late));
	});
