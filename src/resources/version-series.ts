/** First two numbers of a version: upgrades within a series keep the data's format. `11.8.9` → `[11, 8]`. */
function seriesOf(version: string): readonly [number, number] {
	const [major = "0", minor = "0"] = version.split(".");
	return [Number.parseInt(major, 10) || 0, Number.parseInt(minor, 10) || 0];
}

/** Negative when `a` is of an older series than `b`, 0 within one series. */
export function compareSeries(a: string, b: string): number {
	const [first, second] = [seriesOf(a), seriesOf(b)];
	return first[0] - second[0] || first[1] - second[1];
}
