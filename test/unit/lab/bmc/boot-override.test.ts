import test from "ava";
import { afterBoot, type BootOverride, bootDevices, patchBoot } from "../../../../lab/bmc/boot-override.ts";

const none: BootOverride = { enabled: "Disabled", target: "None", mode: "UEFI" };
const cdOnce: BootOverride = { enabled: "Once", target: "Cd", mode: "UEFI" };
const cdAlways: BootOverride = { enabled: "Continuous", target: "Cd", mode: "UEFI" };

const patches = [
	{
		title: "target and duration together",
		from: none,
		patch: { BootSourceOverrideTarget: "Cd", BootSourceOverrideEnabled: "Once" },
		to: cdOnce,
	},
	{
		title: "a target alone keeps Continuous",
		from: cdAlways,
		patch: { BootSourceOverrideTarget: "Hdd" },
		to: { enabled: "Continuous", target: "Hdd", mode: "UEFI" },
	},
	{
		title: "a target alone while disabled stays disabled",
		from: none,
		patch: { BootSourceOverrideTarget: "Pxe" },
		to: none,
	},
	{
		title: "Disabled forgets the target",
		from: cdAlways,
		patch: { BootSourceOverrideEnabled: "Disabled" },
		to: none,
	},
	{
		title: "the target None ends the override",
		from: cdAlways,
		patch: { BootSourceOverrideTarget: "None" },
		to: none,
	},
	{
		title: "the mode alone leaves the override",
		from: cdOnce,
		patch: { BootSourceOverrideMode: "Legacy" },
		to: { enabled: "Once", target: "Cd", mode: "Legacy" },
	},
	{
		title: "an unknown target is refused",
		from: none,
		patch: { BootSourceOverrideTarget: "Floppy" },
		to: { messageId: "PropertyValueNotInList", property: "BootSourceOverrideTarget" },
	},
	{
		title: "a boot URI is refused: the firmware would not use it",
		from: none,
		patch: { HttpBootUri: "http://172.22.0.1/boot.iso" },
		to: { messageId: "PropertyValueError", property: "HttpBootUri" },
	},
	{
		title: "an unknown property is refused",
		from: none,
		patch: { BootOrder: [] },
		to: { messageId: "PropertyUnknown", property: "BootOrder" },
	},
] as const;

for (const { title, from, patch, to } of patches) {
	test(`PATCH Boot: ${title}`, (t) => {
		t.deepEqual(patchBoot(from, patch), to);
	});
}

const orders = [
	{ boot: none, order: ["disk", "network", "cd"] },
	{ boot: cdOnce, order: ["cd", "disk", "network"] },
	{ boot: { ...cdOnce, target: "Pxe" }, order: ["network", "disk", "cd"] },
	{ boot: { ...cdOnce, target: "UefiHttp" }, order: ["network", "disk", "cd"] },
	{ boot: { ...cdAlways, target: "Hdd" }, order: ["disk", "network", "cd"] },
] as const;

for (const { boot, order } of orders) {
	test(`${boot.enabled} ${boot.target}: tries ${order.join(", ")}`, (t) => {
		t.deepEqual(bootDevices(boot, ["disk", "network", "cd"]), order);
	});
}

test("Hdd moves the disk before a firmware that prefers the network", (t) => {
	t.deepEqual(bootDevices({ ...cdOnce, target: "Hdd" }, ["network", "disk", "cd"]), [
		"disk",
		"network",
		"cd",
	]);
});

test("a boot uses a one-shot override up", (t) => {
	t.deepEqual(afterBoot(cdOnce), none);
});

test("a boot leaves a continuous override", (t) => {
	t.deepEqual(afterBoot(cdAlways), cdAlways);
});
