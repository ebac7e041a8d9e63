import { Address4, Address6 } from "ip-address";
import { IronstrapError } from "../lib/errors.ts";

/** What the private bridge gives to its members. */
export interface BridgeMember {
	readonly address: string;
	readonly mac: string;
}

export interface BridgePlan {
	readonly subnet: string;
	readonly gateway: string;
	readonly ironic: BridgeMember;
	readonly httpd: BridgeMember;
}

/** Fixed places in the private subnet, e.g. `10.89.77.0/24`; at most a /27, so that they fit. */
export function planBridge(subnet: string): BridgePlan {
	if (!Address4.isValid(subnet)) throw badSubnet(subnet);
	const network = new Address4(subnet);
	if (network.subnetMask > 27 || network.subnetMask < 8) throw badSubnet(subnet);
	const first = network.startAddress().bigInt();
	const place = (offset: bigint) => Address4.fromBigInt(first + offset).correctForm();
	const member = (offset: bigint) => ({ address: place(offset), mac: bridgeMac(place(offset)) });
	return {
		subnet: `${place(0n)}/${network.subnetMask}`,
		gateway: place(1n),
		ironic: member(20n),
		httpd: member(30n),
	};
}

/** As Docker derives it: locally administered, `02:42` and the four bytes of the address. */
export function bridgeMac(address: string): string {
	const bytes = address.split(".").map((part) => Number(part).toString(16).padStart(2, "0"));
	return ["02", "42", ...bytes].join(":");
}

/** `172.22.0.0/24` → `255.255.255.0`; dnsmasq guesses it from the interface otherwise, and a /32 there breaks it. */
export function netmask(cidr: string): string {
	const { subnetMask } = new Address4(cidr);
	return Address4.fromBigInt((2n ** 32n - 1n) ^ (2n ** BigInt(32 - subnetMask) - 1n)).correctForm();
}

/** `fd00:1abc::1/64` → `{ network: "fd00:1abc::", prefix: 64 }`. */
export function ipv6Network(cidr: string): { readonly network: string; readonly prefix: number } {
	const address = new Address6(cidr);
	return { network: address.startAddress().correctForm(), prefix: address.subnetMask };
}

export function isIPv6(address: string): boolean {
	return address.includes(":");
}

function badSubnet(subnet: string): IronstrapError {
	return new IronstrapError({
		code: "bridge-subnet-invalid",
		message: "the private bridge needs an IPv4 subnet with at least 32 addresses",
		seen: subnet,
		fix: "set Bootstrap.spec.bridgeSubnet to a free subnet such as 10.89.77.0/24, or leave it out",
	});
}
