import { netmaskOf, parseCidr } from "../resources/ip.ts";
import type { HostPlan, SitePlan } from "./plan.ts";

/** A Secret as text. JSON strings are YAML strings, whatever the password is made of. */
export function secretText(
	name: string,
	namespace: string,
	values: Readonly<Record<string, string>>,
): string {
	return `apiVersion: v1
kind: Secret
metadata:
  name: ${name}
  namespace: ${namespace}
stringData:
${Object.entries(values)
	.map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`)
	.join("")}`;
}

/**
 * OpenStack network data (https://docs.openstack.org/nova/latest/user/metadata.html), which BMO hands to the deploy
 * ramdisk: a fixed address where nobody answers DHCP.
 */
export function networkDataText({ network, gateway }: SitePlan, { bootMac, address }: HostPlan): string {
	const route = { network: "0.0.0.0", netmask: "0.0.0.0", gateway };
	return JSON.stringify({
		links: [{ id: "nic0", type: "phy", ethernet_mac_address: bootMac, mtu: 1500 }],
		networks: [
			{
				id: "provisioning",
				link: "nic0",
				type: "ipv4",
				ip_address: address,
				netmask: netmaskOf(parseCidr(network.cidr)),
				network_id: "provisioning",
				routes: gateway === undefined ? [] : [route],
			},
		],
		services: [],
	});
}
