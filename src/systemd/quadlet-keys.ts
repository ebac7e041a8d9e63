import type { RunFlag } from "./run-flags.ts";
import type { UnitLine } from "./unit-text.ts";
import { literal, word } from "./unit-text.ts";
import { isAtLeast, type Version } from "./version.ts";

/** The oldest Podman that has Quadlet. */
export const firstQuadlet: Version = [4, 4];

interface QuadletKey {
	readonly key: string;
	/** The first Podman whose generator knows it; an older one drops the whole unit because of it. */
	readonly since: Version;
	/** Quadlet splits the value at spaces, so that it is quoted as a word. */
	readonly splits?: boolean;
}

/**
 * Which flag of `podman run` has a key of its own, and since when: the version gates of podlet (`src/quadlet/container.rs` of
 * containers/podlet) and Podman's release notes. Whatever a generator does not know goes through `PodmanArgs=`.
 */
const keys: Readonly<Record<string, QuadletKey>> = {
	"--name": { key: "ContainerName", since: [4, 4] },
	"--network": { key: "Network", since: [4, 4] },
	"--publish": { key: "PublishPort", since: [4, 4] },
	"--volume": { key: "Volume", since: [4, 4] },
	"--env": { key: "Environment", since: [4, 4], splits: true },
	"--label": { key: "Label", since: [4, 4], splits: true },
	"--cap-drop": { key: "DropCapability", since: [4, 4], splits: true },
	"--cap-add": { key: "AddCapability", since: [4, 4], splits: true },
	"--read-only": { key: "ReadOnly", since: [4, 4] },
	"--init": { key: "RunInit", since: [4, 4] },
	"--tmpfs": { key: "Tmpfs", since: [4, 5] },
	"--log-driver": { key: "LogDriver", since: [4, 5] },
	"--health-cmd": { key: "HealthCmd", since: [4, 5] },
	"--health-interval": { key: "HealthInterval", since: [4, 5] },
	"--health-timeout": { key: "HealthTimeout", since: [4, 5] },
	"--health-retries": { key: "HealthRetries", since: [4, 5] },
	"--health-start-period": { key: "HealthStartPeriod", since: [4, 5] },
	"--pull": { key: "Pull", since: [4, 6] },
	"--pids-limit": { key: "PidsLimit", since: [4, 7] },
	"--read-only-tmpfs": { key: "ReadOnlyTmpfs", since: [4, 8] },
	"--entrypoint": { key: "Entrypoint", since: [5, 0] },
	"--stop-timeout": { key: "StopTimeout", since: [5, 0] },
	"--stop-signal": { key: "StopSignal", since: [5, 2] },
	"--log-opt": { key: "LogOpt", since: [5, 2], splits: true },
	"--add-host": { key: "AddHost", since: [5, 3] },
	"--memory": { key: "Memory", since: [5, 5] },
};

/** A flag as lines of the `[Container]` section, for the generator of one Podman. */
export function quadletLines({ flag, value }: RunFlag, podman: Version): readonly UnitLine[] {
	const special = specialLines(flag, value);
	if (special !== undefined) return special;
	const known = keys[flag];
	// an empty value would undo the key's earlier lines
	if (known === undefined || value === "" || !isAtLeast(podman, known.since))
		return [["PodmanArgs", word(value === undefined ? flag : `${flag}=${value}`)]];
	if (value === undefined) return [[known.key, "true"]];
	return [[known.key, known.splits === true ? word(value) : literal(value)]];
}

/** Flags whose value is spread over keys, all of them as old as Quadlet. */
function specialLines(flag: string, value = ""): readonly UnitLine[] | undefined {
	if (flag === "--user") {
		const [user = "", group] = value.split(":");
		return [["User", literal(user)], ...(group === undefined ? [] : [["Group", literal(group)] as const])];
	}
	if (flag === "--security-opt" && /^no-new-privileges(?::true)?$/.test(value))
		return [["NoNewPrivileges", "true"]];
	return undefined;
}
