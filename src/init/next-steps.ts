import type { EngineFact } from "./facts.ts";
import type { SitePlan } from "./plan.ts";

export interface NextStep {
	/** What to type, or to do where there is nothing to type. */
	readonly command: string;
	readonly why: string;
}

/** What is left to do, in order. Pure. `directory` as the person would type it. */
export function nextSteps(plan: SitePlan, engine: EngineFact, directory: string): readonly NextStep[] {
	const path = /^[\w./-]+$/.test(directory) ? directory : `'${directory.replaceAll("'", "'\\''")}'`;
	const steps: NextStep[] = [];
	if (!plan.addressPresent)
		steps.push({
			command: `ip address add ${plan.address}/${plan.network.prefix} dev ${plan.interface}`,
			why: "gives the interface its address until the next boot; add it to the system's network settings too",
		});
	if (!engine.found)
		steps.push({
			command: "systemctl enable --now podman.socket",
			why: "no container engine answers here yet (or start Docker)",
		});
	if (plan.ramdisk === undefined)
		steps.push({
			command: `edit ${path}/bootstrap.yaml`,
			why: "`up` needs the deploy ramdisk's two files in it",
		});
	return [
		...steps,
		{ command: `ironstrap lint -f ${path}`, why: "checks the manifests, whenever you changed them" },
		{ command: "ironstrap images build", why: "makes the container images, once, from Debian packages" },
		{
			command: `ironstrap up -f ${path}`,
			why: "starts the stack and brings the servers to where they should be",
		},
	];
}
