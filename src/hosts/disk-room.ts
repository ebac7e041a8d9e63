import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { HardwareDetails } from "../resources/hardware-data.ts";

const MiB = 1024 ** 2;

/**
 * Why an image of `bytes` cannot go on this host, in words that a failure of Ironic would have; `undefined` when it may
 * fit. Of the root device hints only the device's name is looked at, so that nothing is refused that could work.
 */
export function tooBig(
	host: BareMetalHost,
	hardware: HardwareDetails | undefined,
	bytes: number,
): string | undefined {
	const name = host.spec.rootDeviceHints?.deviceName;
	const disks = (hardware?.storage ?? []).filter(
		(disk) => name === undefined || disk.name === name || disk.alternateNames?.includes(name) === true,
	);
	const sizes = disks.map(({ sizeBytes }) => sizeBytes ?? 0).filter((size) => size > 0);
	if (sizes.length === 0) return undefined;
	const largest = Math.max(...sizes);
	if (bytes <= largest) return undefined;
	const which = name === undefined ? "the largest disk" : name;
	return `${which} has ${Math.floor(largest / MiB)} MiB, too small for requested image of ${Math.ceil(bytes / MiB)} MiB`;
}
