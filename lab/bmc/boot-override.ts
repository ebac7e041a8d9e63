import type { BootDevice } from "../server/qemu-arguments.ts";

/*
 * The Redfish boot override (DSP0268, ComputerSystem.Boot) as pure rules: what a PATCH makes of it, which device a
 * boot tries first, and what is left of it after that boot.
 */

export const OVERRIDE_TARGETS = ["None", "Pxe", "Cd", "Hdd", "UefiHttp"] as const;
export const OVERRIDE_ENABLED = ["Disabled", "Once", "Continuous"] as const;
export const OVERRIDE_MODES = ["Legacy", "UEFI"] as const;

export interface BootOverride {
	readonly enabled: (typeof OVERRIDE_ENABLED)[number];
	readonly target: (typeof OVERRIDE_TARGETS)[number];
	/** The firmware of the next power-on, also while no override is set. */
	readonly mode: (typeof OVERRIDE_MODES)[number];
}

/** Reasons why a PATCH of `Boot` is refused, as Redfish base messages. */
export interface BootPatchFault {
	readonly messageId: "PropertyValueNotInList" | "PropertyUnknown" | "PropertyValueError";
	readonly property: string;
}

/**
 * Applies the `Boot` object of a PATCH. A property that is left out keeps its value: Ironic sets the target in a
 * second PATCH without `BootSourceOverrideEnabled`, which must not lose a `Continuous`.
 */
export function patchBoot(
	boot: BootOverride,
	patch: Readonly<Record<string, unknown>>,
): BootOverride | BootPatchFault {
	let { enabled, target, mode } = boot;
	for (const [property, value] of Object.entries(patch)) {
		switch (property) {
			case "BootSourceOverrideEnabled":
				if (!isOneOf(OVERRIDE_ENABLED, value)) return notInList(property);
				enabled = value;
				break;
			case "BootSourceOverrideTarget":
				if (!isOneOf(OVERRIDE_TARGETS, value)) return notInList(property);
				target = value;
				break;
			case "BootSourceOverrideMode":
				if (!isOneOf(OVERRIDE_MODES, value)) return notInList(property);
				mode = value;
				break;
			case "HttpBootUri":
				// OVMF takes the address from DHCP; accepting one here would be a lie about the boot that follows.
				if (value !== null && value !== "") return { messageId: "PropertyValueError", property };
				break;
			default:
				return { messageId: "PropertyUnknown", property };
		}
	}
	return settle({ enabled, target, mode });
}

export function isBootPatchFault(result: BootOverride | BootPatchFault): result is BootPatchFault {
	return "messageId" in result;
}

/** What is left once a boot has started: a one-shot override is used up by it. */
export function afterBoot(boot: BootOverride): BootOverride {
	return boot.enabled === "Once" ? { ...boot, enabled: "Disabled", target: "None" } : boot;
}

/** The order in which a boot that starts now tries the devices. */
export function bootDevices(boot: BootOverride, usual: readonly BootDevice[]): readonly BootDevice[] {
	const first = boot.enabled === "Disabled" ? undefined : DEVICE_OF_TARGET[boot.target];
	return first === undefined ? usual : [first, ...usual.filter((device) => device !== first)];
}

const DEVICE_OF_TARGET: Readonly<Record<BootOverride["target"], BootDevice | undefined>> = {
	None: undefined,
	Pxe: "network",
	UefiHttp: "network",
	Cd: "cd",
	Hdd: "disk",
};

/** The specification's two couplings: no target means no override, and the other way round. */
function settle(boot: BootOverride): BootOverride {
	return boot.enabled === "Disabled" || boot.target === "None"
		? { ...boot, enabled: "Disabled", target: "None" }
		: boot;
}

function notInList(property: string): BootPatchFault {
	return { messageId: "PropertyValueNotInList", property };
}

function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
	return typeof value === "string" && (values as readonly string[]).includes(value);
}
