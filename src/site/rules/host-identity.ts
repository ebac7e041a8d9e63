import type { BareMetalHost } from "../../resources/bare-metal-host.ts";
import { statusSchema } from "../../resources/bare-metal-host-status.ts";
import { hardwareDetailsSchema } from "../../resources/hardware-data.ts";
import { virtualMediaAnnotation } from "../../resources/virtual-media.ts";
import type { Draft } from "../draft.ts";
import type { Finding } from "../finding.ts";
import { attempt } from "./ironic-rule.ts";
import { on, type SiteRule } from "./site-rule.ts";

/** A host's name and the annotations that BMO acts upon, as its webhook checks them. */
export const hostIdentity: SiteRule = function* (draft) {
	for (const host of draft.hosts) {
		if (/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/.test(host.metadata.name))
			yield on(draft, host, ["metadata", "name"], "host-name-uuid", {
				message: "the host's name is a UUID, which Ironic would take for a node's id",
				fix: "choose another name",
			});
		const media = host.metadata.annotations?.[virtualMediaAnnotation];
		if (media !== undefined && media !== "http")
			yield on(draft, host, ["metadata", "annotations", virtualMediaAnnotation], "virtual-media-unknown", {
				message: `the annotation ${virtualMediaAnnotation} must be "http"`,
				fix: 'write "http" if this BMC cannot fetch images over HTTPS, or remove the annotation',
			});
		for (const [name, value] of Object.entries(host.metadata.annotations ?? {})) {
			const fault = annotationFault(host, name, value);
			if (fault !== undefined) yield annotation(draft, host, name, fault);
		}
	}
};

function annotation(draft: Draft, host: BareMetalHost, name: string, fault: string): Finding {
	return on(draft, host, ["metadata", "annotations", name], "annotation-invalid", {
		message: `the annotation ${name} ${fault}`,
		fix: "correct it or remove it; baremetal-operator's webhook refuses it too",
	});
}

function annotationFault(host: BareMetalHost, name: string, value: string): string | undefined {
	if (name === "baremetalhost.metal3.io/status" && value !== "") {
		const status = attempt(() => JSON.parse(value) as unknown);
		if (status === undefined)
			return "is not JSON: baremetal-operator would drop it and treat the host as new";
		return statusSchema.safeParse(status).success ? undefined : "is not a BareMetalHost status";
	}
	if (name === "inspect.metal3.io/hardwaredetails" && value !== "") {
		const isOff =
			host.spec.inspectionMode === "disabled" ||
			host.metadata.annotations?.["inspect.metal3.io"] === "disabled";
		if (!isOff) return "needs inspection to be disabled";
		const details = attempt(() => JSON.parse(value) as unknown);
		return hardwareDetailsSchema.safeParse(details).success ? undefined : "does not describe hardware";
	}
	if (name === "inspect.metal3.io") {
		if (value !== "" && value !== "disabled") return 'must be "disabled" or empty';
		const { inspectionMode } = host.spec;
		if (value === "disabled" && inspectionMode !== undefined && inspectionMode !== "disabled")
			return `contradicts \`inspectionMode: ${inspectionMode}\``;
		return undefined;
	}
	if (name === "reboot.metal3.io" || name.startsWith("reboot.metal3.io/")) return rebootFault(value);
	return undefined;
}

function rebootFault(value: string): string | undefined {
	if (value === "") return undefined;
	const parsed = attempt(() => JSON.parse(value) as { mode?: unknown } | null);
	if (parsed === undefined || parsed === null || typeof parsed !== "object") return "is not a JSON object";
	return ["hard", "soft", "", undefined].includes(parsed.mode as string | undefined)
		? undefined
		: "must have the mode hard or soft";
}
