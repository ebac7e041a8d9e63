import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";

/** What the smallest guest does after it has said its name on the serial port. */
export type Ending = "stay" | "reset" | "power-off";

const ENDINGS: Readonly<Record<Ending, readonly number[]>> = {
	stay: [],
	reset: [0xba, 0xf9, 0x0c, 0xb0, 0x06, 0xee], // out 0xcf9, 6: the chip set's reset
	"power-off": [0xba, 0x04, 0x06, 0xb8, 0x00, 0x20, 0xef], // ACPI's sleep register of q35: S5
};

/** A boot sector (x86 real mode, runs at any address) that writes a text to COM1. */
function bootSector(text: string, ending: Ending): Buffer {
	const code = [
		...[0xfc, 0x0e, 0x1f], // cld; push cs; pop ds
		...[0xe8, 0x00, 0x00, 0x5e], // call next; next: pop si
		...[0x83, 0xc6, 0x00], // add si, distance to the text (filled in below)
		...[0xba, 0xf8, 0x03], // mov dx, 0x3f8
		...[0xac, 0x84, 0xc0, 0x74, 0x03, 0xee, 0xeb, 0xf8], // until the final zero: lodsb; out dx, al
		...ENDINGS[ending],
		...[0xf4, 0xeb, 0xfd], // hlt, for ever
	];
	code[9] = code.length - 6;
	const sector = Buffer.alloc(512);
	sector.set(code);
	sector.write(`${text}\r\n\0`, code.length, "ascii");
	sector.set([0x55, 0xaa], 510);
	return sector;
}

/** A bootable qcow2 disk. Returns its path. */
export async function makeDisk(directory: string, text: string, ending: Ending): Promise<string> {
	const raw = join(directory, `${text}.raw`);
	const disk = join(directory, `${text}.qcow2`);
	await writeFile(raw, Buffer.concat([bootSector(text, ending), Buffer.alloc(1024 * 1024 - 512)]));
	await execa("qemu-img", ["convert", "-f", "raw", "-O", "qcow2", raw, disk]);
	return disk;
}

/** A bootable CD image (El Torito without emulation). Returns its path. */
export async function makeCd(directory: string, text: string, ending: Ending): Promise<string> {
	const tree = join(directory, `${text}.tree`);
	await mkdir(tree, { recursive: true });
	await writeFile(
		join(tree, "boot.bin"),
		Buffer.concat([bootSector(text, ending), Buffer.alloc(2048 - 512)]),
	);
	const iso = join(directory, `${text}.iso`);
	const elTorito = ["-b", "boot.bin", "-no-emul-boot", "-boot-load-size", "4"];
	await execa("genisoimage", ["-quiet", ...elTorito, "-o", iso, tree]);
	return iso;
}
