import { access, statfs } from "node:fs/promises";
import { execa } from "execa";
import { debianKeyring } from "../lib/debian/bootstrap-arguments.ts";
import { diskFull, toolMissing } from "../lib/debian/failures.ts";
import { aptHelper } from "../lib/debian/package-sources.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { ImageDefinition } from "./definition.ts";

/** Programs that a build runs, each with the Debian package that it comes from. */
const tools = { mmdebstrap: "mmdebstrap", dpkg: "dpkg", setpriv: "util-linux", flock: "util-linux" } as const;

/**
 * Fails before anything is downloaded when this machine cannot build the image.
 *
 * @throws IronstrapError `root-required`, `tool-missing`, `image-architecture`, `disk-full`
 */
export async function requireBuildMachine(definition: ImageDefinition, folder: string): Promise<void> {
	if (process.getuid?.() !== 0)
		throw new IronstrapError({
			code: "root-required",
			message: "building images needs root: packages are unpacked with their owners",
			fix: "run the command with sudo",
		});
	for (const [program, debianPackage] of Object.entries(tools)) await requireTool(program, debianPackage);
	for (const file of [debianKeyring, aptHelper])
		if (!(await exists(file)))
			throw toolMissing(file, file === debianKeyring ? "debian-archive-keyring" : "apt");
	const { stdout: architecture } = await execa("dpkg", ["--print-architecture"]);
	if (!definition.architectures.includes(architecture))
		throw new IronstrapError({
			code: "image-architecture",
			message: `the image ${definition.name} cannot be built on ${architecture}`,
			seen: `its packages exist for ${definition.architectures.join(", ")}`,
			fix: `build it on a machine of that architecture and copy the archive, or give images in Bootstrap.spec.images`,
		});
	const { bavail, bsize } = await statfs(folder);
	const freeMiB = Math.floor((bavail * bsize) / 2 ** 20);
	if (freeMiB < definition.buildMiB)
		throw diskFull(
			folder,
			`${freeMiB} MiB are free, building ${definition.name} takes ${definition.buildMiB} MiB`,
		);
}

async function requireTool(program: string, debianPackage: string): Promise<void> {
	const { failed, cause } = await execa(program, ["--version"], { reject: false, stdin: "ignore" });
	if (failed && (cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT")
		throw toolMissing(program, debianPackage);
}

const exists = (path: string): Promise<boolean> =>
	access(path).then(
		() => true,
		() => false,
	);
