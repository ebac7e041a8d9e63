import type { BareMetalHost } from "../../resources/bare-metal-host.ts";
import { needsChecksum, parseChecksum } from "../../resources/checksum.ts";
import { refusedDeviceName } from "../../resources/root-device-hints.ts";
import type { Draft } from "../draft.ts";
import type { Finding } from "../finding.ts";
import { redactUserinfo } from "../sensitive.ts";
import { attempt } from "./ironic-rule.ts";
import { on, type SiteRule } from "./site-rule.ts";

/** What goes onto a host's disk, and which disk. */
export const hostImage: SiteRule = function* (draft) {
	for (const host of draft.hosts) {
		yield* image(draft, host);
		yield* hints(draft, host);
		if (!host.spec.online && host.spec.disablePowerOff)
			yield on(draft, host, ["spec", "disablePowerOff"], "power-off-disabled", {
				message: "`online: false` and `disablePowerOff: true` contradict each other",
				fix: "remove one of the two",
			});
	}
};

/** The schemes that BMO's webhook takes from v0.14 on. */
const IMAGE_SCHEMES = ["http:", "https:", "ftp:", "gopher:", "oci:"];

function* image(draft: Draft, host: BareMetalHost): Iterable<Finding> {
	const { image, online } = host.spec;
	if (!image) return;
	const url = attempt(() => new URL(image.url));
	if (!url || !IMAGE_SCHEMES.includes(url.protocol) || (url.protocol !== "oci:" && url.host === ""))
		yield on(draft, host, ["spec", "image", "url"], "image-url-invalid", {
			message: "`image.url` is not a URL that Ironic can fetch",
			seen: redactUserinfo(image.url),
			fix: "give a URL with http://, https:// or oci://",
		});
	if (needsChecksum(image)) yield* checksum(draft, host);
	if (!online)
		yield on(draft, host, ["spec", "online"], "image-while-offline", {
			severity: "warning",
			message: "the host has an `image`, but `online` is false: it is provisioned and then switched off",
			fix: "set `online: true`, or leave `image` out until it is needed",
		});
}

function* checksum(draft: Draft, host: BareMetalHost): Iterable<Finding> {
	const { image } = host.spec;
	if (!image) return;
	if (!image.checksum) {
		yield on(draft, host, ["spec", "image"], "image-checksum-missing", {
			message: "`image` has no `checksum`",
			fix: "add the SHA-256 of the file (`sha256sum IMAGE`) and `checksumType: sha256`",
		});
		return;
	}
	try {
		if (parseChecksum(image)?.algorithm === "md5")
			yield on(draft, host, ["spec", "image", "checksum"], "image-checksum-md5", {
				severity: "warning",
				message:
					"`image.checksum` is MD5, which does not protect against a forged image and which Ironic may be set to refuse",
				fix: "use SHA-256: `sha256sum IMAGE` and `checksumType: sha256`",
			});
	} catch (error) {
		yield on(draft, host, ["spec", "image", "checksum"], "image-checksum-invalid", {
			message: `\`image.checksum\` ${(error as Error).message}`,
			seen: redactUserinfo(image.checksum),
			fix: "give the digest in hexadecimal, or the http(s) URL of a file that lists it",
		});
	}
}

function* hints(draft: Draft, host: BareMetalHost): Iterable<Finding> {
	const { rootDeviceHints, raid } = host.spec;
	const fault = refusedDeviceName(rootDeviceHints?.deviceName ?? "");
	if (fault !== undefined)
		yield on(draft, host, ["spec", "rootDeviceHints", "deviceName"], "root-device-name", {
			message: `\`rootDeviceHints.deviceName\` ${fault}`,
			seen: rootDeviceHints?.deviceName,
			fix: "give /dev/NAME or /dev/disk/by-path/NAME; for other links use `serialNumber` or `wwn`",
		});
	if (!raid) return;
	const hardware = raid.hardwareRAIDVolumes ?? [];
	const software = raid.softwareRAIDVolumes ?? [];
	if (hardware.length > 0 && software.length > 0)
		yield on(draft, host, ["spec", "raid"], "raid-twice", {
			message: "`raid` has hardware and software volumes",
			fix: "keep one of the two",
		});
	for (const [index, volume] of hardware.entries()) {
		const path = ["spec", "raid", "hardwareRAIDVolumes", index];
		const disks = volume.physicalDisks ?? [];
		if (disks.length > 0 && !volume.controller)
			yield on(draft, host, path, "raid-controller-missing", {
				message: `hardware RAID volume ${index} has \`physicalDisks\` without \`controller\``,
				fix: "name the controller",
			});
		if (
			disks.length > 0 &&
			volume.numberOfPhysicalDisks !== undefined &&
			volume.numberOfPhysicalDisks !== disks.length
		)
			yield on(draft, host, [...path, "numberOfPhysicalDisks"], "raid-disk-count", {
				message: `hardware RAID volume ${index} has ${disks.length} \`physicalDisks\`, but \`numberOfPhysicalDisks\` is ${volume.numberOfPhysicalDisks}`,
				fix: "remove one of the two",
			});
	}
	if (software.filter(({ rootVolume }) => rootVolume).length > 1)
		yield on(draft, host, ["spec", "raid", "softwareRAIDVolumes"], "raid-root-volumes", {
			message: "several software RAID volumes have `rootVolume: true`",
			fix: "keep it on one",
		});
}
