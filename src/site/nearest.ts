/**
 * The candidate that a person most likely meant, or `undefined` if none is near. Letter case does not count;
 * about one mistake (a letter missing, added, changed, or two swapped) is allowed for every three letters.
 */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
	const text = written.toLowerCase();
	let best: { name: string; distance: number } | undefined;
	for (const name of candidates) {
		const limit = Math.max(1, Math.floor(Math.min(name.length, text.length) / 3));
		if (Math.abs(name.length - text.length) > limit) continue;
		const distance = editDistance(text, name.toLowerCase());
		if (distance <= limit && (best === undefined || distance < best.distance)) best = { name, distance };
	}
	return best?.name;
}

/** Damerau-Levenshtein distance (neighbouring letters swapped count once). */
export function editDistance(a: string, b: string): number {
	let beforeLast: number[] = [];
	let last = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++) {
			const cost = a[i - 1] === b[j - 1] ? 0 : 1;
			let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
				value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
			row.push(value);
		}
		beforeLast = last;
		last = row;
	}
	return last[b.length] ?? 0;
}
