/** One line of dnsmasq's lease file. */
export interface Lease {
	/** Seconds since 1970; 0 is for ever. */
	readonly expires: number;
	readonly mac: string;
	readonly address: string;
}

/** `dnsmasq.leases`: time, hardware address, IP address, name, client id. IPv6 leases, which name no MAC, are left out. */
export function parseLeases(text: string): readonly Lease[] {
	return text.split("\n").flatMap((line) => {
		const [expires = "", mac = "", address = ""] = line.split(" ");
		return /^\d+$/.test(expires) && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac)
			? [{ expires: Number(expires), mac: mac.toLowerCase(), address }]
			: [];
	});
}
