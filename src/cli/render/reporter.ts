import type { EventSink } from "../../steps/events.ts";

/** Where a command's output goes: a live terminal, plain lines, or JSON. The only thing that talks to a person. */
export interface Reporter {
	readonly emit: EventSink;
	/** The command's result: printed last, as one JSON object in JSON mode, as `text` otherwise. */
	result(value: object, text: string): void;
	/** Lines of a stream such as `logs`; in JSON mode one object each. */
	line(fields: Readonly<Record<string, string>>, text: string): void;
	/** What went wrong, laid out for a tired person. */
	fail(error: unknown): void;
	/** Restores the terminal; safe to call twice. */
	close(): void;
}
