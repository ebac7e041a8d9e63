import { IronstrapError } from "../lib/errors.ts";
import { formatBytes, freeSpace } from "../lib/free-space.ts";
import type { Check } from "./check.ts";

/** A folder, which may not exist yet, and how many bytes will be written below it. */
export interface WantedSpace {
	readonly path: string;
	readonly bytes: number;
	/** For a person: `volumes of the containers`. */
	readonly use: string;
}

/**
 * There is room for what will be written. A disk that fills up half-way leaves a database that cannot start, and its
 * message far from the cause. Code: `disk-full`.
 */
export function diskSpace(wanted: readonly WantedSpace[]): Check {
	return {
		id: "disk-space",
		why: "a database on a full disk does not start, and cannot tell why",
		look: async () =>
			wanted.flatMap(({ bytes, path, use }) => {
				const { at, free, total } = freeSpace(path);
				if (free >= bytes) return [];
				return [
					new IronstrapError({
						code: "disk-full",
						message: `there is not enough free space in ${path} for the ${use}`,
						seen: `${formatBytes(free)} free of ${formatBytes(total)}; ${formatBytes(bytes)} are needed`,
						fix: `make room there (\`df -h ${at}\`), then run \`ironstrap up\` again`,
					}),
				];
			}),
	};
}
