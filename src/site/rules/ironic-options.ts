import { dhcpHostFault, dhcpIgnoreFault } from "../../resources/dnsmasq-entry.ts";
import { about, given, type IronicRule } from "./ironic-rule.ts";

/** What the operator does not check: ports, `extraConfig`, the ramdisk's key and kernel parameters, dnsmasq entries. */
export const ironicOptions: IronicRule = function* (ironic) {
	yield* ports(ironic);
	yield* extraConfig(ironic);
	yield* deployRamdisk(ironic);
	yield* dhcpEntries(ironic);
};

const ports: IronicRule = function* (ironic) {
	const { networking, prometheusExporter, highAvailability } = ironic.spec;
	const used: [string, number][] = [
		["apiPort", networking.apiPort],
		["imageServerPort", networking.imageServerPort],
		["imageServerTLSPort", networking.imageServerTLSPort],
	];
	if (highAvailability) used.push(["rpcPort", networking.rpcPort]);
	if (prometheusExporter?.enabled) used.push(["prometheusExporterPort", networking.prometheusExporterPort]);
	for (const name of [
		"apiPort",
		"imageServerPort",
		"imageServerTLSPort",
		"rpcPort",
		"prometheusExporterPort",
	] as const)
		if (networking[name] > 65535)
			yield about(ironic, ["networking", name], "port-out-of-range", {
				message: `\`networking.${name}\` is not a port`,
				seen: String(networking[name]),
				fix: "give 1 to 65535",
			});
	for (const [index, [name, port]] of used.entries()) {
		const other = used.slice(0, index).find(([, taken]) => taken === port);
		if (other)
			yield about(ironic, ["networking", name], "port-twice", {
				message: `\`networking.${name}\` and \`networking.${other[0]}\` are the same port`,
				seen: String(port),
				fix: `give two different ports; the defaults are apiPort 6385, imageServerPort 6180, imageServerTLSPort 6183`,
			});
	}
};

const extraConfig: IronicRule = function* (ironic) {
	const first = new Map<string, number>();
	for (const [index, { group, name, value }] of (ironic.spec.extraConfig ?? []).entries()) {
		const path = ["extraConfig", index];
		if (!given(name) || !given(value)) {
			yield about(ironic, path, "extra-config-empty", {
				severity: "warning",
				message: `\`extraConfig[${index}]\` has no ${given(name) ? "`value`" : "`name`"}; the operator skips it without a word`,
				fix: "give both, or remove the entry",
			});
			continue;
		}
		if (!isOptionName(name) || (given(group) && !isOptionName(group)) || /[\r\n]/.test(value)) {
			yield about(ironic, path, "extra-config-invalid", {
				message: `\`extraConfig[${index}]\` cannot be written to ironic.conf`,
				fix: "group and name are letters, digits, `_`, `-` and `.`; the value is one line",
			});
			continue;
		}
		const option = `[${(given(group) ? group : "DEFAULT").toLowerCase()}]${name.toLowerCase()}`;
		if (first.has(option))
			yield about(ironic, path, "extra-config-twice", {
				severity: "warning",
				message: `${option} is set twice; the last one counts`,
				fix: `remove \`extraConfig[${first.get(option)}]\` or this one`,
			});
		first.set(option, index);
	}
};

function isOptionName(text: string): boolean {
	return /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(text);
}

const deployRamdisk: IronicRule = function* (ironic) {
	const { sshKey, extraKernelParams } = ironic.spec.deployRamdisk;
	const key = (sshKey ?? "").trim();
	const path = ["deployRamdisk", "sshKey"];
	if (/PRIVATE KEY/.test(key))
		yield about(ironic, path, "ssh-key-private", {
			message: "`deployRamdisk.sshKey` is a private key; every server would be told it",
			fix: "give the public key (the file that ends in .pub), and replace this pair: it must count as known to others",
		});
	else if (/[\r\n]/.test(key))
		yield about(ironic, path, "ssh-key-many-lines", {
			message:
				"`deployRamdisk.sshKey` has several lines; it goes to the kernel command line, which takes one key",
			fix: "give one public key on one line",
		});
	else if (
		key !== "" &&
		!/^(ssh-(ed25519|rsa|dss)|ecdsa-sha2-\S+|sk-\S+@openssh\.com) [A-Za-z0-9+/]+=*( .*)?$/.test(key)
	)
		yield about(ironic, path, "ssh-key-unknown", {
			severity: "warning",
			message: "`deployRamdisk.sshKey` does not look like an OpenSSH public key",
			fix: "give the line of a .pub file, such as `ssh-ed25519 AAAA… name`",
		});
	if (/[\r\n]/.test((extraKernelParams ?? "").trim()))
		yield about(ironic, ["deployRamdisk", "extraKernelParams"], "kernel-params-many-lines", {
			message: "`deployRamdisk.extraKernelParams` has several lines, but is one kernel command line",
			fix: "write all parameters on one line (in YAML: `>-` instead of `|`)",
		});
};

/** dnsmasq's `dhcp-host` and `dhcp-ignore` values; a wrong one stops dnsmasq from starting. */
const dhcpEntries: IronicRule = function* (ironic) {
	const { dhcp } = ironic.spec.networking;
	for (const [list, faultOf] of [
		["hosts", dhcpHostFault],
		["ignore", dhcpIgnoreFault],
	] as const)
		for (const [index, entry] of (dhcp?.[list] ?? []).entries()) {
			const fault = faultOf(entry);
			if (fault !== undefined)
				yield about(ironic, ["networking", "dhcp", list, index], "dhcp-entry-invalid", {
					message: `\`networking.dhcp.${list}[${index}]\` ${fault}`,
					seen: entry,
					fix: "see dhcp-host and dhcp-ignore in dnsmasq(8); an example: 52:54:00:ab:00:01,172.22.0.20,cp-0",
				});
		}
};
