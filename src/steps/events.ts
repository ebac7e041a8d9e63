import type { IronstrapError } from "../lib/errors.ts";

/** What use cases tell whoever listens: a terminal, a log, `status` in another process. */
export type RunEvent =
	| { readonly type: "step-started"; readonly step: string; readonly title: string }
	| {
			readonly type: "step-finished";
			readonly step: string;
			readonly title: string;
			readonly seconds: number;
			readonly skipped: boolean;
	  }
	| {
			readonly type: "step-failed";
			readonly step: string;
			readonly title: string;
			readonly error: IronstrapError;
	  }
	| { readonly type: "waiting"; readonly wait: WaitState }
	| { readonly type: "wait-over"; readonly id: string; readonly seconds: number }
	| { readonly type: "host"; readonly host: string; readonly state: string; readonly detail: string }
	| {
			readonly type: "progress";
			readonly what: string;
			readonly done: number;
			readonly total: number | undefined;
			readonly unit: "bytes" | "items";
	  }
	| { readonly type: "note"; readonly level: "info" | "warning"; readonly message: string };

/** A wait that is going on now. Times are ISO 8601, UTC. */
export interface WaitState {
	readonly id: string;
	readonly what: string;
	readonly why: string;
	readonly subject: string | undefined;
	readonly since: string;
	readonly deadline: string;
}

export type EventSink = (event: RunEvent) => void;
