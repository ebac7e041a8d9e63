import { recorded } from "../../../src/hosts/status.ts";
import type { IronicNode } from "../../../src/ironic/node.ts";
import type { HostExport } from "../../../src/pivot/host-export.ts";
import type { BareMetalHost } from "../../../src/resources/bare-metal-host.ts";
import { host, IMAGE } from "../hosts/_fixtures.ts";
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
