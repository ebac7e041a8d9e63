import type Docker from "dockerode";
import type { DesiredNetwork } from "../converge/desired.ts";
import { label } from "../converge/labels.ts";
import { IronstrapError } from "../lib/errors.ts";
import { dial } from "./dial.ts";
import type { EngineInfo } from "./engine.ts";
import { asking, isConflict, isMissing } from "./failures.ts";

const bridgeName = "com.docker.network.bridge.name";

export async function createNetwork(
	docker: Docker,
	info: EngineInfo,
	network: DesiredNetwork,
	signal: AbortSignal,
): Promise<void> {
	await asking(`create the network ${network.name}`, signal, async () => {
		try {
			if (info.kind === "podman") await createWithPodman(docker, network, signal);
			else await createWithDocker(docker, network, signal);
		} catch (error) {
			// A subnet that is in use is a conflict, too; ours is one of the same name with our label.
			if (!isConflict(error) || (await labelled(docker, network, signal)) !== true) throw error;
		}
	});
}

async function createWithDocker(docker: Docker, { name, spec, labels }: DesiredNetwork, signal: AbortSignal) {
	await docker.createNetwork({
		Name: name,
		Driver: spec.driver ?? "bridge",
		Internal: spec.internal === true,
		Options: { ...spec.driver_opts },
		Labels: { ...labels },
		IPAM: {
			Driver: "default",
			Config: (spec.ipam?.config ?? []).map(({ subnet, gateway }) => ({
				Subnet: subnet,
				...(gateway === undefined ? {} : { Gateway: gateway }),
			})),
		},
		abortSignal: signal,
	});
}

/**
 * Through Podman's own API: the compatible one ignores the bridge's name without a word in 4.3. No DNS server on the
 * gateway: nobody resolves names there.
 */
async function createWithPodman(docker: Docker, { name, spec, labels }: DesiredNetwork, signal: AbortSignal) {
	await dial(docker, {
		path: "/v4.0.0/libpod/networks/create",
		method: "POST",
		signal,
		statusCodes: { 200: true, 201: true },
		body: {
			name,
			driver: spec.driver ?? "bridge",
			internal: spec.internal === true,
			dns_enabled: false,
			network_interface: spec.driver_opts?.[bridgeName],
			labels,
			subnets: (spec.ipam?.config ?? []).map(({ subnet, gateway }) => ({ subnet, gateway })),
		},
	});
}

async function labelled(
	docker: Docker,
	{ name, labels }: DesiredNetwork,
	signal: AbortSignal,
): Promise<boolean> {
	const found = await inspect(docker, name, signal);
	return found?.Labels?.[label.ironstrapHash] === labels[label.ironstrapHash];
}

export async function removeNetwork(docker: Docker, name: string, signal: AbortSignal): Promise<void> {
	await asking(`remove the network ${name}`, signal, async () => {
		if ((await inspect(docker, name, signal)) === undefined) return;
		await docker
			.getNetwork(name)
			.remove({ abortSignal: signal })
			.catch((error: unknown) => {
				if (!isMissing(error)) throw error;
			});
	});
}

/** The bridge's name, which the fence and diagnosis need. */
export async function networkInterface(
	docker: Docker,
	info: EngineInfo,
	name: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	return asking(`look at the network ${name}`, signal, async () => {
		const found = await inspect(docker, name, signal);
		if (found === undefined) return undefined;
		if (info.kind === "docker") return found.Options?.[bridgeName] ?? `br-${found.Id.slice(0, 12)}`;
		const own = (await dial(docker, {
			path: `/v4.0.0/libpod/networks/${encodeURIComponent(name)}/json`,
			method: "GET",
			signal,
			statusCodes: { 200: true },
		})) as { readonly network_interface?: string };
		return own.network_interface;
	});
}

/** Looked up in the list, by the exact name: Docker takes the start of an id as well. */
async function inspect(docker: Docker, name: string, signal: AbortSignal) {
	const networks = await docker.listNetworks({ filters: { name: [name] }, abortSignal: signal });
	const exact = networks.filter((network) => network.Name === name);
	if (exact.length > 1)
		throw new IronstrapError({
			code: "network-ambiguous",
			message: `the container engine has ${exact.length} networks named ${name}`,
			seen: exact.map(({ Id }) => Id.slice(0, 12)).join(" "),
			fix: "remove the ones that are not in use (`docker network rm ID`)",
		});
	return exact[0];
}
