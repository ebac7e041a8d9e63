import { subscribe } from "node:diagnostics_channel";
import type { JournalMoment } from "../../../src/steps/journal.ts";

/* Preloaded into the command: kills it at one moment of its journal, `DIE_AT="STEP PHASE before|after"`. */

subscribe("ironstrap:journal", (message) => {
	const { record, when } = message as JournalMoment;
	if (process.env.DIE_AT === `${record.step} ${record.phase} ${when}`) process.kill(process.pid, "SIGKILL");
});
