import { isDeepStrictEqual } from "node:util";
import { place, type StackImage } from "../checks/images.ts";
import type { ImageRole } from "../images/sources.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { Site } from "../resources/site.ts";
import { compareSeries } from "../resources/version-series.ts";
import { projectName } from "../stack/names.ts";
import type { SitePaths } from "../state/layout.ts";
import { readServed, type Served, type ServedBy, writeServed } from "../state/served.ts";
import type { Step } from "../steps/step.ts";
import { readServerRecord } from "./database-volume.ts";
import type { Machine } from "./machine.ts";

/**
 * Refuses a MariaDB or an Ironic of an older series than the one that had the data last. Neither refuses by itself:
 * MariaDB starts on the newer files, and Ironic answers every question about nodes with an error. Codes:
 * `database-downgrade`, `ironic-downgrade`.
 */
export async function refuseDowngrade(
	site: Site,
	{ engine, images }: Machine,
	paths: SitePaths,
	signal: AbortSignal,
): Promise<void> {
	const served = await readServed(paths);
	const record = await readServerRecord(engine, projectName(site.name), signal);
	refuseOlder(site, "mariadb", record?.version ?? served.mariadb?.version, images.mariadb);
	refuseOlder(site, "ironic", served.ironic?.version, images.ironic);
}

function refuseOlder(
	site: Site,
	role: ImageRole,
	last: string | undefined,
	wanted: StackImage | undefined,
): void {
	if (last === undefined || wanted?.version === undefined || compareSeries(wanted.version, last) >= 0) return;
	const { code, name } = refusals[role];
	throw new IronstrapError({
		code,
		message: `the database was used by ${name} ${last}: ${name} ${wanted.version} cannot go on with it`,
		...place(site, role),
		seen: `${wanted.reference} has ${name} ${wanted.version}`,
		fix: `name an image with ${name} ${last} or later; nothing was changed`,
	});
}

const refusals = {
	mariadb: { code: "database-downgrade", name: "MariaDB" },
	ironic: { code: "ironic-downgrade", name: "Ironic" },
} as const satisfies Record<ImageRole, unknown>;

/** Remembers whose programs get the data, before they do. */
export function servedStep({ images }: Machine, paths: SitePaths): Step<unknown> {
	const now: Omit<Served, "formatVersion"> = {
		ironic: servedBy(images.ironic),
		...(images.mariadb === undefined ? {} : { mariadb: servedBy(images.mariadb) }),
	};
	return {
		id: "stack:served",
		title: "remember which versions get the database",
		done: async () => isDeepStrictEqual(await readServed(paths), plain({ formatVersion: 1, ...now })),
		do: () => writeServed(paths, now),
	};
}

function servedBy({ id, reference, version }: StackImage): ServedBy {
	return { version, reference, image: id };
}

/** As it comes back from a file. */
function plain(served: Served): unknown {
	return JSON.parse(JSON.stringify(served));
}
