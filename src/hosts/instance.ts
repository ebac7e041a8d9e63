import type { IronicNode, ProvisionRequest } from "../ironic/node.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { BootMode } from "../resources/bare-metal-host-parts.ts";
import { parseChecksum } from "../resources/checksum.ts";
import { ironicRootDevice } from "../resources/root-device-hints.ts";

/** The host is to get an operating system. */
export function isToBeDeployed({ spec }: Pick<BareMetalHost, "spec">): boolean {
	return (spec.image !== undefined && spec.image.url !== "") || methodOf(spec) !== "";
}

/** The deploy step that writes the system instead of Ironic's own, or "". */
export function methodOf({ customDeploy }: Pick<BareMetalHost["spec"], "customDeploy">): string {
	return customDeploy?.method ?? "";
}

/** The node carries, or is being given, exactly the image that the host asks for (by URL, as BMO compares it). */
export function sameImage({ spec }: BareMetalHost, node: IronicNode): boolean {
	const { image_source, boot_iso } = node.instance_info;
	// what a custom step has written, Ironic does not know
	if (spec.image === undefined) return false;
	return (spec.image.format === "live-iso" ? boot_iso : image_source) === spec.image.url;
}

/** The node carries, or is being given, what the host does not ask for. */
export function carriesOther(host: BareMetalHost, node: IronicNode): boolean {
	const { image_source, boot_iso } = node.instance_info;
	return !isToBeDeployed(host) || ((image_source ?? boot_iso) !== undefined && !sameImage(host, node));
}

/**
 * `instance_info` for the deployment, as BMO writes it. The whole object is replaced, so nothing of an earlier image
 * stays. Throws a `RangeError` for a checksum that is none.
 */
export function instanceInfo({ spec }: Pick<BareMetalHost, "spec">): Record<string, unknown> {
	const { image } = spec;
	if (!isToBeDeployed({ spec })) return {};
	const common = {
		capabilities: spec.bootMode === "UEFISecureBoot" ? { secure_boot: "true" } : {},
		...(spec.rootDeviceHints === undefined ? {} : { root_device: ironicRootDevice(spec.rootDeviceHints) }),
	};
	if (image === undefined) return common;
	if (image.format === "live-iso") return { ...common, boot_iso: image.url };
	const checksum = parseChecksum(image);
	return {
		...common,
		image_source: image.url,
		...(image.format === undefined ? {} : { image_disk_format: image.format }),
		...(checksum?.kind === "url" ? { image_checksum: checksum.url } : {}),
		...(checksum?.kind === "digest"
			? { image_os_hash_algo: checksum.algorithm, image_os_hash_value: checksum.value }
			: {}),
	};
}

/** Ironic's deploy interface for the host; `undefined`: its default. */
export function deployInterface({ spec }: Pick<BareMetalHost, "spec">): string | undefined {
	if (methodOf(spec) !== "") return "custom-agent";
	return spec.image?.format === "live-iso" ? "ramdisk" : undefined;
}

/** The step that a custom deployment adds, as BMO adds it. */
export function deploySteps({ spec }: Pick<BareMetalHost, "spec">): ProvisionRequest["deploy_steps"] {
	const step = methodOf(spec);
	return step === "" ? undefined : [{ interface: "deploy", step, args: {}, priority: 80 }];
}

/** `properties.capabilities` with the host's boot mode; what inspection put there stays. */
export function capabilities(bootMode: BootMode | undefined, present: unknown): string {
	const kept =
		typeof present === "string"
			? present.split(",").filter((item) => item !== "" && !/^(boot_mode|secure_boot):/.test(item))
			: [];
	return [...kept, CAPABILITIES[bootMode ?? "UEFI"]].join(",");
}

const CAPABILITIES: Readonly<Record<BootMode, string>> = {
	UEFI: "boot_mode:uefi",
	UEFISecureBoot: "boot_mode:uefi,secure_boot:true",
	legacy: "boot_mode:bios",
};
