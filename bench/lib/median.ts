/** The middle value; of an even number, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const [below, above] = [sorted[middle - 1], sorted[middle]];
	if (above === undefined) throw new RangeError("no value has no median");
	return sorted.length % 2 === 1 || below === undefined ? above : rounded((below + above) / 2);
}

/** To a thousandth. */
export function rounded(value: number): number {
	return Math.round(value * 1000) / 1000;
}
