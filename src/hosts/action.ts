import type { IronicNode, PowerTarget } from "../ironic/node.ts";
import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { ErrorType, ProvisioningState } from "../resources/bare-metal-host-status.ts";
import type { OneShot, RebootMode } from "./annotations.ts";

/** What is known of one host at one moment. */
export interface Observation {
	readonly host: BareMetalHost;
	/** `status.provisioning.state` as stored. */
	readonly state: ProvisioningState;
	/** `status.operationalStatus` is stored as `detached`. */
	readonly detached: boolean;
	/** Hardware details are stored already, and no newer ones are asked for. */
	readonly hardwareKnown: boolean;
	/** URL of the image that is stored as deployed. */
	readonly deployedImage: string | undefined;
	/** The method of the custom deployment that is stored as done, or "". */
	readonly deployedMethod: string;
	/** One-shot annotations that were answered. */
	readonly answered: readonly string[];
	/** An earlier run stored an error and went away. */
	readonly gaveUp: boolean;
	/** What is stored differs from the node in uuid or power, or tells of an error or a request that is over. */
	readonly stale: boolean;
	/** What Ironic was given of the BMC, or what protects the server, is not what the manifest says. */
	readonly outdated: boolean;
	readonly node: IronicNode | undefined;
	/** The Ironic port with the host's boot MAC address. */
	readonly port: "own" | "missing" | "foreign" | "unneeded";
	/** Ironic has an inventory of the node, and none newer is asked for. */
	readonly inventoried: boolean;
}

/** What takes time in Ironic and may fail there. */
export type Operation =
	| "register"
	| "inspect"
	| "prepare"
	| "provision"
	| "deprovision"
	| "adopt"
	| "power"
	| "recover"
	| "abort";

/** What a person asked for by a command, beyond what the manifest says. */
export type HostRequest =
	| { readonly kind: "none" }
	| { readonly kind: "inspect" }
	| { readonly kind: "reboot"; readonly mode: RebootMode }
	/** Nothing but its power. */
	| { readonly kind: "power"; readonly on: boolean }
	/** What is on the server may be lost, whoever put it there. */
	| { readonly kind: "give-up" }
	/** BMO's deletion. */
	| { readonly kind: "remove" };

/** What this process has done for the host. A failure that it finds is retried once; one that it caused is told. */
export interface RunMemory {
	readonly request: HostRequest;
	readonly started: ReadonlySet<Operation>;
	readonly powered: ReadonlySet<PowerTarget>;
	/** The node has the manifest's BMC address, credentials and properties. */
	readonly configured: boolean;
}

export type RefusalCode =
	| "host-unsupported"
	| "host-port-taken"
	| "host-frozen"
	| "host-already-deployed"
	| "host-undeployed"
	| "host-foreign-state";

export type ChangeTarget = "manage" | "inspect" | "provide" | "adopt" | "abort" | "deleted";

export type HostAction =
	| { readonly kind: "settled" }
	| { readonly kind: "enrol" }
	| { readonly kind: "create-port" }
	| { readonly kind: "configure" }
	| { readonly kind: "clear-maintenance" }
	/** Store this state (and the inventory as hardware details, where there is one and none is stored). */
	| { readonly kind: "record"; readonly state: ProvisioningState; readonly answers?: OneShot }
	| { readonly kind: "change"; readonly target: ChangeTarget; readonly operation?: Operation }
	| { readonly kind: "deploy" }
	| { readonly kind: "power"; readonly target: PowerTarget }
	/** Take the node out of Ironic, and nothing else: the server runs on. */
	| { readonly kind: "detach" }
	/** The same, and forget the host. */
	| { readonly kind: "delete" }
	| { readonly kind: "wait"; readonly operation: Operation }
	/** An operation failed: store the error, tell it. */
	| { readonly kind: "fail"; readonly errorType: ErrorType; readonly operation: Operation }
	/** Going on would be unsafe or is not possible: nothing is stored, nothing touched. */
	| { readonly kind: "refuse"; readonly code: RefusalCode };
