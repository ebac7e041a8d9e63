import { Address4 } from "ip-address";
import { IronstrapError } from "../lib/errors.ts";

/** Private /24s that the stack's bridge may use; rarely routed, because they are nobody's default. */
const candidates = Array.from({ length: 32 }, (_, index) => `10.89.${77 + index}.0/24`);

/**
 * The first candidate that touches none of the networks the machine or the site uses (CIDR or plain addresses;
 * IPv6 ones are of no concern).
 */
export function freeBridgeSubnet(used: readonly string[]): string {
	const taken = used.filter((text) => Address4.isValid(text)).map((text) => new Address4(text));
	const free = candidates.find((candidate) => {
		const subnet = new Address4(candidate);
		return !taken.some((other) => other.isInSubnet(subnet) || subnet.isInSubnet(other));
	});
	if (free !== undefined) return free;
	throw new IronstrapError({
		code: "bridge-subnet-none-free",
		message: "none of the subnets for the stack's private bridge is free",
		seen: `tried ${candidates[0]} … ${candidates.at(-1)}`,
		fix: "set Bootstrap.spec.bridgeSubnet to a subnet that nothing else uses",
	});
}
