import type { TimeSync } from "../linux/clock.ts";
import type { MachineInterface } from "../linux/ip-json.ts";
import type { Login } from "../linux/login.ts";

/** What the wizard knows of this machine before it asks anything. */
export interface MachineFacts {
	readonly interfaces: readonly MachineInterface[];
	/** `undefined`: a local log-in, or nobody knows. */
	readonly login: Login | undefined;
	readonly engine: EngineFact;
	readonly time: TimeSync;
}

export type EngineFact =
	| { readonly found: true; readonly name: string; readonly socket: string }
	/** `why` names every place that was tried. */
	| { readonly found: false; readonly why: string };

/** The interface that the person's own connection comes in by. */
export function loginInterface({ interfaces, login }: MachineFacts): MachineInterface | undefined {
	if (login === undefined) return undefined;
	return interfaces.find(({ addresses }) => addresses.some(({ address }) => address === login.to));
}

/** Every address of this machine, without prefix length. */
export function ownAddresses({ interfaces }: Pick<MachineFacts, "interfaces">): readonly string[] {
	return interfaces.flatMap(({ addresses }) => addresses.map(({ address }) => address));
}
