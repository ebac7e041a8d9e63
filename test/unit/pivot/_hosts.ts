import fc from "fast-check";
import { recorded } from "../../../src/hosts/status.ts";
import type { IronicNode } from "../../../src/ironic/node.ts";
import type { HostExport } from "../../../src/pivot/host-export.ts";
import { type PivotPlan, type PlanInput, planPivot } from "../../../src/pivot/plan.ts";
import type { BareMetalHost } from "../../../src/resources/bare-metal-host.ts";
import { bootstrapSchema } from "../../../src/resources/bootstrap.ts";
import type { Site } from "../../../src/resources/site.ts";
import { host, IMAGE, secret, site as siteOf } from "../hosts/_fixtures.ts";
import { modelNode, UUID } from "../hosts/_model-ironic.ts";

export const DEPLOYED_AT = "2026-08-01T10:30:00Z";

/** A host that was inspected and deployed; `node` and `spec` change what is asked for. */
export function deployed(spec: Record<string, unknown> = {}, node: Partial<IronicNode> = {}): HostExport {
	const subject: BareMetalHost = host(
		{
			userData: { name: "cp-0-user-data" },
			preprovisioningNetworkDataName: "cp-0-net",
			rootDeviceHints: { deviceName: "/dev/disk/by-path/pci-0000:00:1f.2-ata-1" },
			...spec,
		},
		{ annotations: { "reboot.metal3.io": "", "example.org/rack": "7" } },
	);
	const active = modelNode({
		provision_state: "active",
		power_state: "power on",
		instance_info: { image_source: IMAGE.url, configdrive: "******" },
		driver_info: { redfish_password: "******", redfish_address: "http://192.168.222.1:8000" },
		...node,
	});
	const hardware = {
		cpu: { arch: "x86_64" },
		nics: [{ name: "eth0", mac: "52:54:00:ab:00:01", lldp: { switchID: "s" }, pciAddress: "0000:00:02.0" }],
	};
	let stored = recorded(subject, undefined, {
		state: "registering",
		node: active,
		now: "2026-08-01T10:00:00Z",
	});
	stored = recorded(subject, stored, { state: "inspecting", node: active, now: "2026-08-01T10:01:00Z" });
	stored = recorded(subject, stored, {
		state: "preparing",
		node: active,
		hardware,
		now: "2026-08-01T10:09:00Z",
	});
	stored = recorded(subject, stored, { state: "provisioning", node: active, now: "2026-08-01T10:10:00Z" });
	stored = recorded(subject, stored, { state: "provisioned", node: active, now: DEPLOYED_AT });
	return {
		host: subject,
		stored,
		node: active,
		ports: [{ uuid: "p-1", address: "52:54:00:ab:00:01", node_uuid: UUID, pxe_enabled: true }],
		virtualMedia: [],
	};
}

/** A host that is ready for use, switched off and without an image. */
export function spare(): HostExport {
	const subject = host({ image: undefined, online: false }, { name: "spare-0" });
	const node = modelNode({
		uuid: "0b1f5c2e-0000-4000-8000-000000000002",
		name: "metal3~spare-0",
		provision_state: "available",
		power_state: "power off",
	});
	let stored = recorded(subject, undefined, { state: "registering", node, now: "2026-08-01T10:00:00Z" });
	stored = recorded(subject, stored, { state: "available", node, now: "2026-08-01T10:05:00Z" });
	return { host: subject, stored, node, ports: [], virtualMedia: [] };
}

export const ACCESS = {
	credentials: { username: "ironic", password: "api-pw-7f3a" },
	tls: { certificate: "CERT", key: "KEY-91c2", ca: "CA" },
};

