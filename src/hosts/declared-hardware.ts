import type { BareMetalHost } from "../resources/bare-metal-host.ts";
import { type HardwareDetails, hardwareDetailsSchema } from "../resources/hardware-data.ts";
import type { Site } from "../resources/site.ts";
import { inspectionDisabled } from "./annotations.ts";

const DETAILS = "inspect.metal3.io/hardwaredetails";

/**
 * Hardware details that the manifests bring, as BMO takes them where no inspection has told any: the host's HardwareData,
 * else the annotation, which lint has checked and which counts only while inspection is disabled.
 */
export function declaredHardware(host: BareMetalHost, { hardwareData }: Site): HardwareDetails | undefined {
	const { annotations, name, namespace } = host.metadata;
	const data = hardwareData.find(
		({ metadata }) => metadata.name === name && metadata.namespace === namespace,
	);
	if (data?.spec.hardware !== undefined) return data.spec.hardware;
	const text = annotations?.[DETAILS] ?? "";
	return text === "" || !inspectionDisabled(host) ? undefined : hardwareDetailsSchema.parse(JSON.parse(text));
}
