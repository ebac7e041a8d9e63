import { about, type IronicRule } from "./ironic-rule.ts";

/** Rule 19 of the operator's webhook: networks that the switch service configures. Only if it is enabled. */
export const ironicNetworkingService: IronicRule = function* (ironic) {
	const service = ironic.spec.networkingService;
	if (!service?.enabled) return;
	const types = new Set<string>();
	for (const [index, network] of (service.providerNetworks ?? []).entries()) {
		const path = ["networkingService", "providerNetworks", index];
		const name = `\`networkingService.providerNetworks[${index}]\``;
		if (types.has(network.type))
			yield about(ironic, [...path, "type"], "provider-network-twice", {
				message: `${name} is a second network of type ${network.type}`,
				fix: "keep one network per type",
			});
		types.add(network.type);
		const vlans = network.allowedVLANs ?? [];
		if (network.mode === "access" && vlans.length > 0)
			yield about(ironic, [...path, "allowedVLANs"], "provider-network-vlans", {
				message: `${name} has \`allowedVLANs\`, which mode access does not have`,
				fix: "remove them, or use mode trunk or hybrid",
			});
		if (network.mode !== "access" && vlans.length === 0)
			yield about(ironic, path, "provider-network-vlans", {
				message: `${name} has no \`allowedVLANs\`, which mode ${network.mode} needs`,
				fix: 'add them, such as `allowedVLANs: ["100", "200-210"]`',
			});
		for (const [position, vlan] of vlans.entries())
			if (!isVlan(vlan))
				yield about(ironic, [...path, "allowedVLANs", position], "vlan-invalid", {
					message: `\`networkingService.providerNetworks[${index}].allowedVLANs[${position}]\` is neither a VLAN nor a range of VLANs`,
					seen: vlan,
					fix: "give 1 to 4094, or a rising range such as 100-200",
				});
	}
};

function isVlan(text: string): boolean {
	const match = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(text);
	if (!match) return false;
	const [from, to] = [Number(match[1]), match[2] === undefined ? undefined : Number(match[2])];
	const isInRange = (vlan: number) => vlan >= 1 && vlan <= 4094;
	return isInRange(from) && (to === undefined || (isInRange(to) && from < to));
}
