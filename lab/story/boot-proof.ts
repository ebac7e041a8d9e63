import type { Lab, LabServer } from "../lab.ts";
import { until } from "../until.ts";
import { redfish } from "./redfish.ts";

export interface BootProof {
	/** The console of the boot that is proven, whole. */
	readonly console: string;
	/** Number of the power-on it belongs to. */
	readonly powerOn: number;
}

export interface Expected {
	readonly nonce: string;
	/** What the config drive must name as the instance. */
	readonly instanceUuid: string;
	readonly firmware: "uefi" | "bios";
}

/**
 * Cuts a server's power, switches it on again, and waits for the deployed system to tell about itself on the serial
 * console of *that* boot: this run's nonce and the instance's UUID can come from the written disk alone.
 */
export async function proveBoot(
	lab: Lab,
	server: LabServer,
	expected: Expected,
	deadlineMs: number,
): Promise<BootProof> {
	const before = (await server.consoles()).length;
	await powerCycle(lab, server);
	let console = "";
	const powerOn = await until(
		async () => {
			const count = (await server.consoles()).length;
			if (count <= before) return undefined;
			console = await server.console(count);
			return missing(console, expected).length === 0 ? count : undefined;
		},
		{
			what: `${server.name} to boot from its disk`,
			deadlineMs,
			everyMs: 500,
			seen: () => `missing on the console: ${missing(console, expected).join(", ")}\n${console.slice(-2000)}`,
		},
	);
	return { console, powerOn };
}

function missing(console: string, { firmware, instanceUuid, nonce }: Expected): readonly string[] {
	return ["IRONSTRAP-OS-BOOTED", nonce, instanceUuid, `IRONSTRAP-OS-${firmware.toUpperCase()}`].filter(
		(text) => !console.includes(text),
	);
}

/** As an operator at the BMC would: off, and on again. Ironic is not asked. */
async function powerCycle(lab: Lab, server: LabServer): Promise<void> {
	const system = `/redfish/v1/Systems/${server.uuid}`;
	for (const type of ["ForceOff", "On"])
		await redfish(lab, `${system}/Actions/ComputerSystem.Reset`, { ResetType: type });
}
