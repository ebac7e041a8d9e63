import { createReadStream } from "node:fs";
import { join } from "node:path";
import { readAsset } from "../../assets/assets.ts";
import { connectEngine } from "../../engine/connect.ts";
import { buildImage } from "../../images/build.ts";
import { type ImageName, imageNames, loadDefinition } from "../../images/definition.ts";
import { IronstrapError } from "../../lib/errors.ts";
import { defaultRoots } from "../../state/layout.ts";
import type { CommonOptions } from "../command.ts";
import { runCommand } from "../run.ts";

export interface BuildFlags extends CommonOptions {
	readonly cacheDir?: string;
	readonly mirror?: string;
	readonly suite?: string;
	readonly cache: boolean;
	readonly load: boolean;
}

export function runImagesBuild(names: readonly string[], flags: BuildFlags): Promise<number> {
	return runCommand(flags.json, async ({ report, signal }) => {
		const wanted = names.length === 0 ? imageNames : names.map(imageName);
		// before minutes of building: without an engine there is nothing to load into
		const engine = flags.load
			? await connectEngine({ kind: "auto", environment: process.env }, signal)
			: undefined;
		const built = [];
		for (const name of wanted) {
			const image = await buildImage(loadDefinition(name, readAsset), {
				outDir: flags.cacheDir ?? join(defaultRoots.cache, "images"),
				mirror: flags.mirror,
				suite: flags.suite,
				noCache: !flags.cache,
				signal,
				onProgress: (text) => report.emit({ type: "note", level: "info", message: text }),
			});
			if (engine !== undefined) await engine.loadImages(createReadStream(image.archive), signal);
			built.push(image);
		}
		const done = flags.load ? "loaded" : "written";
		report.result(
			{ images: built },
			built
				.map(
					({ archive, cached, tags }) =>
						`${tags[0]} ${cached ? "was built before, " : ""}${done} (${archive})`,
				)
				.join("\n"),
		);
		return undefined;
	});
}

function imageName(name: string): ImageName {
	const found = imageNames.find((known) => known === name);
	if (found !== undefined) return found;
	throw new IronstrapError({
		code: "usage",
		message: `there is no image called ${name}`,
		fix: `name one of ${imageNames.join(", ")}, or none for all`,
	});
}
