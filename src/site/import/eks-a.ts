import type { Column } from "./columns.ts";
import type { Imported } from "./imported.ts";
import { importTable } from "./table.ts";

/** https://anywhere.eks.amazonaws.com/docs/getting-started/baremetal/bare-preparation/ */
const COLUMNS: Readonly<Record<string, Column>> = {
	hostname: "name",
	vendor: "vendor",
	bmc_ip: "address",
	bmc_username: "username",
	bmc_password: "password",
	mac: "mac",
	ip_address: "ip",
	netmask: "netmask",
	gateway: "gateway",
	nameservers: "dns",
	labels: "labels",
	disk: "disk",
};

/** The hardware CSV of EKS Anywhere: names are exact, name servers and labels separated by `|`. */
export function importEksA(text: string, file: string): Imported {
	return importTable(text, file, {
		columnOf: (header) => {
			const name = header.trim().toLowerCase();
			return Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined;
		},
		required: ["name", "mac", "address"],
	});
}
