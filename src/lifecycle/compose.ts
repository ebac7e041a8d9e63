import { runChecks } from "../checks/check.ts";
import { composeProgramsFit } from "../checks/compose-programs.ts";
import { serialiseProject } from "../stack/serialise.ts";
import { readApplied } from "../state/applied.ts";
import { sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { lookAtMachine } from "./machine.ts";
import { renderSite } from "./render-site.ts";
import { chooseSite, type LifecycleOptions, withSession } from "./session.ts";

/** The Compose file of an applied site, as `docker compose` takes it; says which programs of this machine must not. */
export async function composeText(
	options: LifecycleOptions & { readonly site: string | undefined },
): Promise<string> {
	const name = await chooseSite(options.site, options.roots);
	const paths = sitePaths(name, options.roots);
	const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	const machine = await lookAtMachine(site, options.roots, options.signal);
	for (const { fix, message } of await runChecks([composeProgramsFit()], options.signal))
		options.emit({ type: "note", level: "warning", message: `${message}; ${fix}` });
	return withSession(name, "compose", options, async (session) => {
		const { stack } = await renderSite(site, machine, session);
		return serialiseProject(stack.project);
	});
}
