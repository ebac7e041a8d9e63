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

/** JSON merge patch (RFC 7396): objects are merged, `null` removes, everything else replaces. */
export function mergePatch(base: unknown, patch: unknown): unknown {
	if (!isObject(patch)) return patch;
	const result: Record<string, unknown> = isObject(base) ? { ...base } : {};
	for (const [key, value] of Object.entries(patch)) {
		if (value === null) delete result[key];
		else result[key] = mergePatch(result[key], value);
	}
	return result;
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
