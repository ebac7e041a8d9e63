/** RFC 7396: maps are merged, `null` removes a key, anything else (lists too) replaces. The inputs stay as they are. */
export function mergePatch(target: unknown, patch: unknown): unknown {
	if (!isMapping(patch)) return patch;
	const result: Record<string, unknown> = isMapping(target) ? { ...target } : {};
	for (const [key, value] of Object.entries(patch))
		if (value === null) delete result[key];
		else result[key] = mergePatch(result[key], value);
	return result;
}

function isMapping(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
