import type { KubeObject } from "../kube/objects.ts";
import type { PlannedHost } from "./plan.ts";

/** What is to be read of a host that was let go. */
export type TakeOverState =
	/** BMO has registered it and is content. */
	| { readonly kind: "taken" }
	/** Not yet; what is seen of it. */
	| { readonly kind: "waiting"; readonly seen: string }
	/** BMO does something else than take it over: nothing more may be let go. */
	| { readonly kind: "wrong"; readonly seen: string };

interface HostStatus {
	readonly operationalStatus?: string;
	readonly errorType?: string;
	readonly errorMessage?: string;
	readonly poweredOn?: boolean;
	readonly goodCredentials?: { readonly credentials?: { readonly name?: string } };
	readonly provisioning?: { readonly state?: string; readonly image?: { readonly url?: string } };
}

/**
 * How BMO gets on with a host that it was given. A registration that fails is tried again by BMO and harms nobody; a
 * state that is not the one we wrote means that it does not know what it has.
 */
export function takeOverState(
	{ status: written }: PlannedHost,
	{ metadata, status }: KubeObject,
): TakeOverState {
	const found = (status ?? {}) as HostStatus;
	const wanted = written as HostStatus;
	const state = found.provisioning?.state ?? "";
	if (state !== wanted.provisioning?.state)
		return {
			kind: "wrong",
			seen: `its state is ${state || "empty"} instead of ${wanted.provisioning?.state}`,
		};
	if (metadata.deletionTimestamp !== undefined) return { kind: "wrong", seen: "somebody deletes it" };
	if (found.poweredOn !== wanted.poweredOn)
		return { kind: "wrong", seen: `poweredOn is ${found.poweredOn} instead of ${wanted.poweredOn}` };
	if (found.errorType !== undefined && found.errorType !== "")
		return { kind: "waiting", seen: `${found.errorType}: ${found.errorMessage ?? ""}` };
	if (found.operationalStatus !== "OK")
		return { kind: "waiting", seen: `operationalStatus ${found.operationalStatus || "empty"}` };
	// set when BMO has logged in to the BMC and registered the node; never by us
	return found.goodCredentials?.credentials?.name === undefined
		? { kind: "waiting", seen: "BMO has not registered it yet" }
		: { kind: "taken" };
}
