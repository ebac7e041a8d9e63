import type { MacAddress } from "../resources/mac-address.ts";
import { admittedMacs, writeAdmittedMacs } from "../state/admitted.ts";
import { readApplied } from "../state/applied.ts";
import { sitePaths } from "../state/layout.ts";
import { openSecretStore } from "../state/secret-store.ts";
import { runSteps } from "../steps/run.ts";
import type { Step } from "../steps/step.ts";
import { fenceText } from "./fence-steps.ts";
import { chooseSite, type LifecycleOptions, withSession } from "./session.ts";
import { up } from "./up.ts";

export interface AdmitOptions extends LifecycleOptions {
	readonly site: string | undefined;
	readonly macs: readonly MacAddress[];
	/** Let them in, or no longer. */
	readonly admit: boolean;
}

/**
 * Lets servers through the fence that no manifest names, or no longer. Stored first, then made so as any other change is:
 * by `up`, which has nothing else to do. While the site is down it waits for the next one.
 */
export async function admitServers(
	options: AdmitOptions,
): Promise<{ readonly site: string; readonly admitted: readonly string[]; readonly effective: boolean }> {
	const { admit, macs, roots } = options;
	const name = await chooseSite(options.site, roots);
	const paths = sitePaths(name, roots);
	const site = await readApplied(paths, openSecretStore(paths.secretsDirectory));
	const wanted = async () => {
		const others = (await admittedMacs(paths)).filter((mac) => !macs.some((each) => each === mac));
		return admit ? [...others, ...macs] : others;
	};
	const store: Step<undefined> = {
		id: "hosts:admit",
		title: `${admit ? "let in" : "forget"} ${macs.join(", ")}`,
		done: async () => (await wanted()).length === (await admittedMacs(paths)).length,
		do: async () => writeAdmittedMacs(paths, await wanted()),
	};
	await withSession(name, admit ? "hosts add" : "hosts forget", options, ({ run }) =>
		runSteps([store], undefined, run),
	);
	const effective = (await fenceText(paths)) !== undefined;
	if (effective) await up(site, { ...options, hosts: false });
	return { site: name, admitted: await admittedMacs(paths), effective };
}