/** A site of these hosts, each with its own BMC Secret, and an Ironic that is told apart in the target. */
export function pivotSite(hosts: readonly HostExport[], target: object = TARGET_IRONIC): Site {
	return siteOf(
		hosts.map(({ host: each }) => each),
		{
			secrets: [
				...hosts.map(({ host: each }) =>
					secret(each.spec.bmc?.credentialsName ?? "", {
						username: "admin",
						password: `bmc-pw-${each.metadata.name}`,
					}),
				),
				secret("cp-0-user-data", { userData: "kubeadm join --token abcdef" }),
				secret("cp-0-net", { networkData: "links: []" }),
			],
			bootstrap: bootstrapSchema.parse({
				apiVersion: "ironstrap.io/v1alpha1",
				kind: "Bootstrap",
				metadata: { name: "metal3" },
				spec: { target: { ironic: target } },
			}),
		},
	);
}

const TARGET_IRONIC = { networking: { ipAddress: "172.22.0.2", interface: null } };

/** A plan of these hosts, made at a fixed time under a fixed name. */
export function planOf(hosts: readonly HostExport[], changes: Partial<PlanInput> = {}): PivotPlan {
	return planPivot({
		site: pivotSite(hosts),
		hosts,
		access: ACCESS,
		leases: [],
		runId: "c0ffee01",
		createdAt: "2026-08-02T08:00:00.000Z",
		as: "external",
		ownIronic: false,
		allowLossy: false,
		...changes,
	});
}

/** Random hosts that can be handed over: each state, either power, odd names and hints; different servers. */
export const anyHosts: fc.Arbitrary<readonly HostExport[]> = fc
	.uniqueArray(
		fc.record({
			name: fc.stringMatching(/^[a-z][a-z0-9-]{0,12}[a-z0-9]$/),
			state: fc.constantFrom("provisioned", "externally provisioned", "available"),
			on: fc.boolean(),
			bootMode: fc.constantFrom("UEFI", "legacy", "UEFISecureBoot"),
			deviceName: fc.option(fc.stringMatching(/^\/dev\/[a-z]{3}$/), { nil: undefined }),
			nics: fc.integer({ min: 0, max: 3 }),
		}),
		{ minLength: 1, maxLength: 6, selector: ({ name }) => name },
	)
	.map((all) => all.map((each, index) => hostOf(each, index)));

interface RandomHost {
	readonly name: string;
	readonly state: string;
	readonly on: boolean;
	readonly bootMode: string;
	readonly deviceName: string | undefined;
	readonly nics: number;
}

function hostOf({ bootMode, deviceName, name, nics, on, state }: RandomHost, index: number): HostExport {
	const mac = `52:54:00:cd:00:${index.toString(16).padStart(2, "0")}`;
	const system = `http://192.168.222.1:8000`;
	const base = deployed(
		{
			online: on,
			bootMode,
			bootMACAddress: mac,
			bmc: { address: `redfish+${system}/redfish/v1/Systems/${index}`, credentialsName: `${name}-bmc` },
			...(state === "externally provisioned" ? { externallyProvisioned: true } : {}),
			...(state === "provisioned" ? {} : { image: undefined, userData: undefined }),
			rootDeviceHints: deviceName === undefined ? undefined : { deviceName },
		},
		{
			uuid: `0b1f5c2e-0000-4000-8000-0000000000${index.toString(16).padStart(2, "0")}`,
			provision_state: state === "available" ? "available" : "active",
			power_state: on ? "power on" : "power off",
			driver_info: { redfish_address: system, redfish_system_id: `/redfish/v1/Systems/${index}` },
			boot_interface: "ipxe",
		},
	);
	const { stored } = base;
	if (stored === undefined) throw new TypeError("a deployed host is stored");
	const { image, ...provisioning } = stored.status.provisioning;
	const metadata = { ...base.host.metadata, name };
	return {
		...base,
		host: { ...base.host, metadata },
		stored: {
			...stored,
			name,
			status: {
				...stored.status,
				provisioning: {
					...provisioning,
					state: state as typeof provisioning.state,
					...(state === "provisioned" ? { image } : {}),
				},
			},
			hardware: { nics: Array.from({ length: nics }, (_each, nic) => ({ name: `eth${nic}`, mac })) },
		},
		ports: [{ uuid: `p-${index}`, address: mac, node_uuid: `${index}`, pxe_enabled: true }],
	};
}
