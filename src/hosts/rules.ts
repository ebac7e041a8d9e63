import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import type { ProvisioningState } from "../resources/bare-metal-host-status.ts";

/** BMO's older names for the same states, and "no state yet". */
export function normalState(state: ProvisioningState): ProvisioningState {
	if (state === "" || state === "unmanaged") return "registering";
	if (state === "match profile") return "preparing";
	return state === "ready" ? "available" : state;
}

export function isDeployed(state: ProvisioningState): boolean {
	return state === "provisioned" || state === "externally provisioned";
}

/** Fields whose wish ironstrap cannot fulfil; ignoring them would leave a server other than declared. */
export function unsupportedFields({ spec }: BareMetalHost): readonly string[] {
	const raid = [spec.raid?.hardwareRAIDVolumes, spec.raid?.softwareRAIDVolumes].some((volumes) =>
		Array.isArray(volumes),
	);
	return [
		...(raid ? ["raid"] : []),
		...(spec.image?.ociAuthSecretName === undefined ? [] : ["image.ociAuthSecretName"]),
		...(spec.firmware === undefined ? [] : ["firmware"]),
	];
}

export function isUnsupported(host: BareMetalHost): boolean {
	return host.spec.externallyProvisioned !== true && unsupportedFields(host).length > 0;
}
