import type { DesiredContainer } from "../converge/desired.ts";
import { graceOf } from "../converge/duration.ts";
import { type RunFlag, runArguments, runCommand, runFlags } from "./run-flags.ts";
import type { UnitEngine } from "./unit-options.ts";
import { type UnitLine, words } from "./unit-text.ts";

/** How a service without Quadlet runs its container and ends it; what Quadlet's generator writes is the model for Podman. */
export function plainServiceLines(container: DesiredContainer, engine: UnitEngine): readonly UnitLine[] {
	return engine.kind === "podman" ? podmanLines(container, engine) : dockerLines(container, engine);
}

/** `conmon` is the unit's main process and tells systemd so; a one-shot's is `podman run` itself, for the exit code. */
function podmanLines(container: DesiredContainer, engine: UnitEngine): readonly UnitLine[] {
	const { name, oneShot } = container;
	const flags: readonly RunFlag[] = [
		{ flag: "--replace" },
		{ flag: "--rm" },
		{ flag: "--cgroups", value: "split" },
		...(oneShot ? [] : [{ flag: "--sdnotify", value: "conmon" }, { flag: "--detach" }]),
		...runFlags(container, engine),
	];
	const remove = (...more: readonly string[]) =>
		words(["/usr/bin/podman", "rm", "--force", "--ignore", ...more, name]);
	return [
		["Environment", "PODMAN_SYSTEMD_UNIT=%n"],
		...(oneShot
			? []
			: ([
					["Type", "notify"],
					["NotifyAccess", "all"],
				] as const)),
		["Delegate", "yes"],
		["KillMode", "mixed"],
		["ExecStart", run("podman", flags, container)],
		["ExecStop", remove(`--time=${graceOf(container)}`)],
		["ExecStopPost", `-${remove()}`],
	];
}

/** `docker run` stays attached: its exit code is the container's, and the journal has its output as well. */
function dockerLines(container: DesiredContainer, engine: UnitEngine): readonly UnitLine[] {
	const { name, oneShot } = container;
	const remove = `-${words(["/usr/bin/docker", "rm", "--force", name])}`;
	const stop = words(["/usr/bin/docker", "stop", `--time=${graceOf(container)}`, name]);
	return [
		...(oneShot ? [] : ([["Type", "exec"]] as const)),
		["ExecStartPre", remove],
		["ExecStart", run("docker", [{ flag: "--rm" }, ...runFlags(container, engine)], container)],
		...(oneShot ? [] : ([["ExecStop", stop]] as const)),
		["ExecStopPost", remove],
	];
}

function run(program: string, flags: readonly RunFlag[], { spec }: DesiredContainer): string {
	return words([`/usr/bin/${program}`, "run", ...runArguments(flags), spec.image, ...runCommand(spec)]);
}
