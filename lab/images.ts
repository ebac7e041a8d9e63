import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { IronstrapError } from "../src/lib/errors.ts";
import { type CacheOptions, cacheRoot } from "./cache.ts";

/** A container image as an archive that `load` of Podman and Docker takes. */
export interface ImageArchive {
	readonly archive: string;
	/** Full references, e.g. `localhost/ironstrap/ironic:29.0.5`; the first has the version. */
	readonly tags: readonly string[];
	readonly hit: boolean;
}

/** The last of the lines that `ironstrap images build --json` prints. */
interface BuildResult {
	readonly type: "result";
	readonly images: readonly {
		readonly name: string;
		readonly key: string;
		readonly archive: string;
		readonly tags: readonly string[];
		readonly cached: boolean;
	}[];
}

/** Debian releases from which the lab takes servers that a site had before. */
export type FormerSuite = "bullseye" | "bookworm";

/**
 * The stack's image, built by the product itself, as a user without a registry would; its cache is in the lab's. With
 * a `suite` that of an earlier release.
 */
export async function imageArchive(
	name: "ironic" | "mariadb",
	options: CacheOptions = {},
	suite?: FormerSuite,
): Promise<ImageArchive> {
	const started = performance.now();
	const folder = join(options.root ?? cacheRoot(), suite === undefined ? "images" : `images-${suite}`);
	const report = options.report ?? ((line: string) => void process.stderr.write(`${line}\n`));
	const launcher = fileURLToPath(new URL("../../bin/ironstrap.js", import.meta.url));
	const words = ["images", "build", name, "--json", "--no-load", "--cache-dir", folder];
	if (suite !== undefined) words.push("--suite", suite);
	const result = await execa(process.execPath, [launcher, ...words], {
		reject: false,
		stdin: "ignore",
		stderr: ["pipe", "inherit"],
		...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
	});
	options.signal?.throwIfAborted();
	if (result.failed)
		throw new IronstrapError({
			code: "lab-image-failed",
			message: `the container image ${name} was not built`,
			seen: `${result.stdout}\n${result.stderr}`.trim(),
			fix: `Run it by hand: ironstrap ${words.join(" ")}`,
		});
	const [image] = (JSON.parse(result.stdout.trim().split("\n").at(-1) ?? "") as BuildResult).images;
	if (image === undefined) throw new TypeError(`no image in ${result.stdout}`);
	const seconds = ((performance.now() - started) / 1000).toFixed(1);
	report(`cache ${image.cached ? "hit" : "miss"} ${name}-image ${image.key.slice(0, 16)} ${seconds}`);
	await keepNewestTwo(folder, name, image.archive);
	return { archive: image.archive, tags: image.tags, hit: image.cached };
}

/** The product keeps everything until it is told to prune; a machine that builds every day must not fill up. */
async function keepNewestTwo(folder: string, name: string, current: string): Promise<void> {
	const archives = (await readdir(folder)).filter(
		(file) => file.startsWith(`${name}-`) && file.endsWith(".tar"),
	);
	const dated = await Promise.all(
		archives
			.map((file) => join(folder, file))
			.filter((path) => path !== current)
			.map(async (path) => ({ path, time: (await stat(path)).mtimeMs })),
	);
	for (const { path } of dated.sort((a, b) => b.time - a.time).slice(1)) {
		await rm(path.replace(/\.tar$/, ".json"), { force: true });
		await rm(path, { force: true });
	}
}
