import { parseIpAddress } from "../../resources/ip.ts";
import { isNotAServer, parseMacAddress } from "../../resources/mac-address.ts";
import { about, attempt, given, type IronicRule } from "./ironic-rule.ts";

/** The machine's own addresses. Rules 5, 10, 11 and 13 of the operator's webhook, and what it leaves unchecked. */
export const ironicAddresses: IronicRule = function* (ironic) {
	yield* ipLiterals(ironic);
	yield* interfaceName(ironic);
	yield* macAddresses(ironic);
	yield* keepalived(ironic);
	yield* exporterAddress(ironic);
};

const ipLiterals: IronicRule = function* (ironic) {
	for (const name of ["ipAddress", "externalIP"] as const) {
		const text = ironic.spec.networking[name];
		if (given(text) && !attempt(() => parseIpAddress(text)))
			yield about(ironic, ["networking", name], "ip-address-invalid", {
				message: `\`networking.${name}\` is not an IP address`,
				seen: text,
				fix: "give an address such as 172.22.0.1 or fd00::1, without prefix length, port or zone; names are not taken",
			});
	}
};

const interfaceName: IronicRule = function* (ironic) {
	const text = ironic.spec.networking.interface;
	// IFNAMSIZ is 16 with the final zero; the kernel also refuses `/`, `:` and white space.
	if (given(text) && !/^[^\s/:]{1,15}$/.test(text))
		yield about(ironic, ["networking", "interface"], "interface-name-invalid", {
			message: "`networking.interface` cannot be the name of a network interface",
			seen: text,
			fix: "`ip link` lists the names of this machine's interfaces; they have at most 15 characters",
		});
};

const macAddresses: IronicRule = function* (ironic) {
	for (const [index, text] of (ironic.spec.networking.macAddresses ?? []).entries()) {
		const mac = attempt(() => parseMacAddress(text));
		if (mac === undefined || isNotAServer(mac))
			yield about(ironic, ["networking", "macAddresses", index], "mac-address-invalid", {
				message: `\`networking.macAddresses[${index}]\` is not the address of a network interface`,
				seen: text,
				fix: "give an address such as 52:54:00:ab:00:01",
			});
	}
};

const keepalived: IronicRule = function* (ironic) {
	const { networking, highAvailability } = ironic.spec;
	const isLegacy = networking.ipAddressManager === "keepalived";
	const isNew = networking.keepalived?.enabled === true;
	const path = ["networking", isNew ? "keepalived" : "ipAddressManager"];
	if (isLegacy && isNew)
		yield about(ironic, ["networking", "ipAddressManager"], "keepalived-twice", {
			message: "`networking.ipAddressManager` and `networking.keepalived` exclude each other",
			fix: "remove `ipAddressManager`, which is deprecated",
		});
	if (!isLegacy && !isNew) return;
	if (highAvailability)
		yield about(ironic, path, "keepalived-with-ha", {
			message: "keepalived does not work with `highAvailability`",
			fix: "remove one of the two",
		});
	if (!given(networking.ipAddress) || !given(networking.interface))
		yield about(ironic, path, "keepalived-incomplete", {
			message: "keepalived needs both `networking.ipAddress` and `networking.interface`",
			fix: "give both",
		});
	if (isNew) yield* additionalVips(ironic);
};

const additionalVips: IronicRule = function* (ironic) {
	for (const [index, vip] of (ironic.spec.networking.keepalived?.additionalVIPs ?? []).entries()) {
		const path = ["networking", "keepalived", "additionalVIPs", index];
		const ip = attempt(() => parseIpAddress(vip.ipAddress));
		if (!ip)
			yield about(ironic, [...path, "ipAddress"], "keepalived-vip-invalid", {
				message: `\`networking.keepalived.additionalVIPs[${index}].ipAddress\` is not an IP address`,
				seen: vip.ipAddress,
				fix: "give an address such as 172.22.0.2; the prefix length has its own field",
			});
		else if (ip.text === attempt(() => parseIpAddress(ironic.spec.networking.ipAddress ?? ""))?.text)
			yield about(ironic, [...path, "ipAddress"], "keepalived-vip-twice", {
				message: `\`networking.keepalived.additionalVIPs[${index}].ipAddress\` is \`networking.ipAddress\``,
				seen: vip.ipAddress,
				fix: "remove it: `ipAddress` is a VIP already",
			});
		else if (ip.family === 4 && (vip.prefix ?? 0) > 32)
			yield about(ironic, [...path, "prefix"], "keepalived-vip-prefix", {
				message: `\`networking.keepalived.additionalVIPs[${index}].prefix\` is longer than an IPv4 address`,
				seen: String(vip.prefix),
				fix: "give 0 to 32",
			});
	}
};

const exporterAddress: IronicRule = function* (ironic) {
	const exporter = ironic.spec.prometheusExporter;
	if (!exporter) return;
	const ip = attempt(() => parseIpAddress(exporter.bindAddress));
	const path = ["prometheusExporter", "bindAddress"];
	if (!ip)
		yield about(ironic, path, "exporter-address-invalid", {
			message: "`prometheusExporter.bindAddress` is not an IP address",
			seen: exporter.bindAddress,
			fix: "give an address such as 0.0.0.0",
		});
	else if (exporter.enabled && !exporter.disableServiceMonitor && /^(127\.|::1$)/.test(ip.text))
		yield about(ironic, path, "exporter-unreachable", {
			message: "`prometheusExporter.bindAddress` is loopback, which Prometheus cannot reach",
			seen: exporter.bindAddress,
			fix: "bind to another address, or set `disableServiceMonitor: true`",
		});
};
