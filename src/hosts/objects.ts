import type { BareMetalHost, BareMetalHostStatus } from "../resources/bare-metal-host.ts";
import type { Candidate } from "./choose.ts";

/** The host as a cluster would return it: what is declared, and what is stored as its status. */
export function objectOf({ host, name, namespace, stored }: Candidate): BareMetalHost {
	const { hardware, status: bare } = stored ?? {};
	const status: BareMetalHostStatus | undefined =
		bare === undefined ? undefined : { ...bare, ...(hardware === undefined ? {} : { hardware }) };
	return {
		...(host ?? {
			apiVersion: "metal3.io/v1alpha1",
			kind: "BareMetalHost",
			metadata: { name, namespace },
			spec: { online: bare?.poweredOn ?? false, automatedCleaningMode: "metadata" },
		}),
		...(status === undefined ? {} : { status }),
	};
}
