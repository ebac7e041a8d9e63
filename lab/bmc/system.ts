import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { type Machine, startMachine } from "../server/machine.ts";
import { type Firmware, variablesTemplate } from "../server/qemu-arguments.ts";
import { afterBoot, type BootOverride, bootDevices } from "./boot-override.ts";
import type { ServerConfig } from "./config.ts";

export const RESET_TYPES = [
	"On",
	"ForceOn",
	"ForceOff",
	"GracefulShutdown",
	"GracefulRestart",
	"ForceRestart",
	"PowerCycle",
	"PushPowerButton",
	"Nmi",
] as const;
export type ResetType = (typeof RESET_TYPES)[number];

/** What lies in the virtual drive. */
export interface Medium {
	/** Where the caller said it is. */
	readonly url: string;
	/** Where the emulator has put it. */
	readonly file: string;
}

/** Everything a Redfish document says about a server, at one moment. */
export interface SystemView {
	readonly config: ServerConfig;
	readonly power: "On" | "Off";
	readonly boot: BootOverride;
	readonly bios: Readonly<Record<string, unknown>>;
	readonly pendingBios: Readonly<Record<string, unknown>>;
	/** `enabled` is what the next power-on will have, `current` what the last one had. */
	readonly secureBoot: { readonly enabled: boolean; readonly current: boolean };
	readonly medium: Medium | undefined;
	/** How often the power came on; the number of the newest console log. */
	readonly powerOns: number;
}

/** What happened to a server, for the events log. */
export type EventRecorder = (event: string, details?: Readonly<Record<string, unknown>>) => void;

/** A server as its BMC holds it: settings that outlast a power cycle, and the power itself. */
export interface System {
	view(): SystemView;
	/** Changes take effect in the order of the calls. */
	reset(type: ResetType): Promise<void>;
	setBoot(boot: BootOverride): Promise<void>;
	setSecureBoot(enabled: boolean): void;
	/** Attributes that the next power-on makes effective. */
	setBios(attributes: Readonly<Record<string, unknown>>): void;
	resetBios(): void;
	insert(medium: Medium): Promise<void>;
	/** Returns what was in the drive. */
	eject(): Promise<Medium | undefined>;
}

const BIOS_DEFAULTS = { ProcTurboMode: "Enabled", NumLock: "On", ProcVirtualization: "Enabled" };

/** How long a graceful restart waits for the guest's own shutdown. */
const SHUTDOWN_MS = 120_000;

export function createSystem(config: ServerConfig, record: EventRecorder): System {
	const mode = config.firmware === "uefi" ? "UEFI" : "Legacy";
	let boot: BootOverride = { enabled: "Disabled", target: "None", mode };
	let bios: Readonly<Record<string, unknown>> = BIOS_DEFAULTS;
	let pendingBios: Readonly<Record<string, unknown>> = {};
	let secureBoot = { enabled: false, current: false };
	let medium: Medium | undefined;
	let powerOns = 0;
	let machine: Machine | undefined;
	const oneByOne = queue();

	/** The boot that has just started used a one-shot override up: the next reset gets what is left. */
	const bootStarted = async (running: Machine) => {
		boot = afterBoot(boot);
		await running.setBootOrder(bootDevices(boot, config.bootOrder));
	};

	const powerOn = async () => {
		if (machine !== undefined) return;
		bios = { ...bios, ...pendingBios };
		pendingBios = {};
		secureBoot = { ...secureBoot, current: secureBoot.enabled && boot.mode === "UEFI" };
		powerOns += 1;
		const bootOrder = bootDevices(boot, config.bootOrder);
		const firmware = await prepareFirmware(config, boot, secureBoot.current);
		record("power-on", { number: powerOns, bootOrder, mode: boot.mode, override: boot.enabled });
		const started = await startMachine(
			{
				...config,
				firmware,
				bootOrder,
				console: join(config.directory, `console-${powerOns}.log`),
				monitor: monitorOf(config),
			},
			{
				log: join(config.directory, "qemu.log"),
				medium: medium?.file,
				onEvent({ event, data }) {
					record("qemu", { name: event, data });
					if (event === "RESET")
						void oneByOne(async () => machine === started && bootStarted(started)).catch(() => undefined);
				},
			},
		);
		machine = started;
		void started.off.then(() => {
			if (machine === started) machine = undefined;
			record("power-off");
		});
		await bootStarted(started);
	};

	const powerOff = async () => {
		await machine?.cutPower();
		machine = undefined;
	};

	const actions: Readonly<Record<ResetType, () => Promise<void>>> = {
		On: powerOn,
		ForceOn: powerOn,
		ForceOff: powerOff,
		GracefulShutdown: async () => machine?.pressPowerButton(),
		async GracefulRestart() {
			const leaving = machine;
			await leaving?.pressPowerButton();
			const patience = AbortSignal.timeout(SHUTDOWN_MS);
			// The answer does not wait for the guest, which may take its time or ignore the button.
			void leaving?.off
				.then(() => (patience.aborted ? undefined : oneByOne(powerOn)))
				.catch((error: unknown) => record("power-on-failed", { error: String(error) }));
		},
		async ForceRestart() {
			await powerOff();
			await powerOn();
		},
		async PowerCycle() {
			await powerOff();
			await powerOn();
		},
		PushPowerButton: async () => (machine === undefined ? powerOn() : machine.pressPowerButton()),
		Nmi: async () => machine?.interrupt(),
	};

	return {
		view: () => ({
			...{ config, boot, bios, pendingBios, secureBoot, medium, powerOns },
			power: machine === undefined ? "Off" : "On",
		}),
		reset: (type) => oneByOne(actions[type]),
		setBoot: (next) =>
			oneByOne(async () => {
				boot = next;
				await machine?.setBootOrder(bootDevices(boot, config.bootOrder));
			}),
		setSecureBoot(enabled) {
			secureBoot = { ...secureBoot, enabled };
		},
		setBios(attributes) {
			pendingBios = { ...pendingBios, ...attributes };
		},
		resetBios() {
			pendingBios = BIOS_DEFAULTS;
		},
		insert: (next) =>
			oneByOne(async () => {
				await machine?.insert(next.file);
				medium = next;
				record("medium-inserted", { url: next.url });
			}),
		eject: () =>
			oneByOne(async () => {
				const previous = medium;
				if (previous !== undefined) await machine?.eject();
				medium = undefined;
				record("medium-ejected");
				return previous;
			}),
	};
}

/** Unix socket names are short (108 bytes): the monitor does not live in the server's directory. */
function monitorOf({ name }: ServerConfig): string {
	return `/run/ironstrap-lab/qemu-${name}.sock`;
}

/** The variable store belongs to the server, not to a boot: boot entries that a guest wrote must last. */
async function prepareFirmware(config: ServerConfig, boot: BootOverride, secure: boolean): Promise<Firmware> {
	if (boot.mode === "Legacy") return { kind: "bios" };
	const variables = join(config.directory, secure ? "variables-secure.fd" : "variables.fd");
	if (!existsSync(variables)) await copyFile(variablesTemplate(secure), variables);
	return { kind: "uefi", secureBoot: secure, variables, httpBoot: boot.target === "UefiHttp" };
}

/** Runs one task at a time, in the order of the calls. */
function queue(): <T>(task: () => Promise<T>) => Promise<T> {
	let last: Promise<unknown> = Promise.resolve();
	return (task) => {
		const result = last.then(task, task);
		last = result;
		return result;
	};
}
