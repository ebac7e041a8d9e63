const blockSize = 512;

/**
 * The header of a regular file in a tar (POSIX ustar): mode 0644, owner 0:0, time 0, so that equal content gives an
 * equal archive. Written by hand because the size of a streamed member is known only after its data.
 *
 * @throws RangeError for names over 100 bytes or sizes of 8 GiB and more, which ustar cannot express
 */
export function tarHeader(name: string, size: number): Buffer {
	if (Buffer.byteLength(name) > 100) throw new RangeError(`name too long for a tar header: ${name}`);
	if (size >= 8 ** 11) throw new RangeError(`${name} is too large for a tar header: ${size} bytes`);
	const header = Buffer.alloc(blockSize);
	const octal = (value: number, at: number, digits: number) =>
		header.write(value.toString(8).padStart(digits, "0"), at);
	header.write(name, 0);
	octal(0o644, 100, 7);
	octal(0, 108, 7);
	octal(0, 116, 7);
	octal(size, 124, 11);
	octal(0, 136, 11);
	header.write("        0", 148); // the checksum counts as eight spaces; then the type of a regular file
	header.write("ustar\x0000", 257, "latin1");
	const sum = header.reduce((total, byte) => total + byte, 0);
	header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
	return header;
}

/** Zeros that fill a member of this size up to whole blocks. */
export const tarPadding = (size: number): Buffer =>
	Buffer.alloc((blockSize - (size % blockSize)) % blockSize);

/** Two empty blocks end an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * blockSize);

/** Name and size of a member that `tarHeader` began; `undefined` at the end of the archive, or where there is no header. */
export function parseTarHeader(block: Buffer): { readonly name: string; readonly size: number } | undefined {
	const name = block.toString("utf8", 0, 100).replace(/\0.*$/s, "");
	const size = Number.parseInt(block.toString("latin1", 124, 135), 8);
	if (name === "" || Number.isNaN(size) || !tarHeader(name, size).equals(block)) return undefined;
	return { name, size };
}
