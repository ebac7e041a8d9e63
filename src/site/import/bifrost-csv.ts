import { type Cell, parseTable } from "./csv.ts";
import { collectRemarks, type Imported } from "./imported.ts";
import { hostOfNode } from "./node.ts";

/** The columns of Bifrost's older CSV, in their order; it has no header. */
const COLUMNS = [
	...[
		"mac",
		"username",
		"password",
		"address",
		"cpus",
		"memory_mb",
		"local_gb",
		"flavor",
		"type",
		"uuid",
		"name",
	],
	...[
		"ipv4_address",
		"ipmi_target_channel",
		"ipmi_target_address",
		"ipmi_transit_channel",
		"ipmi_transit_address",
	],
	"driver",
] as const;

type Name = (typeof COLUMNS)[number];

const BRIDGING: readonly Name[] = COLUMNS.filter((name) => /^ipmi_(target|transit)_/.test(name));

/** Bifrost took `undefined` for a value that is not given. */
const NOTHING = "undefined";

export function importBifrostCsv(text: string, file: string): Imported {
	const { remarks, say } = collectRemarks();
	const { openQuote, rows } = parseTable(text, file);
	if (openQuote !== undefined)
		say({ kind: "wrong", where: openQuote, field: "line", note: "a quote is opened here and never closed" });
	const hosts = rows.flatMap((cells, index) => {
		const where = cells[0]?.where ?? { file, line: 1, column: 1 };
		if (cells.length < 11 || cells.length > COLUMNS.length) {
			const note = `a line of Bifrost's CSV has 11 to ${COLUMNS.length} values, this one has ${cells.length}; left out`;
			say({ kind: "wrong", where, field: "line", note });
			return [];
		}
		const cell = (name: Name): Cell | undefined => cells[COLUMNS.indexOf(name)];
		const value = (name: Name): string | undefined => {
			const written = cell(name)?.text;
			return written === "" || written === NOTHING ? undefined : written;
		};
		const at = (name: Name) => cell(name)?.where ?? where;
		const name = value("name") ?? `host-${index + 1}`;
		const left = (field: Name, note: string) => {
			if (value(field) !== undefined) say({ kind: "left-out", where: at(field), host: name, field, note });
		};
		left("uuid", "the new Ironic gives its own; an old one must no longer manage this server");
		left("ipv4_address", "an address alone makes no network configuration: a netmask is needed too");
		const driverInfo = Object.fromEntries(
			[
				["ipmi_address", value("address")],
				["ipmi_username", value("username")],
				["ipmi_password", value("password")],
				...BRIDGING.map((field) => [field, value(field)]),
			].filter(([, each]) => each !== undefined),
		) as Record<string, string>;
		const places: Readonly<Record<string, Name>> = {
			ipmi_address: "address",
			ipmi_username: "username",
			ipmi_password: "password",
		};
		return [
			hostOfNode(
				{
					name,
					driver: value("driver"),
					driverInfo,
					properties: { cpus: value("cpus"), memory_mb: value("memory_mb"), local_gb: value("local_gb") },
					instanceInfo: {},
					macs: [{ text: value("mac"), pxe: true, where: at("mac") }],
					where,
					at: (path) => {
						const last = String(path.at(-1));
						const column = places[last] ?? COLUMNS.find((each) => each === last);
						return column === undefined ? where : at(column);
					},
				},
				say,
			),
		];
	});
	if (rows.length === 0)
		say({ kind: "wrong", where: { file, line: 1, column: 1 }, field: "line", note: "the file has no lines" });
	return { hosts, remarks };
}
