import type { HostRow } from "../../hosts/rows.ts";
import { table } from "./table.ts";

/** What `kubectl get baremetalhosts -A` prints for the same hosts. */
export function hostTable(rows: readonly HostRow[]): string {
	return table(
		["NAMESPACE", "NAME", "STATE", "CONSUMER", "ONLINE", "ERROR", "AGE"],
		rows.map(({ age, consumer, error, name, namespace, online, state }) => [
			namespace,
			name,
			state,
			consumer,
			online,
			error,
			age,
		]),
	);
}

/** The same with `-o wide`: the CRD's columns in their order. */
export function wideHostTable(rows: readonly HostRow[]): string {
	return table(
		["NAMESPACE", "NAME", "STATUS", "STATE", "CONSUMER", "BMC", "ONLINE", "ERROR", "AGE"],
		rows.map(({ age, bmc, consumer, error, name, namespace, online, state, status }) => [
			...[namespace, name, status, state, consumer, bmc, online, error, age],
		]),
	);
}
