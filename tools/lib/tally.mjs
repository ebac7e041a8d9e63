/**
 * Counts tests and prints a line for each. With `quiet`, only what failed is printed.
 */
export function createTally({ quiet = false, print = (line) => console.log(line) } = {}) {
	const counts = { passed: 0, failed: 0, skipped: 0 };
	return {
		pass(title) {
			counts.passed++;
			if (!quiet) print(`✔ ${title}`);
		},
		skip(title) {
			counts.skipped++;
			if (!quiet) print(`- ${title}`);
		},
		fail(title) {
			counts.failed++;
			print(`✘ ${title}`);
		},
		/** Something to read that counts as nothing. */
		note: print,
		counts: () => ({ ...counts }),
		/** Nothing failed, and something passed: a run of nothing proves nothing. */
		succeeded: () => counts.failed === 0 && counts.passed > 0,
		/** The line that every run ends with. */
		summary: () => `${counts.passed} passed, ${counts.failed} failed`,
	};
}

/** `3.2 s` since a `performance.now()`. */
export function secondsSince(start) {
	return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
