import test from "ava";
import { tooBig } from "../../../src/hosts/disk-room.ts";
import type { HardwareDetails } from "../../../src/resources/hardware-data.ts";
import { host } from "./_fixtures.ts";

const GiB = 1024 ** 3;
const hardware = {
	storage: [
		{ name: "/dev/disk/by-path/pci-1", alternateNames: ["/dev/sda"], sizeBytes: GiB },
		{ name: "/dev/sdb", sizeBytes: 4 * GiB },
	],
} as unknown as HardwareDetails;

test("an image is too big when no disk that may become the root disk can take it", (t) => {
	t.is(
		tooBig(host(), hardware, 5 * GiB),
		"the largest disk has 4096 MiB, too small for requested image of 5120 MiB",
	);
	t.is(tooBig(host(), hardware, 4 * GiB), undefined);
	const hinted = host({ rootDeviceHints: { deviceName: "/dev/sda" } });
	t.is(tooBig(hinted, hardware, 2 * GiB), "/dev/sda has 1024 MiB, too small for requested image of 2048 MiB");
});

test("what is not known refuses nothing", (t) => {
	t.is(tooBig(host(), undefined, 5 * GiB), undefined);
	t.is(tooBig(host({ rootDeviceHints: { deviceName: "/dev/sdz" } }), hardware, 5 * GiB), undefined);
});
