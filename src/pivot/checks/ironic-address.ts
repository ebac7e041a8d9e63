import { isObject } from "../plain.ts";
import { type TargetCheck, targetFault } from "./target-check.ts";

/**
 * The target's Ironic must not claim this machine's address or interface: unless `Bootstrap.spec.target.ironic` says
 * what they are there, they are this machine's.
 */
export function ironicAddress(declared: Readonly<Record<string, unknown>>): TargetCheck {
	return ({ ironic }) => {
		const networking = isObject(ironic?.spec) ? ironic.spec.networking : undefined;
		if (!isObject(networking)) return [];
		const said = isObject(declared.networking) ? declared.networking : {};
		return ["ipAddress", "externalIP", "interface", "macAddresses"]
			.filter((field) => networking[field] !== undefined && !Object.hasOwn(said, field))
			.map((field) =>
				targetFault(
					"pivot-ironic-address",
					`the target's Ironic would take this machine's networking.${field}`,
					`${field}: ${JSON.stringify(networking[field])}`,
					`say in Bootstrap.spec.target.ironic.networking.${field} what it is there; null leaves it out`,
				),
			);
	};
}
