import test from "ava";
import { type QemuSpec, qemuArguments } from "../../../../lab/server/qemu-arguments.ts";

const bios: QemuSpec = {
	name: "s0",
	uuid: "11111111-2222-8333-8444-555555555555",
	mac: "52:54:00:ab:00:01",
	tap: "tap-s0",
	memoryMiB: 2048,
	disk: "/lab/s0/disk.qcow2",
	firmware: { kind: "bios" },
	console: "/lab/s0/console-1.log",
	monitor: "/run/qemu.sock",
	bootOrder: ["disk", "network", "cd"],
	rom: "ipxe",
};
const uefi = {
	kind: "uefi",
	secureBoot: false,
	variables: "/lab/s0/variables.fd",
	httpBoot: false,
} as const;

/** The values of an option, in order. */
function valuesOf(option: string, args: readonly string[]): string[] {
	return args.flatMap((value, index) => (args[index - 1] === option ? [value] : []));
}

test("a BIOS server, the whole command line", (t) => {
	t.deepEqual(qemuArguments(bios), [
		...["-name", "s0", "-S", "-machine", "q35,graphics=off"],
		...["-accel", "tcg,thread=multi,tb-size=512", "-cpu", "qemu64", "-smp", "1", "-m", "2048"],
		...["-uuid", "11111111-2222-8333-8444-555555555555", "-smbios"],
		"type=1,manufacturer=Lab,product=VirtualServer,serial=s0,uuid=11111111-2222-8333-8444-555555555555",
		...["-rtc", "base=utc", "-nodefaults", "-no-user-config", "-display", "none", "-vga", "none"],
		...["-chardev", "file,id=console,path=/lab/s0/console-1.log", "-serial", "chardev:console"],
		...["-qmp", "unix:/run/qemu.sock,server=on,wait=off"],
		...["-drive", "if=none,id=disk0,file=/lab/s0/disk.qcow2,format=qcow2,cache=unsafe,discard=unmap"],
		...["-device", "virtio-blk-pci,id=disk,drive=disk0,serial=s0,bootindex=1"],
		...["-netdev", "tap,id=net0,ifname=tap-s0,script=no,downscript=no"],
		...["-device", "virtio-net-pci,id=nic,netdev=net0,mac=52:54:00:ab:00:01,bootindex=2"],
		...["-device", "ide-cd,id=cd,bus=ide.0,bootindex=3"],
		...["-device", "virtio-rng-pci"],
	]);
});

test("the boot order becomes boot indexes", (t) => {
	const devices = valuesOf("-device", qemuArguments({ ...bios, bootOrder: ["cd", "disk", "network"] })).join(
		"\n",
	);
	t.regex(devices, /id=cd,bus=ide.0,bootindex=1/);
	t.regex(devices, /id=disk,.*bootindex=2/);
	t.regex(devices, /id=nic,.*bootindex=3/);
});

test("UEFI has the shared code and a variable store of its own", (t) => {
	t.deepEqual(valuesOf("-drive", qemuArguments({ ...bios, firmware: uefi })).slice(1), [
		"if=pflash,format=raw,unit=0,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd",
		"if=pflash,format=raw,unit=1,file=/lab/s0/variables.fd",
	]);
});

test("Secure Boot is the firmware build that enforces it, guarded by SMM", (t) => {
	const args = qemuArguments({ ...bios, firmware: { ...uefi, secureBoot: true } });
	t.deepEqual(valuesOf("-machine", args), ["q35,smm=on"]);
	t.deepEqual(valuesOf("-global", args), ["driver=cfi.pflash01,property=secure,value=on"]);
	t.regex(valuesOf("-drive", args).join("\n"), /OVMF_CODE_4M\.secboot\.fd/);
});

test("HTTP boot leaves the firmware no PXE and the card no ROM", (t) => {
	const args = qemuArguments({ ...bios, firmware: { ...uefi, httpBoot: true } });
	t.deepEqual(valuesOf("-fw_cfg", args), [
		"name=opt/org.tianocore/IPv4PXESupport,string=n",
		"name=opt/org.tianocore/IPv6PXESupport,string=n",
	]);
	t.regex(valuesOf("-device", args)[1] ?? "", /,romfile=$/);
});

test("a ROM of its own, or none", (t) => {
	t.regex(qemuArguments({ ...bios, rom: { file: "/roms/x.rom" } }).join(" "), /,romfile=\/roms\/x\.rom /);
	t.regex(qemuArguments({ ...bios, rom: "none" }).join(" "), /,romfile= /);
});
