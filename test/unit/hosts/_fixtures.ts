import type { HostContext } from "../../../src/hosts/context.ts";
import { hostSteps } from "../../../src/hosts/steps.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import { type BareMetalHost, bareMetalHostSchema } from "../../../src/resources/bare-metal-host.ts";
import { bootstrapSchema } from "../../../src/resources/bootstrap.ts";
import { type Secret, secretSchema } from "../../../src/resources/core.ts";
import { ironicSchema } from "../../../src/resources/ironic.ts";
import type { Site } from "../../../src/resources/site.ts";
import type { HostStore, StoredHost } from "../../../src/state/host-store.ts";
import type { RunEvent } from "../../../src/steps/events.ts";
import type { StepTools } from "../../../src/steps/step.ts";
import type { ModelIronic } from "./_model-ironic.ts";

export const IMAGE = {
	url: "http://172.22.0.1:6180/images/os.qcow2",
	checksum: "9f0d000000000000000000000000000000000000000000000000000000000000",
	checksumType: "sha256" as const,
	format: "qcow2" as const,
};

/** A control-plane server behind a Redfish BMC, with the given fields of its spec replaced. */
export function host(
	spec: Record<string, unknown> = {},
	metadata: Record<string, unknown> = {},
): BareMetalHost {
	return bareMetalHostSchema.parse({
		apiVersion: "metal3.io/v1alpha1",
		kind: "BareMetalHost",
		metadata: { name: "cp-0", namespace: "metal3", ...metadata },
		spec: {
			online: true,
			bmc: {
				address: "redfish+http://192.168.222.1:8000/redfish/v1/Systems/cp-0",
				credentialsName: "cp-0-bmc",
			},
			bootMACAddress: "52:54:00:ab:00:01",
			image: IMAGE,
			...spec,
		},
	});
}

export function secret(name: string, data: Record<string, string>): Secret {
	return secretSchema.parse({
		apiVersion: "v1",
		kind: "Secret",
		metadata: { name, namespace: "metal3" },
		stringData: data,
	});
}

export function site(hosts: readonly BareMetalHost[], extra: Partial<Site> = {}): Site {
	return {
		name: "metal3",
		ironic: ironicSchema.parse({
			apiVersion: "ironic.metal3.io/v1alpha1",
			kind: "Ironic",
			metadata: { name: "ironic", namespace: "metal3" },
			spec: { networking: { interface: "br-prov", ipAddress: "172.22.0.1" } },
		}),
		bootstrap: bootstrapSchema.parse({
			apiVersion: "ironstrap.io/v1alpha1",
			kind: "Bootstrap",
			metadata: { name: "metal3" },
		}),
		hosts,
		hardwareData: [],
		secrets: [secret("cp-0-bmc", { username: "admin", password: "secret-of-the-bmc\n" })],
		configMaps: [],
		locate: (_, path = []) => ({ file: "site.yaml", line: 10 + path.length, column: 1 }),
		...extra,
	};
}

export function memoryStore(
	initial: readonly StoredHost[] = [],
): HostStore & { readonly hosts: Map<string, StoredHost> } {
	const hosts = new Map(initial.map((stored) => [`${stored.namespace}/${stored.name}`, stored]));
	return {
		hosts,
		read: async ({ namespace, name }) => hosts.get(`${namespace}/${name}`),
		write: async ({ namespace, name }, stored) =>
			void hosts.set(`${namespace}/${name}`, structuredClone(stored)),
		remove: async ({ namespace, name }) => void hosts.delete(`${namespace}/${name}`),
		list: async () => [...hosts.values()],
	};
}

/** Runs a host's steps as the runner does; time passes in the model instead of on the clock. */
export async function run(
	host: BareMetalHost,
	context: HostContext,
	ironic: ModelIronic,
	steps = hostSteps(host),
): Promise<RunEvent[]> {
	const events: RunEvent[] = [];
	const tools: StepTools = {
		signal: new AbortController().signal,
		emit: (event) => events.push(event),
		async waitFor(spec, look) {
			for (let round = 0; round < 20; round += 1) {
				const found = await look(tools.signal);
				if (found !== undefined) return found;
				ironic.tick();
			}
			throw new IronstrapError({
				code: "deadline-passed",
				message: `waited for ${spec.what}`,
				fix: spec.fix,
			});
		},
	};
	for (const step of steps) {
		if ((await step.done?.(context, tools)) === true) continue;
		await step.do(context, tools);
	}
	return events;
}

export const NOW = () => new Date("2026-08-01T10:30:00.123Z");
