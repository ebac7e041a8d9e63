import { IronstrapError } from "../lib/errors.ts";
import type { LocalAddress } from "../linux/links.ts";
import type { Site } from "../resources/site.ts";

export interface ProvisioningAddress {
	readonly address: string;
	readonly interface: string;
	/** With prefix length, e.g. `172.22.0.1/24`. */
	readonly cidr: string;
}

/**
 * Finds the machine's address on the provisioning network from what the `Ironic` names: `ipAddress`, or an
 * `interface`, or one of `macAddresses` (each as ironic-image takes them). Pure: `local` is what the machine has.
 */
export function provisioningAddress(site: Site, local: readonly LocalAddress[]): ProvisioningAddress {
	const { ipAddress, interface: name, macAddresses } = site.ironic.spec.networking;
	if (ipAddress !== undefined) {
		const match = local.find(({ address }) => address === ipAddress);
		if (match === undefined)
			throw refusal(site, "ipAddress", `no interface of this machine has the address ${ipAddress}`, local);
		if (name !== undefined && match.interface !== name)
			throw refusal(site, "interface", `${ipAddress} is not on ${name} but on ${match.interface}`, local);
		return match;
	}
	if (name !== undefined)
		return only(site, "interface", `interface ${name}`, local, (link) => link.interface === name);
	if (macAddresses !== undefined && macAddresses.length > 0) {
		const macs = macAddresses.map((mac) => mac.toLowerCase());
		return only(site, "macAddresses", `an interface with ${macs.join(" or ")}`, local, (link) =>
			macs.includes(link.mac),
		);
	}
	throw refusal(site, undefined, "the Ironic names neither ipAddress nor interface nor macAddresses", local);
}

/** The first IPv4 address of the links that match; an interface without any is refused. */
function only(
	site: Site,
	field: string,
	what: string,
	local: readonly LocalAddress[],
	matches: (link: LocalAddress) => boolean,
): ProvisioningAddress {
	const links = local.filter(matches);
	const chosen = links.find(({ family }) => family === "IPv4") ?? links[0];
	if (chosen === undefined) throw refusal(site, field, `this machine has no ${what} with an address`, local);
	return chosen;
}

function refusal(
	site: Site,
	field: string | undefined,
	message: string,
	local: readonly LocalAddress[],
): IronstrapError {
	const { metadata } = site.ironic;
	const ref = { kind: "Ironic", namespace: metadata.namespace, name: metadata.name };
	return new IronstrapError({
		code: "provisioning-address-missing",
		message,
		where: site.locate(ref, ["spec", "networking", ...(field === undefined ? [] : [field])]),
		subject: `Ironic ${metadata.namespace}/${metadata.name}`,
		seen: local.map(({ interface: link, cidr }) => `${link} ${cidr}`).join(", ") || "no address at all",
		fix: "set spec.networking.ipAddress to an address of this machine, or give the machine the address first (`ip addr add`)",
	});
}
