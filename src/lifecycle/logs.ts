import type { Readable } from "node:stream";
import { label } from "../converge/labels.ts";
import { IronstrapError } from "../lib/errors.ts";
import { projectName } from "../stack/names.ts";
import { engineOf, findApplied } from "../state/applied.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { chooseSite } from "./session.ts";
import { connectSiteEngine } from "./site-engine.ts";

export interface LogsOptions {
	readonly site: string | undefined;
	/** All services when empty. */
	readonly services: readonly string[];
	readonly follow: boolean;
	/** Lines before the end to start at. */
	readonly tail: number;
	readonly roots: StateRoots;
	readonly signal: AbortSignal;
}

/** One stream of text a container, standard output and error together. */
export async function siteLogs(
	options: LogsOptions,
): Promise<readonly { service: string; stream: Readable }[]> {
	const { follow, roots, services, signal, tail } = options;
	if (!Number.isInteger(tail) || tail < 0)
		throw new IronstrapError({
			code: "usage",
			message: "--tail takes a number of lines",
			fix: "for example --tail 100",
		});
	const site = await chooseSite(options.site, roots);
	const paths = sitePaths(site, roots);
	const wish = engineOf(await findApplied(paths, openSecretStore(paths.secretsDirectory)));
	const engine = await connectSiteEngine(wish, paths, signal);
	const { containers } = await engine.observe(projectName(site), signal);
	const known = containers.map(({ labels, name }) => ({ name, service: labels[label.service] ?? name }));
	const missing = services.filter((service) => !known.some((container) => container.service === service));
	if (missing.length > 0)
		throw new IronstrapError({
			code: "usage",
			message: `there is no container of ${missing.join(", ")}`,
			seen: known.map(({ service }) => service).join(", ") || "the stack is down",
		});
	return Promise.all(
		known
			.filter(({ service }) => services.length === 0 || services.includes(service))
			.map(async ({ name, service }) => ({
				service,
				stream: await engine.logs(name, { follow, signal, tail }),
			})),
	);
}
