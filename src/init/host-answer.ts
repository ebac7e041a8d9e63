import type { BmcProbe, Proposal, SystemFacts } from "../bmc/facts.ts";
import { parseMacAddress } from "../resources/mac-address.ts";
import type { HostAnswer } from "./answers.ts";

/** Whether the BMC must be asked: its address is not yet a complete `bmc.address`, or the boot card is unknown. */
export function needsProbe({ bmc, bootMAC }: HostAnswer): boolean {
	return bootMAC === undefined || !/^(?:redfish|idrac|ilo5|ipmi|libvirt)[a-z5+-]*:\/\//i.test(bmc);
}

/** A host's answers with what the probe found; what the person said stays. */
export function completeHost(host: HostAnswer, proposal: Proposal): HostAnswer {
	const bootMAC = host.bootMAC === undefined ? proposal.bootMac : parseMacAddress(host.bootMAC);
	return {
		...host,
		bmc: proposal.address,
		...(bootMAC === undefined ? {} : { bootMAC }),
		disableCertificateVerification:
			host.disableCertificateVerification ?? proposal.disableCertificateVerification,
	};
}

/** `Systems/1: PowerEdge R650, serial ABC, On`: a system in a list. */
export function systemTitle(system: SystemFacts): string {
	const what = [system.manufacturer, system.model].filter((each) => each !== undefined).join(" ");
	const details = [
		what === "" ? system.name : what,
		system.serialNumber === undefined ? undefined : `serial ${system.serialNumber}`,
		system.power === undefined ? undefined : `power ${system.power.toLowerCase()}`,
	];
	return `${system.path.replace(/^\/redfish\/v1\//, "")}: ${details.filter((each) => each !== undefined).join(", ")}`;
}

/** The systems of a BMC that no host stands for yet. */
export function freeSystems(probe: BmcProbe, hosts: readonly HostAnswer[]): readonly Proposal[] {
	return probe.proposals.filter(({ address }) => !hosts.some(({ bmc }) => bmc === address));
}

/** `cp-0`, `cp-1` …: the next name that nobody has. */
export function nextHostName(hosts: readonly Pick<HostAnswer, "name">[]): string {
	for (let number = 0; ; number++) {
		const name = `cp-${number}`;
		if (!hosts.some((host) => host.name === name)) return name;
	}
}
