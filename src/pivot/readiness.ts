import { IronstrapError } from "../lib/errors.ts";
import { describe, type Site } from "../resources/site.ts";
import type { HostExport, TakeOver } from "./host-export.ts";

/** Why a host cannot be handed over now; empty when it can. Nothing of it was changed. */
export function refusals(subject: HostExport, site: Site, as: TakeOver): readonly IronstrapError[] {
	const ref = {
		kind: "BareMetalHost",
		namespace: subject.host.metadata.namespace,
		name: subject.host.metadata.name,
	};
	return REASONS.flatMap((reason) => {
		const found = reason(subject, as);
		if (found === undefined) return [];
		const [seen, fix, path = ["metadata"]] = found;
		return new IronstrapError({
			code: "pivot-host-not-ready",
			message: "the host cannot be handed over now",
			subject: describe(ref),
			where: site.locate(ref, path) ?? site.locate(ref),
			seen,
			fix,
		});
	});
}

type Reason = (
	subject: HostExport,
	as: TakeOver,
) => readonly [seen: string, fix: string, path?: readonly string[]] | undefined;

const FINISH = "let `ironstrap up` finish the host first";

/** Stored states and the node states that belong to them. */
const STEADY: Readonly<Record<string, readonly string[]>> = {
	provisioned: ["active"],
	"externally provisioned": ["active", "manageable", "available"],
	available: ["available", "manageable"],
};

const REASONS: readonly Reason[] = [
	({ stored }) => (stored === undefined ? ["nothing is stored about it", FINISH] : undefined),
	({ node }) => (node === undefined ? ["Ironic has no node for it", FINISH] : undefined),
	({ stored, node }) => {
		if (stored === undefined || node === undefined) return undefined;
		const { state } = stored.status.provisioning;
		if (STEADY[state]?.includes(node.provision_state) === true) return undefined;
		return [`stored state ${state || "none"}, Ironic node ${node.provision_state}`, FINISH];
	},
	({ stored }) =>
		stored?.status.errorType === undefined
			? undefined
			: [`${stored.status.errorType}: ${stored.status.errorMessage}`, FINISH],
	({ node }) =>
		node?.reservation
			? [`the node is locked by ${node.reservation}`, "wait until Ironic's operation has ended"]
			: undefined,
	({ node }) =>
		node?.target_provision_state
			? [`the node is on its way to ${node.target_provision_state}`, "wait until it has arrived"]
			: undefined,
	({ node }) =>
		node?.target_power_state
			? [`the power is on its way to ${node.target_power_state}`, "wait until it has arrived"]
			: undefined,
	({ node }) =>
		node?.last_error
			? [`Ironic's last error: ${node.last_error}`, "remove its cause; `ironstrap up` clears it"]
			: undefined,
	({ node }) =>
		node?.maintenance === true
			? [
					`the node is in maintenance: ${node.maintenance_reason ?? "no reason is given"}`,
					"take it out of maintenance: BMO would do so without asking",
				]
			: undefined,
	({ node }) =>
		node?.fault
			? [`Ironic sees a fault: ${node.fault}`, "remove its cause; `ironstrap up` clears it"]
			: undefined,
	({ node }) =>
		node === undefined || node.power_state === "power on" || node.power_state === "power off"
			? undefined
			: [
					`power ${node.power_state ?? "unknown"}`,
					"make the BMC answer: the target must know whether the server runs",
				],
	({ host }) =>
		host.spec.image?.format === "live-iso"
			? [
					"it runs from a live ISO",
					"BMO cannot adopt such a host: deploy an image to its disk",
					["spec", "image", "format"],
				]
			: undefined,
	({ virtualMedia }) =>
		virtualMedia.some(({ inserted }) => inserted === true)
			? ["virtual media is inserted", "detach it (a DataImage would be lost: adoption ejects it)"]
			: undefined,
	({ host, stored }) => {
		const { state, image } = stored?.status.provisioning ?? {};
		if (state !== "provisioned" || host.spec.image?.url === image?.url) return undefined;
		return [
			`${image?.url ?? "no image"} is deployed, the manifest says ${host.spec.image?.url ?? "none"}`,
			"put the deployed image's URL back: BMO would wipe the server",
			["spec", "image", "url"],
		];
	},
	({ host, stored }) =>
		stored?.status.provisioning.state === "available" && host.spec.image !== undefined
			? [
					"it has an image but is not deployed",
					"deploy it first with spec.online: true, or leave spec.image out",
					["spec", "image"],
				]
			: undefined,
	({ stored }, as) =>
		as === "provisioned" && stored?.status.provisioning.state === "externally provisioned"
			? ["ironstrap did not deploy it", "hand it over as external", ["spec", "externallyProvisioned"]]
			: undefined,
];
