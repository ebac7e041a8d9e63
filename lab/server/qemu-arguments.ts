/** The devices that a server of the lab can boot from. */
export type BootDevice = "disk" | "network" | "cd";

/** The firmware of one power-on. */
export type Firmware =
	| { readonly kind: "bios" }
	| {
			readonly kind: "uefi";
			readonly secureBoot: boolean;
			/** The server's own copy of the variable store. */
			readonly variables: string;
			/** Leaves HTTP as the only network boot: OVMF would wait 60 s each for PXEv4 and PXEv6 first. */
			readonly httpBoot: boolean;
	  };

/** One power-on of a server, complete: same input, same command line. */
export interface QemuSpec {
	/** Lower-case letters, digits and dashes; also the chassis serial number. */
	readonly name: string;
	readonly uuid: string;
	readonly mac: string;
	readonly tap: string;
	readonly memoryMiB: number;
	/** qcow2 file. */
	readonly disk: string;
	readonly firmware: Firmware;
	/** File that gets what the guest writes on its serial port. */
	readonly console: string;
	/** Path of the monitor's socket. */
	readonly monitor: string;
	readonly bootOrder: readonly BootDevice[];
	/** Option ROM of the network card: QEMU's iPXE, none (the firmware's own PXE), or a file. */
	readonly rom: "ipxe" | "none" | { readonly file: string };
}

const OVMF = "/usr/share/OVMF";

/** Template of the variable store that {@link Firmware}'s `variables` is a copy of. */
export function variablesTemplate(secureBoot: boolean): string {
	return `${OVMF}/${secureBoot ? "OVMF_VARS_4M.ms.fd" : "OVMF_VARS_4M.fd"}`;
}

/** The `id` of the QEMU device behind each boot device. */
export const DEVICE_IDS: Readonly<Record<BootDevice, string>> = { disk: "disk", network: "nic", cd: "cd" };

/**
 * Arguments of qemu-system-x86_64. The guest starts paused (`-S`), so that a medium can be put in before its
 * firmware looks.
 *
 * TCG always, even where /dev/kvm exists: firmware and kernels fail under the nested kinds of KVM that build
 * machines offer. One CPU: with several, TCG once in a while breaks the kernel's own code patching at boot.
 */
export function qemuArguments(spec: QemuSpec): string[] {
	const bootIndex = (device: BootDevice) => `bootindex=${spec.bootOrder.indexOf(device) + 1}`;
	return [
		...["-name", spec.name, "-S"],
		...["-machine", machineType(spec.firmware)],
		...[
			"-accel",
			"tcg,thread=multi,tb-size=512",
			"-cpu",
			"qemu64",
			"-smp",
			"1",
			"-m",
			String(spec.memoryMiB),
		],
		...["-uuid", spec.uuid],
		...["-smbios", `type=1,manufacturer=Lab,product=VirtualServer,serial=${spec.name},uuid=${spec.uuid}`],
		...["-rtc", "base=utc"],
		...["-nodefaults", "-no-user-config", "-display", "none", "-vga", "none"],
		...["-chardev", `file,id=console,path=${spec.console}`, "-serial", "chardev:console"],
		...["-qmp", `unix:${spec.monitor},server=on,wait=off`],
		...["-drive", `if=none,id=disk0,file=${spec.disk},format=qcow2,cache=unsafe,discard=unmap`],
		...[
			"-device",
			`virtio-blk-pci,id=${DEVICE_IDS.disk},drive=disk0,serial=${spec.name},${bootIndex("disk")}`,
		],
		...["-netdev", `tap,id=net0,ifname=${spec.tap},script=no,downscript=no`],
		...[
			"-device",
			`virtio-net-pci,id=${DEVICE_IDS.network},netdev=net0,mac=${spec.mac},${bootIndex("network")}${rom(spec)}`,
		],
		// On q35's AHCI: small kernels have ahci and sr_mod, but neither USB storage nor virtio-scsi.
		...["-device", `ide-cd,id=${DEVICE_IDS.cd},bus=ide.0,${bootIndex("cd")}`],
		...["-device", "virtio-rng-pci"],
		...firmware(spec.firmware),
	];
}

/** Secure Boot's variable store is guarded by SMM; without graphics SeaBIOS speaks on the serial port. */
function machineType(choice: Firmware): string {
	if (choice.kind === "bios") return "q35,graphics=off";
	return choice.secureBoot ? "q35,smm=on" : "q35";
}

function rom({ rom: choice, firmware: chosen }: QemuSpec): string {
	// UEFI HTTP boot is the firmware's own: an iPXE ROM would take the card first.
	if (chosen.kind === "uefi" && chosen.httpBoot) return ",romfile=";
	if (choice === "ipxe") return "";
	return `,romfile=${choice === "none" ? "" : choice.file}`;
}

function firmware(choice: Firmware): string[] {
	if (choice.kind === "bios") return []; // SeaBIOS is QEMU's default
	const code = `${OVMF}/${choice.secureBoot ? "OVMF_CODE_4M.secboot.fd" : "OVMF_CODE_4M.fd"}`;
	const onlyHttp = ["IPv4PXESupport", "IPv6PXESupport"].flatMap((option) => [
		"-fw_cfg",
		`name=opt/org.tianocore/${option},string=n`,
	]);
	return [
		...["-drive", `if=pflash,format=raw,unit=0,readonly=on,file=${code}`],
		...["-drive", `if=pflash,format=raw,unit=1,file=${choice.variables}`],
		...(choice.secureBoot ? ["-global", "driver=cfi.pflash01,property=secure,value=on"] : []),
		...(choice.httpBoot ? onlyHttp : []),
	];
}
