import { refText } from "../../kube/objects.ts";
import { type TargetCheck, targetFault } from "./target-check.ts";

/** What the API server itself said to each object when it was only to try. */
export const tried: TargetCheck = (_plan, { refused }) =>
	refused.map(({ object, why }) =>
		targetFault(
			"pivot-object-refused",
			"the cluster would refuse the object",
			why,
			"see which field or which admission rule it is; nothing was written",
			refText(object),
		),
	);
