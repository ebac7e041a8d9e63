import type { ServedMode } from "../resources/dhcp-mode.ts";
import type { Dhcp } from "../resources/ironic.ts";
import { isIPv6 } from "./addresses.ts";
import { servesFamily } from "./dnsmasq-ranges.ts";
import type { StackInputs } from "./inputs.ts";

/** A kind of firmware: its number in RFC 4578 and IANA's registry, and the iPXE that it loads. */
interface Firmware {
	readonly tag: string;
	readonly architectures: readonly number[];
	readonly file: string;
}

/** Loads over TFTP. */
const pxeFirmware: readonly Firmware[] = [
	{ tag: "bios", architectures: [0], file: "undionly.kpxe" },
	{ tag: "efi64", architectures: [7, 9], file: "snponly-x86_64.efi" },
	{ tag: "arm64", architectures: [11], file: "snponly-arm64.efi" },
];

/** UEFI HTTP boot. */
const httpFirmware: readonly Firmware[] = [
	{ tag: "efihttp", architectures: [16], file: "snponly-x86_64.efi" },
	{ tag: "arm64http", architectures: [19], file: "snponly-arm64.efi" },
];

/**
 * What a client boots: BIOS and UEFI firmware load iPXE over TFTP, UEFI HTTP boot over HTTP; iPXE itself then fetches
 * Ironic's script. `files` is the URL of the boot files.
 */
export function bootLines(
	dhcp: Dhcp | undefined,
	files: string,
	inputs: StackInputs,
	mode: ServedMode,
): readonly string[] {
	const common = [
		"enable-tftp",
		"tftp-root=/shared/tftpboot",
		// Data comes from port 69 too, so that a firewall needs no connection tracking for it.
		"tftp-single-port",
	];
	if (mode === "proxy") return [...common, ...proxyLines(files, inputs)];
	return [
		...common,
		...(servesFamily(dhcp, 4) ? ipv4Lines(files, inputs) : []),
		...(servesFamily(dhcp, 6) ? ipv6Lines(files, inputs) : []),
	];
}

function ipv4Lines(files: string, { provisioning: { address } }: StackInputs): readonly string[] {
	return [
		...matches([...pxeFirmware, ...httpFirmware], "option:client-arch"),
		...ipxe(files),
		...pxeFirmware.map((firmware) => tftpBoot(firmware, address)),
		...httpFirmware.flatMap(({ tag, file }) => [
			// UEFI HTTP boot takes an answer only from a server of its own class.
			`dhcp-option-force=tag:${tag},60,HTTPClient`,
			`dhcp-boot=tag:!ipxe,tag:${tag},${files}/${file}`,
		]),
	];
}

/** iPXE announces itself by its own encapsulated options. */
function ipxe(files: string): readonly string[] {
	return ["dhcp-match=set:ipxe,175", `dhcp-boot=tag:ipxe,${files}/boot.ipxe`];
}

/**
 * BIOS takes the file out of the proxy's answer; UEFI firmware then asks the proxy itself, on port 4011, for the one entry
 * of its architecture. UEFI HTTP boot knows no proxies.
 */
function proxyLines(files: string, { provisioning: { address } }: StackInputs): readonly string[] {
	const [bios, ...uefi] = pxeFirmware;
	return [
		...ipxe(files),
		...(bios === undefined ? [] : [...matches([bios], "option:client-arch"), tftpBoot(bios, address)]),
		...uefi.flatMap(({ architectures, file }) =>
			architectures.map((architecture) => `pxe-service=tag:!ipxe,${architecture},ironstrap,${file}`),
		),
	];
}

function tftpBoot({ file, tag }: Firmware, address: string): string {
	// Without an address dnsmasq names its own on this interface.
	const server = isIPv6(address) ? "" : `,${address},${address}`;
	return `dhcp-boot=tag:!ipxe,tag:${tag},${file}${server}`;
}

function ipv6Lines(files: string, inputs: StackInputs): readonly string[] {
	const { address, ipv6Cidr } = inputs.provisioning;
	const host = isIPv6(address) ? address : ipv6Cidr?.replace(/\/.*/, "");
	const bootfile = (tags: string, url: string) => `dhcp-option=${tags},option6:bootfile-url,${url}`;
	return [
		...matches([...pxeFirmware, ...httpFirmware], "option6:61"),
		"dhcp-userclass=set:ipxe6,iPXE",
		...(host === undefined
			? []
			: pxeFirmware
					.filter(({ tag }) => tag !== "bios")
					.map(({ tag, file }) => bootfile(`tag:!ipxe6,tag:${tag}`, `tftp://[${host}]/${file}`))),
		...httpFirmware.flatMap(({ tag, file }) => [
			`dhcp-option-force=tag:!ipxe6,tag:${tag},option6:16,${vendorClass}`,
			bootfile(`tag:!ipxe6,tag:${tag}`, `${files}/${file}`),
		]),
		bootfile("tag:ipxe6", `${files}/boot.ipxe`),
	];
}

/** RFC 8415 §21.16: enterprise number 343 (Intel, as firmware expects), the length, `HTTPClient`. */
const vendorClass = "00:00:01:57:00:0a:48:54:54:50:43:6c:69:65:6e:74";

function matches(firmware: readonly Firmware[], option: string): readonly string[] {
	return firmware.flatMap(({ architectures, tag }) =>
		architectures.map((architecture) => `dhcp-match=set:${tag},${option},${architecture}`),
	);
}
