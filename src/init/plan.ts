import { IronstrapError, IronstrapErrors } from "../lib/errors.ts";
import { parseCidr, parseIpAddress } from "../resources/ip.ts";
import { parseMacAddress } from "../resources/mac-address.ts";
import { addressesFrom } from "./address-range.ts";
import type { Answers, HostAnswer } from "./answers.ts";
import type { BootMethod } from "./boot-method.ts";
import type { MachineFacts } from "./facts.ts";
import {
	bmcFault,
	checksumFault,
	type FaultOf,
	hostNameFault,
	imageUrlFault,
	interfaceAddressFault,
	macFault,
	nameFault,
	pathFault,
	rangeFault,
	serverAddressFault,
} from "./faults.ts";

export interface HostPlan {
	readonly name: string;
	readonly bmc: string;
	readonly username: string;
	/** Lower-case colon form. */
	readonly bootMac: string | undefined;
	readonly disableCertificateVerification: boolean;
	/** A fixed address, without prefix length. */
	readonly address: string | undefined;
}

/** A complete, consistent site: what is drawn, and what is written. */
export interface SitePlan {
	readonly name: string;
	readonly interface: string;
	/** This machine's address, e.g. `172.22.0.1`. */
	readonly address: string;
	readonly network: { readonly cidr: string; readonly prefix: number };
	/** The interface has the address already. */
	readonly addressPresent: boolean;
	readonly gateway: string | undefined;
	readonly boot: BootMethod;
	/** `pool`: our DHCP server. */
	readonly addresses: "pool" | "existing-dhcp" | "static";
	readonly range: { readonly begin: string; readonly end: string } | undefined;
	readonly ramdisk: { readonly kernel: string; readonly initramfs: string } | undefined;
	readonly image: { readonly url: string; readonly checksum: string } | undefined;
	readonly hosts: readonly HostPlan[];
}

/** Answers and facts → a plan. Errors: `answers-invalid`, one for everything that is missing or wrong. Pure. */
export function planSite(answers: Answers, facts: Pick<MachineFacts, "interfaces">, file: string): SitePlan {
	const faults: IronstrapError[] = [];
	const note = (field: string, fault: string | undefined, seen?: string) => {
		if (fault !== undefined) faults.push(answerFault(file, field, fault, seen));
	};
	const check = (field: string, text: string, faultOf: FaultOf) => note(field, faultOf(text), text);
	const { name = "metal3", boot, hosts, range } = answers;
	check("name", name, nameFault);
	const link = facts.interfaces.find((each) => each.name === answers.interface);
	if (answers.interface === undefined) note("interface", "is missing");
	else if (link === undefined)
		note(
			"interface",
			`is none of this machine's (${facts.interfaces.map((each) => each.name).join(", ")})`,
			answers.interface,
		);
	if (boot === undefined) note("boot", "is missing: `network` or `virtual-media`");
	const present = link?.addresses.filter(({ family }) => family === 4).map(({ cidr }) => cidr) ?? [];
	const cidrText = answers.address ?? present[0];
	if (cidrText === undefined) note("address", "is missing: the interface has no IPv4 address yet");
	else check("address", cidrText, interfaceAddressFault);
	if (answers.ramdisk) {
		check("ramdisk.kernel", answers.ramdisk.kernel, pathFault);
		check("ramdisk.initramfs", answers.ramdisk.initramfs, pathFault);
	}
	if (answers.image) {
		check("image.url", answers.image.url, imageUrlFault);
		check("image.checksum", answers.image.checksum, checksumFault);
	}
	const addresses = boot === "network" ? "pool" : (answers.addresses ?? "static");
	for (const [index, host] of hosts.entries()) hostFaults(host, index, hosts, check);
	if (cidrText !== undefined && interfaceAddressFault(cidrText) === undefined) {
		const network = parseCidr(cidrText);
		const own = network.address.text;
		const taken = [own, ...(link?.gateway === undefined ? [] : [link.gateway])];
		if (addresses !== "existing-dhcp" && range === undefined)
			note("range", "is missing: addresses for the servers");
		if (addresses !== "existing-dhcp" && range !== undefined)
			check("range", `${range.begin}-${range.end}`, rangeFault(network, taken, hosts.length));
		for (const [index, { address }] of hosts.entries())
			if (address !== undefined)
				check(
					`hosts.${index}.address`,
					address,
					serverAddressFault(network, [...taken, ...fixedAddresses(hosts.slice(0, index))]),
				);
		if (faults.length === 0 && answers.interface !== undefined && boot !== undefined)
			return {
				...{ name, interface: answers.interface, boot, addresses, gateway: link?.gateway },
				address: own,
				network: { cidr: network.text, prefix: network.prefix },
				addressPresent: present.some((each) => parseCidr(each).address.text === own),
				range: addresses === "existing-dhcp" ? undefined : range,
				ramdisk: answers.ramdisk || undefined,
				image: answers.image || undefined,
				hosts: hostPlans(hosts, addresses === "static" ? range : undefined),
			};
	}
	throw new IronstrapErrors(faults);
}

function hostFaults(
	host: HostAnswer,
	index: number,
	all: readonly HostAnswer[],
	check: (field: string, text: string, faultOf: FaultOf) => void,
): void {
	const before = all.slice(0, index);
	check(`hosts.${index}.name`, host.name, hostNameFault(before.map(({ name }) => name)));
	check(`hosts.${index}.bmc`, host.bmc, bmcFault);
	check(`hosts.${index}.username`, host.username, (text) => (text.trim() === "" ? "is empty" : undefined));
	if (host.bootMAC !== undefined) check(`hosts.${index}.bootMAC`, host.bootMAC, macFault(knownMacs(before)));
}

/** The boot addresses that hosts have, in canonical form; unreadable ones are reported elsewhere. */
export function knownMacs(hosts: readonly HostAnswer[]): readonly string[] {
	return hosts.flatMap(({ bootMAC }) =>
		bootMAC === undefined || macFault([])(bootMAC) !== undefined ? [] : [parseMacAddress(bootMAC)],
	);
}

function fixedAddresses(hosts: readonly HostAnswer[]): readonly string[] {
	return hosts.flatMap(({ address }) => (address === undefined ? [] : [address]));
}

/** Fixed addresses: those that were given, else the first of the range that nobody has. */
function hostPlans(hosts: readonly HostAnswer[], range: SitePlan["range"]): readonly HostPlan[] {
	const given = fixedAddresses(hosts);
	const free =
		range === undefined
			? []
			: addressesFrom(range, hosts.length + given.length).filter((each) => !given.includes(each));
	let next = 0;
	return hosts.map((host) => ({
		...{ name: host.name, bmc: host.bmc, username: host.username },
		bootMac: host.bootMAC === undefined ? undefined : parseMacAddress(host.bootMAC),
		disableCertificateVerification: host.disableCertificateVerification ?? false,
		address:
			range === undefined
				? undefined
				: host.address === undefined
					? free[next++]
					: parseIpAddress(host.address).text,
	}));
}

function answerFault(file: string, field: string, fault: string, seen?: string): IronstrapError {
	return new IronstrapError({
		code: "answers-invalid",
		message: `\`${field}\` ${fault}`,
		where: { file, line: 1, column: 1 },
		// an address may carry a password
		seen: seen === undefined || /@/.test(seen) ? undefined : JSON.stringify(seen),
		fix: "correct the answers; docs/wizard.md lists the fields",
	});
}
