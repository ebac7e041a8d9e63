import type Docker from "dockerode";
import type { DesiredVolume } from "../converge/desired.ts";
import { label } from "../converge/labels.ts";
import { IronstrapError } from "../lib/errors.ts";
import { asking, isConflict, isMissing } from "./failures.ts";

/** An existing volume of another project is refused: its data is not ours. */
export async function createVolume(
	docker: Docker,
	volume: DesiredVolume,
	signal: AbortSignal,
): Promise<void> {
	await asking(`create the volume ${volume.name}`, signal, async () => {
		const found = await exactVolume(docker, volume.name, signal);
		if (found !== undefined) return refuseForeign(found.Labels ?? {}, volume);
		await docker
			.createVolume({ Name: volume.name, Labels: { ...volume.labels }, abortSignal: signal })
			.catch((error: unknown) => {
				if (!isConflict(error)) throw error;
			});
	});
}

/** Podman deletes by the start of a name: only a name that is listed exactly so is asked for. */
export async function removeVolume(docker: Docker, name: string, signal: AbortSignal): Promise<void> {
	await asking(`remove the volume ${name}`, signal, async () => {
		if ((await exactVolume(docker, name, signal)) === undefined) return;
		await docker
			.getVolume(name)
			.remove({ abortSignal: signal })
			.catch((error: unknown) => {
				if (!isMissing(error)) throw error;
			});
	});
}

/** Where its files are on this machine; `undefined` when there is no such volume. */
export async function volumeDirectory(
	docker: Docker,
	name: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	return asking(
		`look at the volume ${name}`,
		signal,
		async () => (await exactVolume(docker, name, signal))?.Mountpoint,
	);
}

async function exactVolume(docker: Docker, name: string, signal: AbortSignal) {
	const { Volumes } = await docker.listVolumes({ filters: { name: [name] }, abortSignal: signal } as object);
	return (Volumes ?? []).find((volume) => volume.Name === name);
}

function refuseForeign(labels: Readonly<Record<string, string>>, volume: DesiredVolume): void {
	if (labels[label.project] === volume.labels[label.project]) return;
	throw new IronstrapError({
		code: "volume-foreign",
		message: `a volume named ${volume.name} exists that does not belong to this site`,
		seen: `its label ${label.project} is ${labels[label.project] ?? "absent"}`,
		fix: `if nothing needs it, remove it (\`podman volume rm ${volume.name}\`)`,
	});
}
