import { z } from "zod";

/** Which disk the operating system goes to, as BMO takes it; all given hints must match. */
export const rootDeviceHintsSchema = z.strictObject({
	deviceName: z.string().optional(),
	hctl: z.string().optional(),
	model: z.string().optional(),
	vendor: z.string().optional(),
	serialNumber: z.string().optional(),
	minSizeGigabytes: z.int().min(0).optional(),
	wwn: z.string().optional(),
	wwnWithExtension: z.string().optional(),
	wwnVendorExtension: z.string().optional(),
	rotational: z.boolean().optional(),
});

export type RootDeviceHints = z.output<typeof rootDeviceHintsSchema>;

/** Hints that are compared as whole strings: name in a BareMetalHost, name in Ironic. */
const EXACT = [
	["hctl", "hctl"],
	["serialNumber", "serial"],
	["wwn", "wwn"],
	["wwnWithExtension", "wwn_with_extension"],
	["wwnVendorExtension", "wwn_vendor_extension"],
] as const;

/** Hints that are looked for within a longer string, without regard to case. */
const CONTAINED = ["model", "vendor"] as const;

/** The start that makes a `deviceName` a path by connection rather than a kernel name. */
const BY_PATH = "/dev/disk/by-path/";

/** What BMO's webhook refuses, as one sentence; `undefined` if the name is fine. */
export function refusedDeviceName(deviceName: string): string | undefined {
	if (deviceName === "") return undefined;
	if (!deviceName.startsWith("/dev/")) return "must be a path in /dev/ or /dev/disk/by-path/";
	const name = deviceName.slice("/dev/".length).replace(/^disk\/by-path\//, "");
	return name === "" || name.includes("/") ? "must be a path in /dev/ or /dev/disk/by-path/" : undefined;
}

/** Hints → `properties.root_device`, with the operators that BMO writes. Empty hints give an empty object. */
export function ironicRootDevice(hints: RootDeviceHints): Record<string, string> {
	const result: Record<string, string> = {};
	if (hints.deviceName)
		result[hints.deviceName.startsWith(BY_PATH) ? "by_path" : "name"] = `s== ${hints.deviceName}`;
	for (const [ours, theirs] of EXACT) if (hints[ours]) result[theirs] = `s== ${hints[ours]}`;
	for (const name of CONTAINED) if (hints[name]) result[name] = `<in> ${hints[name]}`;
	if (hints.minSizeGigabytes) result.size = `>= ${hints.minSizeGigabytes}`;
	if (hints.rotational !== undefined) result.rotational = String(hints.rotational);
	return result;
}

/**
 * `properties.root_device` → hints. Throws a `RangeError` for what a BareMetalHost cannot say (`<or>`, `!=`, `<`, an
 * unknown hint): leaving it out would let another disk be taken.
 */
export function hintsFromIronic(rootDevice: Readonly<Record<string, unknown>>): RootDeviceHints {
	const hints: RootDeviceHints = {};
	for (const [name, value] of Object.entries(rootDevice)) {
		if (name === "rotational") hints.rotational = parseBoolean(value);
		else if (name === "size") hints.minSizeGigabytes = parseSize(value);
		else if (name === "name" || name === "by_path") hints.deviceName = operand(name, value, ["s=="]);
		else if (name === "model" || name === "vendor") hints[name] = operand(name, value, ["<in>"]);
		else {
			const exact = EXACT.find(([, theirs]) => theirs === name);
			if (!exact) throw new RangeError(`a BareMetalHost has no root device hint ${JSON.stringify(name)}`);
			hints[exact[0]] = operand(name, value, ["s=="]);
		}
	}
	return hints;
}

/** Ironic's operators, longest first: https://docs.openstack.org/ironic/latest/install/advanced.html#root-device-hints */
const OPERATORS = [
	"<all-in>",
	"<or>",
	"<in>",
	"s==",
	"s!=",
	"s<=",
	"s>=",
	"s<",
	"s>",
	"==",
	"!=",
	"<=",
	">=",
	"=",
	"<",
	">",
];

function operand(name: string, value: unknown, allowed: readonly string[]): string {
	if (typeof value !== "string") throw new RangeError(`root device hint ${name} is not a text`);
	const text = value.trim();
	const operator = OPERATORS.find((candidate) => text.startsWith(`${candidate} `));
	// Without an operator Ironic compares strings as with `s==`.
	if (operator === undefined && allowed.includes("s==")) return text;
	if (operator === undefined || !allowed.includes(operator))
		throw new RangeError(
			`root device hint ${name} is compared with ${operator ?? "s=="}; a BareMetalHost can only say ${allowed.join(" or ")}`,
		);
	return text.slice(operator.length).trim();
}

function parseSize(value: unknown): number {
	const match = /^>=\s*(\d+)$/.exec(String(value).trim());
	if (!match)
		throw new RangeError("root device hint size is not a lower bound; a BareMetalHost can only say >= N");
	return Number(match[1]);
}

function parseBoolean(value: unknown): boolean {
	const text = String(value).trim().toLowerCase();
	if (/^(1|t|true|on|y|yes)$/.test(text)) return true;
	if (/^(0|f|false|off|n|no)$/.test(text)) return false;
	throw new RangeError("root device hint rotational is neither true nor false");
}
