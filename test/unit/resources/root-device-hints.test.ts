import test from "ava";
import fc from "fast-check";
import {
	hintsFromIronic,
	ironicRootDevice,
	refusedDeviceName,
	rootDeviceHintsSchema,
} from "../../../src/resources/root-device-hints.ts";
import { arbitraryInput } from "../../support/arbitrary.ts";

test("every hint becomes the operator that BMO writes", (t) => {
	t.deepEqual(
		ironicRootDevice({
			deviceName: "/dev/sda",
			hctl: "1:2:3:4",
			model: "QEMU",
			vendor: "Intel",
			serialNumber: "S1",
			minSizeGigabytes: 40,
			wwn: "0x5",
			wwnWithExtension: "0x5e",
			wwnVendorExtension: "0xe",
			rotational: false,
		}),
		{
			name: "s== /dev/sda",
			hctl: "s== 1:2:3:4",
			model: "<in> QEMU",
			vendor: "<in> Intel",
			serial: "s== S1",
			size: ">= 40",
			wwn: "s== 0x5",
			wwn_with_extension: "s== 0x5e",
			wwn_vendor_extension: "s== 0xe",
			rotational: "false",
		},
	);
	t.deepEqual(ironicRootDevice({ deviceName: "/dev/disk/by-path/pci-0" }), {
		by_path: "s== /dev/disk/by-path/pci-0",
	});
	t.deepEqual(ironicRootDevice({ deviceName: "", minSizeGigabytes: 0 }), {});
});

test("other spellings of the same hints are read too", (t) => {
	t.deepEqual(hintsFromIronic({ name: "/dev/sda", rotational: "True", size: ">=40" }), {
		deviceName: "/dev/sda",
		rotational: true,
		minSizeGigabytes: 40,
	});
});

for (const hint of [
	{ size: "40" },
	{ size: "<= 40" },
	{ name: "<or> /dev/sda <or> /dev/sdb" },
	{ name: "s!= /dev/sda" },
	{ model: "QEMU" },
	{ model: "s== QEMU" },
	{ serial: "!= 1" },
	{ firmware: "x" },
	{ rotational: "maybe" },
	{ wwn: 5 },
])
	test(`${JSON.stringify(hint)} cannot be said in a BareMetalHost`, (t) => {
		t.throws(() => hintsFromIronic(hint), { instanceOf: RangeError });
	});

test("hints come back from Ironic as they were", (t) => {
	fc.assert(
		fc.property(arbitraryInput(rootDeviceHintsSchema), (input) => {
			const hints = rootDeviceHintsSchema.parse(input);
			const texts = Object.values(hints).filter((value) => typeof value === "string");
			// Ironic trims values, and an operator within the text is an operator to it.
			fc.pre(texts.every((text) => text !== "" && text === text.trim() && !/[<>=!]/.test(text)));
			fc.pre(hints.minSizeGigabytes !== 0);
			t.deepEqual(
				hintsFromIronic(ironicRootDevice(hints)),
				Object.fromEntries(Object.entries(hints).filter(([, value]) => value !== undefined)),
			);
		}),
		{ numRuns: 200 },
	);
});

for (const [name, isFine] of [
	["/dev/sda", true],
	["/dev/disk/by-path/pci-0000:00:1f.2-ata-1", true],
	["", true],
	["sda", false],
	["/dev/disk/by-id/x", false],
	["/dev/mapper/x", false],
	["/dev/", false],
] as const)
	test(`device name ${JSON.stringify(name)} is ${isFine ? "taken" : "refused"}, as by BMO`, (t) => {
		t.is(refusedDeviceName(name) === undefined, isFine);
	});
