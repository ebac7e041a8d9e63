import type { Candidate } from "../../hosts/choose.ts";

const GIB = 1024 ** 3;

/** What is known of a host, for a person: one line a fact, what is not known left out. */
export function description({ host, name, namespace, stored }: Candidate): string {
	const { hardware, status } = stored ?? {};
	const { provisioning } = status ?? {};
	const facts: readonly (readonly [label: string, value: string | undefined])[] = [
		["Name", name],
		["Namespace", namespace],
		["Declared", host === undefined ? "no: not in the manifests any more" : undefined],
		["State", provisioning?.state || "not registered"],
		["Status", status?.operationalStatus || undefined],
		["Error", status?.errorType && `${status.errorType} (${status.errorCount}): ${status.errorMessage}`],
		["Online", host && `${host.spec.online} (powered ${status?.poweredOn === true ? "on" : "off"})`],
		["BMC", host?.spec.bmc?.address],
		["Boot MAC", host?.spec.bootMACAddress],
		["Boot mode", provisioning?.bootMode ?? host?.spec.bootMode],
		["Image wanted", host?.spec.image?.url],
		["Image deployed", provisioning?.image?.url || undefined],
		["Ironic node", provisioning?.ID || undefined],
		["Consumer", host?.spec.consumerRef?.name],
		["System", hardware?.systemVendor && vendor(hardware.systemVendor)],
		[
			"CPU",
			hardware?.cpu && `${hardware.cpu.count ?? "?"} x ${hardware.cpu.model ?? hardware.cpu.arch ?? "?"}`,
		],
		["Memory", hardware?.ramMebibytes === undefined ? undefined : `${hardware.ramMebibytes} MiB`],
		...(hardware?.nics ?? []).map(
			(nic) => ["NIC", [nic.name, nic.mac, nic.ip].filter(Boolean).join(" ")] as const,
		),
		...(hardware?.storage ?? []).map(
			(disk) =>
				[
					"Disk",
					`${disk.name ?? "?"} ${((disk.sizeBytes ?? 0) / GIB).toFixed(1)} GiB ${disk.type ?? ""}`.trim(),
				] as const,
		),
		...Object.entries(status?.operationHistory ?? {}).flatMap(([operation, times]) =>
			times?.start ? [[`Last ${operation}`, `${times.start} to ${times.end ?? "now"}`] as const] : [],
		),
		["Last change", status?.lastUpdated],
	];
	const known = facts.filter(([, value]) => value !== undefined && value !== "");
	const width = Math.max(...known.map(([label]) => label.length)) + 1;
	return known.map(([label, value]) => `${`${label}:`.padEnd(width)}  ${value}`).join("\n");
}

function vendor({
	manufacturer,
	productName,
	serialNumber,
}: Readonly<Record<string, string | undefined>>): string {
	const serial = serialNumber ? `serial ${serialNumber}` : undefined;
	return [manufacturer, productName, serial].filter(Boolean).join(", ");
}
