import { formatBmcAddress } from "../resources/bmc-address.ts";
import type { Endpoint, NicFacts, Proposal, RedfishFacts, SystemFacts, TlsFacts } from "./facts.ts";
import { IPMI_PORT } from "./ipmi.ts";
import type { IpmiFacts } from "./ipmi-packets.ts";

export interface Wish {
	/** What suits the site; without it virtual media is taken where the BMC can do it. */
	readonly boot?: "network" | "virtual-media" | undefined;
	/** The only system that is asked about. */
	readonly systemPath?: string | undefined;
}

/** How each system of a BMC would be written in a site, and why so. Pure. */
export function proposeAddresses(
	seen: {
		readonly endpoint: Endpoint;
		readonly tls: TlsFacts | undefined;
		readonly redfish: RedfishFacts | undefined;
		readonly ipmi: IpmiFacts | undefined;
	},
	wish: Wish = {},
): readonly Proposal[] {
	const { endpoint, redfish } = seen;
	if (redfish === undefined) return seen.ipmi === undefined ? [] : [ipmiProposal(endpoint)];
	const { systemPath } = wish;
	const named = redfish.systems.filter(({ path }) => systemPath === undefined || path === systemPath);
	if (redfish.systems.length === 0)
		return [redfishProposal(endpoint, seen.tls, redfish, undefined, systemPath, wish)];
	return named.map((system) => redfishProposal(endpoint, seen.tls, redfish, system, system.path, wish));
}

/** The card to boot from: one with a link, the fastest of those, the first of equals. */
export function bootCard(nics: readonly NicFacts[]): NicFacts | undefined {
	const rank = ({ linkUp }: NicFacts) => (linkUp === true ? 2 : linkUp === undefined ? 1 : 0);
	return nics
		.filter(({ toBmc }) => !toBmc)
		.toSorted((a, b) => rank(b) - rank(a) || (b.speedMbps ?? 0) - (a.speedMbps ?? 0))[0];
}

/** Why a system cannot boot from virtual media; `undefined` if it can. */
export function virtualMediaObstacle({ media }: SystemFacts): string | undefined {
	if (media.length === 0) return "the BMC lists no virtual drive (on some vendors it needs a licence)";
	if (!media.some(({ cd }) => cd)) return "none of its virtual drives takes a CD image";
	if (!media.some(({ cd, insertMedia }) => cd && insertMedia))
		return "its virtual CD drive lacks the standard action InsertMedia (old firmware, or a licence is missing)";
	return undefined;
}

function redfishProposal(
	endpoint: Endpoint,
	tls: TlsFacts | undefined,
	redfish: RedfishFacts,
	system: SystemFacts | undefined,
	systemPath: string | undefined,
	wish: Wish,
): Proposal {
	const reasons: string[] = [];
	const obstacle = system === undefined ? undefined : virtualMediaObstacle(system);
	const boot = wish.boot === "network" || obstacle !== undefined ? "network" : "virtual-media";
	if (system === undefined) reasons.push("its systems could not be read, so its abilities are not known");
	else if (obstacle !== undefined) reasons.push(`network boot: ${obstacle}`);
	else if (boot === "virtual-media") reasons.push(`virtual media: ${slotText(system)}`);
	else reasons.push("network boot, as asked for; the BMC could do virtual media too");
	const isDell = /^dell\b/i.test(redfish.vendor ?? "");
	if (isDell) reasons.push("Dell: the idrac driver knows what iDRAC does differently");
	const type = isDell
		? { network: "idrac-redfish", "virtual-media": "idrac-virtualmedia" }[boot]
		: { network: "redfish", "virtual-media": "redfish-virtualmedia" }[boot];
	if (endpoint.transport === "http") reasons.push("`+http`: it does not speak TLS");
	if (tls?.distrust !== undefined)
		reasons.push(
			`certificate verification off: ${tls.distrust} (better: give its CA in Ironic.spec.tls.bmcCA)`,
		);
	return {
		systemPath,
		address: formatBmcAddress({
			scheme: endpoint.transport === "http" ? `${type}+http` : type,
			host: endpoint.host,
			port: endpoint.port === (endpoint.transport === "http" ? 80 : 443) ? undefined : endpoint.port,
			systemId: systemPath,
			privilegeLevel: undefined,
		}),
		boot,
		disableCertificateVerification: tls?.distrust !== undefined,
		bootMac: system === undefined ? undefined : bootCard(system.nics)?.mac,
		reasons,
	};
}

function slotText({ media }: SystemFacts): string {
	const slot = media.find(({ cd, insertMedia }) => cd && insertMedia);
	return `a CD drive with InsertMedia at the ${slot?.where}`;
}

function ipmiProposal({ host, port, transport }: Endpoint): Proposal {
	return {
		systemPath: undefined,
		address: formatBmcAddress({
			scheme: "ipmi",
			host,
			port: transport === "ipmi" && port !== IPMI_PORT ? port : undefined,
			systemId: undefined,
			privilegeLevel: undefined,
		}),
		boot: "network",
		disableCertificateVerification: false,
		bootMac: undefined,
		reasons: ["no Redfish answers, IPMI does: it can switch the power and boot over the network, no more"],
	};
}
