import { IronstrapError } from "../lib/errors.ts";
import { type BareMetalHost, bareMetalHostSchema } from "../resources/bare-metal-host.ts";
import type { Step } from "../steps/step.ts";
import { isDetached, isPaused, type RebootMode } from "./annotations.ts";
import type { Candidate } from "./choose.ts";
import type { HostContext } from "./context.ts";
import { isToBeDeployed } from "./instance.ts";
import { normalState } from "./rules.ts";
import { hostSteps, removalStep } from "./steps.ts";

/** What a command does with a host, beyond bringing it to where its manifest wants it. */
export type HostVerb =
	| { readonly kind: "provision" | "deprovision" | "inspect" | "remove" }
	| { readonly kind: "power"; readonly on: boolean }
	| { readonly kind: "reboot"; readonly mode: RebootMode };

/**
 * The steps of a verb. Only `provision` and `deprovision` change what is on a server; throws `host-verb-refused`,
 * `host-declared` or `host-undeclared` where the host is not in a state for the verb.
 */
export function verbSteps(candidate: Candidate, verb: HostVerb): readonly Step<HostContext>[] {
	const { host } = candidate;
	const why = obstacle(candidate, verb);
	if (why !== undefined)
		throw new IronstrapError({
			code: why.code ?? "host-verb-refused",
			message: `${candidate.namespace}/${candidate.name} ${why.message}`,
			subject: `BareMetalHost ${candidate.namespace}/${candidate.name}`,
			seen: `state ${candidate.stored?.status.provisioning.state || "none"}`,
			fix: why.fix,
		});
	if (host === undefined) return [removalStep(undeclared(candidate))];
	switch (verb.kind) {
		case "deprovision":
			return hostSteps(empty(host), { kind: "give-up" });
		case "inspect":
			return hostSteps(host, { kind: "inspect" });
		case "power":
		case "reboot":
			return hostSteps(host, verb);
		default:
			return hostSteps(host);
	}
}

/** What a person should know about the manifest after the verb; `undefined` if the two agree. */
export function disagreement({ host }: Candidate, verb: HostVerb): string | undefined {
	if (host === undefined) return undefined;
	const name = `${host.metadata.namespace}/${host.metadata.name}`;
	const next = "the next `ironstrap up`";
	if (verb.kind === "power" && verb.on !== host.spec.online)
		return `the manifest of ${name} says online: ${host.spec.online}: ${next} switches it ${host.spec.online ? "on" : "off"} again`;
	if (verb.kind === "deprovision" && host.spec.externallyProvisioned !== true && isToBeDeployed(host))
		return `the manifest of ${name} still has an image: ${next} deploys it again`;
	return undefined;
}

interface Obstacle {
	readonly code?: "host-declared" | "host-undeclared";
	readonly message: string;
	readonly fix: string;
}

function obstacle({ host, name, namespace, stored }: Candidate, verb: HostVerb): Obstacle | undefined {
	const state = normalState(stored?.status.provisioning.state ?? "");
	if (verb.kind === "remove")
		return host === undefined
			? undefined
			: {
					code: "host-declared",
					message: "is declared in the manifests, and would come back",
					fix: `take it out of the manifests, run \`ironstrap up\`, then \`ironstrap hosts remove ${namespace}/${name}\``,
				};
	if (host === undefined)
		return {
			code: "host-undeclared",
			message: "is not in the manifests any more",
			fix: `declare it again and run \`ironstrap up\`, or \`ironstrap hosts remove ${namespace}/${name}\``,
		};
	if (host.spec.bmc === undefined)
		return { message: "has no BMC, so ironstrap cannot manage it", fix: "give it spec.bmc" };
	if (isPaused(host))
		return { message: "is paused", fix: "remove the annotation baremetalhost.metal3.io/paused first" };
	if (isDetached(host))
		return { message: "is detached", fix: "remove the annotation baremetalhost.metal3.io/detached first" };
	return OBSTACLES[verb.kind](host, state, verb);
}

type Look = (host: BareMetalHost, state: string, verb: HostVerb) => Obstacle | undefined;

const OBSTACLES: Readonly<Record<Exclude<HostVerb["kind"], "remove">, Look>> = {
	provision: (host) =>
		isToBeDeployed(host) && host.spec.online && host.spec.externallyProvisioned !== true
			? undefined
			: {
					message: "is not to be provisioned, by its manifest",
					fix: "give it spec.image and spec.online: true, without externallyProvisioned, and run `ironstrap up`",
				},
	deprovision: () => undefined,
	inspect: (_, state) =>
		state === "available"
			? undefined
			: { message: "is inspected only while it is available", fix: "wait until it is, or deprovision it" },
	power: (host, state, verb) => {
		if (verb.kind === "power" && !verb.on && host.spec.disablePowerOff === true)
			return { message: "is never to be switched off", fix: "set spec.disablePowerOff: false" };
		return isAtRest(state) ? undefined : BUSY;
	},
	reboot: (_, state) =>
		state === "provisioned" || state === "externally provisioned"
			? undefined
			: { message: "runs no operating system", fix: "only a provisioned server is rebooted" },
};

const BUSY: Obstacle = {
	message: "is on its way to another state, and its power belongs to that",
	fix: "bring it to its final state first: `ironstrap up`",
};

function isAtRest(state: string): boolean {
	return state === "available" || state === "provisioned" || state === "externally provisioned";
}

/** The same host, with nothing wanted on it. */
function empty(host: BareMetalHost): BareMetalHost {
	const { customDeploy: _method, externallyProvisioned: _flag, image: _image, ...spec } = host.spec;
	return { ...host, spec };
}

/** Enough of a host that is only stored: its node knows the rest. */
function undeclared({ name, namespace, stored }: Candidate): BareMetalHost {
	return bareMetalHostSchema.parse({
		apiVersion: "metal3.io/v1alpha1",
		kind: "BareMetalHost",
		metadata: { name, namespace },
		spec: { online: stored?.status.poweredOn ?? false },
	});
}
