import { connectEngine } from "../engine/connect.ts";
import { type Candidate, candidates, chooseHosts } from "../hosts/choose.ts";
import { disagreement, type HostVerb, verbSteps } from "../hosts/verbs.ts";
import { localAddresses } from "../linux/links.ts";
import { engineOf, readApplied } from "../state/applied.ts";
import { openHostStore } from "../state/host-store.ts";
import { type StateRoots, sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { runParallel } from "../steps/run.ts";
import { withHosts } from "./host-context.ts";
import { provisioningOf } from "./machine.ts";
import { chooseSite, type LifecycleOptions, withSession } from "./session.ts";

export interface VerbOptions extends LifecycleOptions {
	readonly site: string | undefined;
	/** As a person names them; at least one. */
	readonly hosts: readonly string[];
	readonly verb: HostVerb;
}

/** The hosts of an applied site, declared and stored. */
export async function hostsOf(
	wanted: string | undefined,
	roots: StateRoots,
): Promise<{ readonly site: string; readonly hosts: readonly Candidate[] }> {
	const name = await chooseSite(wanted, roots);
	const paths = sitePaths(name, roots);
	const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	return { site: name, hosts: candidates(site, await openHostStore(paths.hostsDirectory).list()) };
}

/**
 * Does one thing with hosts of an applied site, all at the same time; returns them as they are afterwards. Refuses
 * before anything is touched if one of them is not in a state for it.
 */
export async function driveNamed(options: VerbOptions): Promise<readonly Candidate[]> {
	const { hosts: words, roots, verb } = options;
	const name = await chooseSite(options.site, roots);
	const paths = sitePaths(name, roots);
	const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	const machine = {
		provisioning: await provisioningOf(site, localAddresses(), options.signal),
		engine: await connectEngine({ ...engineOf(site), environment: process.env }, options.signal),
	};
	return withSession(name, `hosts ${verb.kind}`, options, async (session) => {
		const look = async () => candidates(site, await session.hosts.list());
		const chosen = chooseHosts(await look(), words);
		const lists = chosen.map((candidate) => verbSteps(candidate, verb));
		await withHosts(site, machine, session, (context) => runParallel(lists, context, session.run, "finish"));
		for (const candidate of chosen) {
			const message = disagreement(candidate, verb);
			if (message !== undefined) session.run.emit({ type: "note", level: "warning", message });
		}
		const now = await look();
		return chosen.map((before) => now.find((after) => sameHost(before, after)) ?? gone(before));
	});
}

function sameHost(a: Candidate, b: Candidate): boolean {
	return a.namespace === b.namespace && a.name === b.name;
}

function gone({ name, namespace }: Candidate): Candidate {
	return { name, namespace, host: undefined, stored: undefined };
}
