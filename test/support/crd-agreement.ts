import fc from "fast-check";
import { bareMetalHostSchema } from "../../src/resources/bare-metal-host.ts";
import { hardwareDataSchema } from "../../src/resources/hardware-data.ts";
import { ironicSchema } from "../../src/resources/ironic.ts";
import { arbitraryInput } from "./arbitrary.ts";
import { BMO_RELEASES, crdValidator, IRSO_RELEASES } from "./crd.ts";

/** The kinds that upstream publishes CRDs of, and the releases whose CRDs are at hand. */
export const CRD_KINDS = [
	{ kind: "BareMetalHost", schema: bareMetalHostSchema, releases: BMO_RELEASES },
	{ kind: "HardwareData", schema: hardwareDataSchema, releases: BMO_RELEASES },
	{ kind: "Ironic", schema: ironicSchema, releases: IRSO_RELEASES },
] as const;

export interface Agreement {
	/** How many of the generated objects our schema took. */
	readonly accepted: number;
	/** `bmo-v0.11.0: /spec/… must be …`, with the object, for each that a release refuses. */
	readonly complaints: readonly string[];
}

/** Generates objects, and asks every release's CRD about those that our schema accepts. */
export function askCrds(
	{ kind, releases, schema }: (typeof CRD_KINDS)[number],
	options: { readonly numRuns: number; readonly seed?: number },
): Agreement {
	const newest = releases.at(-1);
	const validators = releases.map((release) => ({
		release,
		// A release drops the fields that it does not know yet.
		validate: crdValidator(release, kind, { unknownFields: release === newest ? "refuse" : "prune" }),
	}));
	const complaints: string[] = [];
	let accepted = 0;
	for (const input of fc.sample(arbitraryInput(schema), options)) {
		const result = schema.safeParse(input);
		if (!result.success) continue;
		accepted++;
		for (const { release, validate } of validators)
			for (const text of validate(result.data))
				if (!isNewValue(text)) complaints.push(`${release}: ${text}\n${JSON.stringify(result.data)}`);
	}
	return { accepted, complaints };
}

/** `inspectionMode: fast` is a value that older releases do not have; the pivot looks at the target's CRD for it. */
function isNewValue(complaint: string): boolean {
	return complaint.startsWith("/spec/inspectionMode must be equal to one of the allowed values");
}
