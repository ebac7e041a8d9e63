import { isObject } from "./plain.ts";

/** Where a found object lacks what was written, or has it otherwise; what it has besides is left to its schema's defaults. */
export function missingFaults(written: unknown, found: unknown, path: string): readonly string[] {
	if (!isObject(written)) return readBackFaults(written, found, path);
	if (!isObject(found)) return [`${path}: ${show(found)} instead of ${show(written)}`];
	return Object.keys(written).flatMap((key) => missingFaults(written[key], found[key], `${path}.${key}`));
}

/**
 * Where what was read back differs from what was written, one line each. Tolerated is what a server adds by default
 * (zero, false, empty) and the absence of a `null`, which a merge patch cannot write.
 */
export function readBackFaults(written: unknown, found: unknown, path: string): readonly string[] {
	if (written === undefined || written === null)
		return isNothing(found) ? [] : [`${path}: there is ${show(found)}`];
	if (Array.isArray(written)) {
		if (!Array.isArray(found) || found.length !== written.length)
			return [`${path}: ${show(found)} instead of ${show(written)}`];
		return written.flatMap((item, index) => readBackFaults(item, found[index], `${path}[${index}]`));
	}
	if (isObject(written)) {
		if (!isObject(found))
			return isNothing(written) ? [] : [`${path}: ${show(found)} instead of ${show(written)}`];
		const keys = new Set([...Object.keys(written), ...Object.keys(found)]);
		return [...keys].sort().flatMap((key) => readBackFaults(written[key], found[key], `${path}.${key}`));
	}
	return written === found ? [] : [`${path}: ${show(found)} instead of ${show(written)}`];
}

function isNothing(value: unknown): boolean {
	if (value === undefined || value === null || value === "" || value === 0 || value === false) return true;
	if (Array.isArray(value)) return value.length === 0;
	return isObject(value) && Object.values(value).every(isNothing);
}

function show(value: unknown): string {
	return value === undefined ? "nothing" : JSON.stringify(value);
}
