/** The same without keys whose value is `undefined`, at every depth: what JSON would write. */
export function withoutUndefined<T>(value: T): T {
	if (Array.isArray(value)) return value.map(withoutUndefined) as T;
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([, entry]) => entry !== undefined)
			.map(([key, entry]) => [key, withoutUndefined(entry)]),
	) as T;
}

/** `value` without what `defaults` has as well, and without objects that are empty then. */
export function withoutDefaults(value: unknown, defaults: unknown): unknown {
	if (!isObject(value)) return value;
	const entries = Object.entries(value).flatMap(([key, entry]): [string, unknown][] => {
		const standard = isObject(defaults) ? defaults[key] : undefined;
		if (entry === undefined || entry === standard) return [];
		const rest = withoutDefaults(entry, standard);
		return isObject(rest) && Object.keys(rest).length === 0 ? [] : [[key, rest]];
	});
	return Object.fromEntries(entries);
}

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
