import { readFile } from "node:fs/promises";

/** Where distributions keep IEEE's list of network cards' makers: systemd, Debian's ieee-data, nmap. */
const lists = [
	"/usr/lib/udev/hwdb.d/20-OUI.hwdb",
	"/lib/udev/hwdb.d/20-OUI.hwdb",
	"/usr/share/ieee-data/oui.txt",
	"/var/lib/ieee-data/oui.txt",
	"/usr/share/nmap/nmap-mac-prefixes",
];

/**
 * Who made the network cards with these MAC addresses, by the first list that this machine has. An address that is in
 * none (a virtual one, say) is left out.
 */
export async function cardVendors(
	macs: readonly string[],
	files: readonly string[] = lists,
): Promise<ReadonlyMap<string, string>> {
	for (const file of macs.length === 0 ? [] : files) {
		const text = await readFile(file, "utf8").catch(() => undefined);
		if (text !== undefined) return vendorsIn(text, macs);
	}
	return new Map();
}

/** Exported for its test. Blocks smaller than 24 bits are not looked for: their first 24 name the registry itself. */
export function vendorsIn(text: string, macs: readonly string[]): ReadonlyMap<string, string> {
	return new Map(
		macs.flatMap((mac) => {
			const prefix = mac.replaceAll(":", "").slice(0, 6).toUpperCase();
			const dashed = (prefix.match(/../g) ?? []).join("-");
			const line = new RegExp(
				`^(?:OUI:${prefix}\\*\\n ID_OUI_FROM_DATABASE=|${dashed}\\s+\\(hex\\)\\s+|${prefix} )(.+)$`,
				"m",
			).exec(text);
			return line?.[1] === undefined ? [] : [[mac, line[1].trim()] as const];
		}),
	);
}
