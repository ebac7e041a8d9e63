import { createHash } from "node:crypto";
import type { ImageDefinition } from "./definition.ts";

/** Raised when the code below src/images changes what an image contains. */
const buildVersion = 1;

export interface KeyInputs {
	readonly definition: ImageDefinition;
	/** Every package that goes into the image, with its exact version. */
	readonly packages: ReadonlyMap<string, string>;
	/** Seconds since 1970: no file in the image is newer. */
	readonly epoch: number;
}

/** Names an image by what determines its content: 64 hexadecimal digits. Equal inputs build equal images. */
export function imageKey({ definition, packages, epoch }: KeyInputs): string {
	const sorted = [...packages].sort(([a], [b]) => (a < b ? -1 : 1));
	const text = JSON.stringify({ buildVersion, definition, packages: sorted, epoch });
	return createHash("sha256").update(text).digest("hex");
}
