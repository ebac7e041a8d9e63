import type { BmcProbe, NicFacts, SystemFacts } from "../../bmc/facts.ts";

/** What `bmc probe` found, for a person: the proposal last, because that is what is looked for. */
export function probeText(probe: BmcProbe): string {
	const { redfish, proposals, warnings } = probe;
	const lines = [
		...labelled("reached", reachedText(probe)),
		...labelled("TLS", tlsText(probe)),
		...labelled("BMC", bmcText(probe)),
		...labelled("IPMI", ipmiText(probe)),
		...labelled("log-in", probe.authentication.replaceAll("-", " ")),
		...(redfish?.systems ?? []).flatMap(systemLines),
		...warnings.map((warning) => `warning   ${warning}`),
	];
	for (const { address, disableCertificateVerification, bootMac, reasons } of proposals) {
		lines.push("", "proposed  bmc:", `            address: ${address}`);
		if (disableCertificateVerification) lines.push("            disableCertificateVerification: true");
		if (bootMac !== undefined) lines.push(`          bootMACAddress: ${bootMac}`);
		lines.push(...reasons.map((reason) => `          # ${reason}`));
	}
	return lines.join("\n");
}

function labelled(label: string, text: string | undefined): readonly string[] {
	return text === undefined ? [] : [`${label.padEnd(9)} ${text}`];
}

function reachedText({ endpoint, clockSkewSeconds }: BmcProbe): string {
	const from = endpoint.localAddress === undefined ? "" : `, from ${endpoint.localAddress}`;
	const clock = clockSkewSeconds === undefined ? "" : `; its clock differs by ${clockSkewSeconds} s`;
	return `${endpoint.transport}, ${endpoint.host} port ${endpoint.port}${from}${clock}`;
}

function tlsText({ tls }: BmcProbe): string | undefined {
	if (tls === undefined) return undefined;
	const { subject, validFrom, validTo } = tls.certificate;
	const trust = tls.distrust === undefined ? "trusted" : `not trusted: ${tls.distrust}`;
	return `${tls.protocol}, certificate ${subject} (${validFrom.slice(0, 10)} to ${validTo.slice(0, 10)}), ${trust}`;
}

function bmcText({ redfish }: BmcProbe): string | undefined {
	if (redfish === undefined) return undefined;
	const firmware = redfish.managers[0]?.firmware;
	const parts = [
		redfish.vendor,
		redfish.product,
		firmware === undefined ? undefined : `firmware ${firmware}`,
		redfish.redfishVersion === undefined ? undefined : `Redfish ${redfish.redfishVersion}`,
	];
	return parts.filter((part) => part !== undefined).join(", ");
}

function ipmiText({ ipmi }: BmcProbe): string | undefined {
	if (ipmi === undefined) return undefined;
	return ipmi.version === undefined ? "answers a ping only" : `version ${ipmi.version}`;
}

function systemLines(system: SystemFacts): readonly string[] {
	const { name, manufacturer, model, serialNumber, power } = system;
	const what = [manufacturer, model].filter((part) => part !== undefined).join(" ") || name;
	const facts = [
		what,
		serialNumber === undefined ? undefined : `serial ${serialNumber}`,
		power === undefined ? undefined : `power ${power}`,
	];
	return [
		"",
		`system    ${system.path}`,
		`          ${facts.filter((fact) => fact !== undefined).join(", ")}`,
		...system.nics.map((nic) => `  card    ${nicText(nic)}`),
		`  boots   ${system.bootTargets.join(", ") || "its boot source cannot be chosen"}${system.bootModes.length > 0 ? ` (${system.bootModes.join(", ")})` : ""}`,
		`  drives  ${mediaText(system)}`,
	];
}

function nicText({ id, mac, speedMbps, linkUp, toBmc }: NicFacts): string {
	const link = linkUp === undefined ? [] : [linkUp ? "link" : "no link"];
	const speed = speedMbps === undefined ? [] : [`${speedMbps} Mb/s`];
	return [mac, id, ...speed, ...link, ...(toBmc ? ["to the BMC itself"] : [])].join("  ");
}

function mediaText({ media }: SystemFacts): string {
	if (media.length === 0) return "no virtual media";
	return media
		.map(
			({ path, where, cd, insertMedia, inserted }) =>
				`${path.slice(path.lastIndexOf("/") + 1)} (${where}${cd ? ", CD" : ""}${insertMedia ? ", InsertMedia" : ""}${inserted ? ", in use" : ""})`,
		)
		.join("; ");
}
