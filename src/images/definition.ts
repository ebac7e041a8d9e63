import { parse } from "yaml";
import { z } from "zod";
import { IronstrapError } from "../lib/errors.ts";

/** What one container image is made of; read from `images/NAME/image.yaml`. */
export interface ImageDefinition {
	readonly name: string;
	readonly title: string;
	/** Debian release, e.g. `trixie`. */
	readonly suite: string;
	/** Debian architecture names that the package list is good for. */
	readonly architectures: readonly string[];
	/** The package whose upstream version is the image's version. */
	readonly versionOf: string;
	readonly users: readonly ImageUser[];
	readonly packages: readonly string[];
	/** Run in the finished tree, in this order. */
	readonly scripts: readonly ImageScript[];
	/** Runs before any package that is not essential is unpacked; creates the users. */
	readonly usersScript: ImageScript;
	/** Free space that a build takes at its peak, in MiB. */
	readonly buildMiB: number;
}

/** A user with the same number for uid and gid. */
export interface ImageUser {
	readonly name: string;
	readonly id: number;
	readonly home: string;
}

export interface ImageScript {
	readonly name: string;
	readonly text: string;
}

/** The images that ironstrap can build. */
export const imageNames = ["ironic", "mariadb"] as const;
export type ImageName = (typeof imageNames)[number];

/**
 * Reads a definition and the scripts that it names.
 *
 * @param readFile returns a packaged file's text, e.g. `images/ironic/image.yaml`
 */
export function loadDefinition(name: ImageName, readFile: (path: string) => string): ImageDefinition {
	const text = readFile(`images/${name}/image.yaml`);
	const parsed = schema.safeParse(parse(text));
	if (!parsed.success)
		throw new IronstrapError({
			code: "image-definition",
			message: `images/${name}/image.yaml is not a valid image definition`,
			seen: z.prettifyError(parsed.error),
			fix: "correct the file, or reinstall ironstrap",
		});
	const { scripts, ...rest } = parsed.data;
	const own = scripts.map((script) => ({ name: script, text: readFile(`images/${name}/${script}`) }));
	const common = (script: string) => ({ name: script, text: readFile(`images/common/${script}`) });
	return { ...rest, scripts: [...own, common("finish.sh")], usersScript: common("users.sh") };
}

const schema = z.strictObject({
	name: z.enum(imageNames),
	title: z.string().min(1),
	suite: z.string().regex(/^[a-z]+$/),
	architectures: z.array(z.string().regex(/^[a-z0-9]+$/)).min(1),
	versionOf: z.string(),
	users: z.array(
		z.strictObject({
			name: z.string().regex(/^[a-z][a-z0-9-]*$/),
			id: z.int().min(100).max(999),
			home: z.string().regex(/^\/[a-z0-9/]*$/),
		}),
	),
	packages: z.array(z.string().regex(/^[a-z0-9][a-z0-9+.-]+$/)).min(1),
	scripts: z.array(z.string().regex(/^[a-z0-9-]+\.sh$/)),
	buildMiB: z.int().positive(),
});
