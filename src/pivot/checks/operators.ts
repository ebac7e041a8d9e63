import type { KubeObject } from "../../kube/objects.ts";
import { type TargetCheck, targetFault } from "./target-check.ts";

interface DeploymentBody {
	readonly spec?: {
		readonly template?: { readonly spec?: { readonly containers?: readonly { readonly image?: string }[] } };
	};
	readonly status?: { readonly readyReplicas?: number };
}

export interface Operator {
	/** `NAMESPACE/NAME` of its Deployment. */
	readonly deployment: string;
	readonly image: string;
	readonly ready: boolean;
}

/** The oldest BMO that the status and its brakes (`disablePowerOff`) are right for. */
const OLDEST_BMO = [0, 11] as const;

/** The Deployment that runs this image, e.g. `baremetal-operator`. */
export function findOperator(deployments: readonly KubeObject[], image: string): Operator | undefined {
	for (const { metadata, ...body } of deployments) {
		const { spec, status } = body as DeploymentBody;
		const found = spec?.template?.spec?.containers?.find((container) => nameOf(container.image) === image);
		if (found?.image !== undefined)
			return {
				deployment: `${metadata.namespace}/${metadata.name}`,
				image: found.image,
				ready: (status?.readyReplicas ?? 0) > 0,
			};
	}
	return undefined;
}

/** Both operators run: nobody else would take the hosts, or start the Ironic. */
export const operators: TargetCheck = (plan, { deployments }) => {
	const wanted = [
		["baremetal-operator", "install it, v0.11 or later, with its webhook"] as const,
		...(plan.ironic === undefined
			? []
			: [
					[
						"ironic-standalone-operator",
						"install it, or use the Ironic that runs there: --own-ironic",
					] as const,
				]),
	];
	return wanted.flatMap(([image, fix]) => {
		const operator = findOperator(deployments, image);
		const fault = (seen: string, what: string) =>
			targetFault("pivot-target-unfit", `the cluster runs no ${image} that could take over`, seen, what);
		if (operator === undefined) return fault("no Deployment with its image", fix);
		if (!operator.ready)
			return fault(
				`Deployment ${operator.deployment} has no ready replica`,
				"see why its pod does not start",
			);
		const version = image === "baremetal-operator" ? versionOf(operator.image) : undefined;
		return version !== undefined && isOlder(version, OLDEST_BMO)
			? fault(operator.image, "update it to v0.11 or later")
			: [];
	});
};

/** `quay.io/metal3-io/baremetal-operator:v0.13.2` → `baremetal-operator`. */
function nameOf(image: string | undefined): string | undefined {
	return image?.split("@")[0]?.split("/").at(-1)?.split(":")[0];
}

/** Major and minor; `undefined` for a digest or a tag that is no version, which says nothing. */
function versionOf(image: string): readonly [number, number] | undefined {
	const match = /:v(\d+)\.(\d+)/.exec(image);
	return match === null ? undefined : [Number(match[1]), Number(match[2])];
}

function isOlder(
	[major, minor]: readonly [number, number],
	[oldMajor, oldMinor]: readonly [number, number],
): boolean {
	return major < oldMajor || (major === oldMajor && minor < oldMinor);
}
