/** A place in a text that a person wrote: what an editor needs to jump there. Line and column count from 1. */
export interface SourceRef {
	readonly file: string;
	readonly line: number;
	readonly column: number;
}

export interface IronstrapErrorDetails {
	/** Stable identifier, kebab-case, documented in docs/errors.md. */
	readonly code: string;
	/** What failed, as one sentence without a final period. */
	readonly message: string;
	/** The place in the user's own text that it is about, if any. */
	readonly where?: SourceRef | undefined;
	/** The object it is about, e.g. `BareMetalHost metal3/cp-0`. */
	readonly subject?: string | undefined;
	/** What was seen, verbatim where that helps (never a secret). */
	readonly seen?: string | undefined;
	/** What to type or change next. */
	readonly fix?: string | undefined;
	readonly cause?: unknown;
}

/**
 * The one error type that reaches a person. Everything needed to understand it at 3 a.m. is a field,
 * so that each renderer (terminal, plain, JSON) can lay it out itself.
 */
export class IronstrapError extends Error {
	readonly code: string;
	readonly where: SourceRef | undefined;
	readonly subject: string | undefined;
	readonly seen: string | undefined;
	readonly fix: string | undefined;

	constructor(details: IronstrapErrorDetails) {
		super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
		this.name = "IronstrapError";
		this.code = details.code;
		this.where = details.where;
		this.subject = details.subject;
		this.seen = details.seen;
		this.fix = details.fix;
	}
}

/** Several faults found together (a lint run); the first is the one a one-line report shows. */
export class IronstrapErrors extends AggregateError {
	declare readonly errors: IronstrapError[];

	constructor(errors: readonly IronstrapError[]) {
		super([...errors], errors[0]?.message ?? "no error");
		this.name = "IronstrapErrors";
	}
}

/** The faults inside anything thrown; unknown errors become one fault with the code `unexpected`. */
export function faultsOf(error: unknown): readonly IronstrapError[] {
	if (error instanceof IronstrapErrors) return error.errors;
	if (error instanceof IronstrapError) return [error];
	const message = error instanceof Error ? error.message : String(error);
	return [new IronstrapError({ code: "unexpected", message, cause: error })];
}
