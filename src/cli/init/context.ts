import type { Answers } from "../../init/answers.ts";
import type { MachineFacts } from "../../init/facts.ts";
import type { SitePlan } from "../../init/plan.ts";
import type { Terminal } from "../terminal.ts";

/** What both ways of answering end with. */
export interface Decided {
	readonly plan: SitePlan;
	/** By host name. */
	readonly passwords: ReadonlyMap<string, string>;
}

/** What the questions share. */
export interface Interview {
	readonly terminal: Terminal;
	readonly facts: MachineFacts;
	readonly signal: AbortSignal;
	/** By host name; never written but into the Secrets of the finished site. */
	readonly passwords: Map<string, string>;
	/** Keeps the answers so far, so that an interrupted run can be continued. */
	save(answers: Answers): Promise<Answers>;
}
