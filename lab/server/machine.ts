import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { IronstrapError } from "../../src/lib/errors.ts";
import { until } from "../until.ts";
import { type BootDevice, DEVICE_IDS, type QemuSpec, qemuArguments } from "./qemu-arguments.ts";
import { connectQmp, type Qmp, type QmpEvent } from "./qmp.ts";

export interface MachineOptions {
	/** File that gets QEMU's own messages. */
	readonly log: string;
	/** ISO image that lies in the drive when the power comes on. */
	readonly medium?: string | undefined;
	readonly onEvent: (event: QmpEvent) => void;
}

/** A server that is powered on: one QEMU process. */
export interface Machine {
	readonly pid: number;
	/** Settles when the power is off, for whatever reason. */
	readonly off: Promise<void>;
	/** Order of the boots after the next reset; the running boot keeps its own. */
	setBootOrder(order: readonly BootDevice[]): Promise<void>;
	insert(file: string): Promise<void>;
	eject(): Promise<void>;
	/** Presses the power button: an ACPI event that the guest may ignore. */
	pressPowerButton(): Promise<void>;
	interrupt(): Promise<void>;
	/** Power off at once. QEMU quits in order, so that the disk's own metadata is written. */
	cutPower(): Promise<void>;
}

/** Powers a server on. Settles once its firmware runs. Errors: `lab-qemu-failed`. */
export async function startMachine(spec: QemuSpec, options: MachineOptions): Promise<Machine> {
	await rm(spec.monitor, { force: true });
	const { child, off } = startQemu(spec, options.log);
	let ended = false;
	void off.then(() => {
		ended = true;
	});
	try {
		const qmp = await until(
			async () => {
				if (ended) throw await qemuFailure(spec, options.log);
				return connectQmp(spec.monitor, options.onEvent).catch(() => undefined); // not listening yet
			},
			{ what: `QEMU's monitor of ${spec.name}`, deadlineMs: 20_000, everyMs: 10 },
		);
		const machine = control(qmp, child, off);
		if (options.medium !== undefined) await machine.insert(options.medium);
		await qmp.execute("cont");
		return machine;
	} catch (error) {
		child.kill("SIGKILL");
		await off;
		throw error;
	}
}

/** QEMU gets SIGKILL when this process dies: nobody would be left to switch the server off. */
function startQemu(spec: QemuSpec, log: string): { child: ChildProcess; off: Promise<void> } {
	const output = openSync(log, "a");
	const command = ["--pdeathsig", "KILL", "--", "qemu-system-x86_64", ...qemuArguments(spec)];
	const child = spawn("setpriv", command, { stdio: ["ignore", output, output] });
	closeSync(output);
	const off = new Promise<void>((resolve) => {
		child.once("exit", () => resolve());
		child.once("error", () => resolve());
	});
	return { child, off };
}

function control(qmp: Qmp, child: ChildProcess, off: Promise<void>): Machine {
	const setIndex = (device: BootDevice, value: number) =>
		qmp.execute("qom-set", {
			path: `/machine/peripheral/${DEVICE_IDS[device]}`,
			property: "bootindex",
			value,
		});
	return {
		pid: child.pid ?? 0,
		off,
		async setBootOrder(order) {
			// Two devices may not have the same index, not even for a moment: all move out of the way first.
			for (const [index, device] of order.entries()) await setIndex(device, 100 + index);
			for (const [index, device] of order.entries()) await setIndex(device, 1 + index);
		},
		async insert(file) {
			const medium = { id: DEVICE_IDS.cd, filename: file, format: "raw", "read-only-mode": "read-only" };
			await qmp.execute("blockdev-change-medium", medium);
		},
		async eject() {
			await qmp.execute("blockdev-open-tray", { id: DEVICE_IDS.cd, force: true });
			await qmp.execute("blockdev-remove-medium", { id: DEVICE_IDS.cd });
			await qmp.execute("blockdev-close-tray", { id: DEVICE_IDS.cd });
		},
		async pressPowerButton() {
			await qmp.execute("system_powerdown");
		},
		async interrupt() {
			await qmp.execute("inject-nmi");
		},
		async cutPower() {
			const kill = setTimeout(() => child.kill("SIGKILL"), 10_000);
			await qmp.execute("quit").catch(() => undefined); // it may be gone already
			await off;
			clearTimeout(kill);
			qmp.close();
		},
	};
}

async function qemuFailure(spec: QemuSpec, log: string): Promise<IronstrapError> {
	return new IronstrapError({
		code: "lab-qemu-failed",
		message: `QEMU of server ${spec.name} ended before its firmware ran`,
		seen: (await readFile(log, "utf8").catch(() => "")).slice(-2000),
		fix: `Look at ${log}; packages qemu-system-x86 and ovmf are needed`,
	});
}
