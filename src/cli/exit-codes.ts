/** Documented in docs/cli.md; a script may rely on them. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, busy: 3, interrupted: 130 } as const;
