/** What the emulator is told to do wrong. `method` and `path` (a regular expression) narrow it; `times` ends it. */
export type Fault = FaultFilter &
	(
		| { readonly kind: "status"; readonly status: number }
		/** Closes the connection instead of acting. */
		| { readonly kind: "drop" }
		/** Acts, then closes the connection without an answer: the caller cannot know. */
		| { readonly kind: "drop-answer" }
		| { readonly kind: "delay"; readonly milliseconds: number }
		/** Answers as if the password had been changed. */
		| { readonly kind: "reject-credentials" }
		/** The server does not come on. `silently`: the BMC answers as if it had. */
		| { readonly kind: "refuse-power-on"; readonly silently?: boolean }
	);

interface FaultFilter {
	readonly method?: string | undefined;
	readonly path?: string | undefined;
	/** How many requests it strikes. Default: all. */
	readonly times?: number | undefined;
}

/** The switched-on faults. */
export interface Faults {
	list(): readonly Fault[];
	set(faults: readonly Fault[]): void;
	/** The first fault of this kind that applies to the request; counts it as used. */
	take<K extends Fault["kind"]>(
		kind: K,
		method: string,
		path: string,
	): Extract<Fault, { kind: K }> | undefined;
}

export function createFaults(initial: readonly Fault[]): Faults {
	let active = [...initial];
	return {
		list: () => active,
		set(faults) {
			active = [...faults];
		},
		take(kind, method, path) {
			const index = active.findIndex((fault) => fault.kind === kind && strikes(fault, method, path));
			const fault = active[index];
			if (fault === undefined) return undefined;
			if (fault.times !== undefined) active[index] = { ...fault, times: fault.times - 1 };
			return fault as Extract<Fault, { kind: typeof kind }>;
		},
	};
}

function strikes(fault: Fault, method: string, path: string): boolean {
	if (fault.times !== undefined && fault.times <= 0) return false;
	if (fault.method !== undefined && fault.method !== method) return false;
	return fault.path === undefined || new RegExp(fault.path).test(path);
}
