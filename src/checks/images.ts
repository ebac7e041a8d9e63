import type { Engine, EngineImage } from "../engine/engine.ts";
import { type ImageRole, type ImageSource, imageSource } from "../images/sources.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { ImageLayout } from "../resources/image-layout.ts";
import { describe, type Site } from "../resources/site.ts";
import { type Check, faultsFound } from "./check.ts";
import { probeImage } from "./image-probe.ts";

/** The engine has the images, or can pull them. Code: `image-missing`. */
export function imagesThere(site: Site, engine: () => Promise<Engine>): Check {
	return {
		id: "images",
		why: "an image that is missing stops the stack half-way, and one of unknown layout cannot be configured",
		async look(signal) {
			const connected = await engine().catch(() => undefined);
			if (connected === undefined) return []; // the engine check says why
			const bound = rolesOf(site).filter((role) => imageSource(site, role).pullable === undefined);
			const found = await Promise.all(
				bound.map((role) => faultsFound(() => present(site, connected, role, {}, signal))),
			);
			return found.flat();
		},
	};
}

/** What an applied site's images are called. */
export function imageReferences(site: Site): readonly string[] {
	return rolesOf(site).map((role) => imageSource(site, role).written);
}

export interface StackImage {
	readonly reference: string;
	readonly id: string;
	readonly layout: ImageLayout;
	/** Of Ironic or of the database server, e.g. `11.8.9`; `undefined` where the image does not tell. */
	readonly version: string | undefined;
}

export interface StackImages {
	readonly ironic: StackImage;
	/** Absent with SQLite. */
	readonly mariadb: StackImage | undefined;
}

/** Name that a site gives an image → the digest to which it was resolved when it was pulled. */
export type ImagePins = Readonly<Record<string, string>>;

export interface ImageMemory {
	readonly pins: ImagePins;
	/** Where is kept what was found in images. */
	readonly cacheDirectory: string;
}

/**
 * The images that a site runs, as the engine has them. Errors: `image-missing`, and of images that were not built by
 * ironstrap `image-probe-failed`, `image-incomplete`.
 */
export async function findImages(
	site: Site,
	engine: Engine,
	{ cacheDirectory, pins }: ImageMemory,
	signal: AbortSignal,
): Promise<StackImages> {
	const find = async (role: ImageRole): Promise<StackImage> => {
		const { image, reference } = await present(site, engine, role, pins, signal);
		const { id } = image;
		const built = builtLayout(image, role);
		if (built !== undefined)
			return { reference, id, layout: built, version: image.labels["org.opencontainers.image.version"] };
		const layout = await probeImage(engine, { reference, id }, role, cacheDirectory, signal);
		return { reference, id, layout, version: layout.kind === "probed" ? layout.version : undefined };
	};
	const [ironic, mariadb] = await Promise.all([
		find("ironic"),
		rolesOf(site).includes("mariadb") ? find("mariadb") : undefined,
	]);
	return { ironic, mariadb };
}

/** An image that the engine lacks, and from where it can have it. */
export interface MissingImage {
	/** As the site names it. */
	readonly written: string;
	/** To be pulled: the digest to which it was pinned, or the name. */
	readonly reference: string;
}

/** Those that can be pulled; the others are refused elsewhere. */
export async function missingImages(
	site: Site,
	engine: Engine,
	pins: ImagePins,
	signal: AbortSignal,
): Promise<readonly MissingImage[]> {
	const found = await Promise.all(
		rolesOf(site).map(async (role): Promise<readonly MissingImage[]> => {
			const source = imageSource(site, role);
			if (source.pullable === undefined) return [];
			if ((await firstPresent(engine, namesOf(source, pins), signal)) !== undefined) return [];
			return [{ written: source.written, reference: pins[source.written] ?? source.pullable }];
		}),
	);
	return found.flat();
}

export function rolesOf({ bootstrap }: Site): readonly ImageRole[] {
	return bootstrap.spec.database === "sqlite" ? ["ironic"] : ["ironic", "mariadb"];
}

/** Names by which the engine may have it; a pin alone, once there is one. */
function namesOf({ pullable, written }: ImageSource, pins: ImagePins): readonly string[] {
	const pinned = pins[written];
	if (pinned !== undefined) return [pinned];
	return pullable === undefined || pullable === written ? [written] : [written, pullable];
}

interface PresentImage {
	readonly reference: string;
	readonly image: EngineImage;
}

async function firstPresent(
	engine: Engine,
	names: readonly string[],
	signal: AbortSignal,
): Promise<PresentImage | undefined> {
	for (const reference of names) {
		const image = await engine.inspectImage(reference, signal);
		if (image !== undefined) return { reference, image };
	}
	return undefined;
}

async function present(
	site: Site,
	engine: Engine,
	role: ImageRole,
	pins: ImagePins,
	signal: AbortSignal,
): Promise<PresentImage> {
	const source = imageSource(site, role);
	const found = await firstPresent(engine, namesOf(source, pins), signal);
	if (found !== undefined) return found;
	throw new IronstrapError({
		code: "image-missing",
		message: `the container engine has no image ${source.written}`,
		...place(site, role),
		fix: howToGet(role),
	});
}

/** For whoever has no registry within reach. */
export function howToGet(role: ImageRole): string {
	return `build it from Debian packages with \`ironstrap images build ${role}\`, or load an archive of it into the engine (\`podman load\`, \`docker load\`)`;
}

/** Our own images say so in a label; their uids are pinned when they are built (images/). */
function builtLayout(image: EngineImage, role: ImageRole): ImageLayout | undefined {
	if (!image.labels["io.ironstrap.key"]) return undefined;
	const id = role === "ironic" ? 902 : 901;
	return { kind: "debian", uid: id, gid: id };
}

/** Where the site names the image of a role. */
export function place(site: Site, role: ImageRole) {
	const { name, namespace } = site.ironic.metadata;
	const ironic = { kind: "Ironic", namespace, name };
	const bootstrap = {
		kind: "Bootstrap",
		namespace: site.bootstrap.metadata.namespace,
		name: site.bootstrap.metadata.name,
	};
	const ours = site.ironic.spec.images.ironic !== undefined && role === "ironic";
	const owner = ours ? ironic : bootstrap;
	return { subject: describe(owner), where: site.locate(owner, ["spec", "images", role]) };
}
