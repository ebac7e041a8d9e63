/** Major and minor, as programs tell them: `5.4.2`, `28.5.2+dfsg3`, `257 (257.9-1)`. */
export type Version = readonly [major: number, minor: number];

/** The first two numbers of a version's text; what is missing counts as 0. */
export function parseVersion(text: string): Version {
	const [, major = "0", minor = "0"] = /(\d+)(?:\.(\d+))?/.exec(text) ?? [];
	return [Number(major), Number(minor)];
}

export function isAtLeast([major, minor]: Version, [wantedMajor, wantedMinor]: Version): boolean {
	return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
