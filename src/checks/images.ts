import type { Engine, EngineImage } from "../engine/engine.ts";
import { IronstrapError } from "../lib/errors.ts";
import type { ImageLayout } from "../resources/image-layout.ts";
import { describe, type Site } from "../resources/site.ts";
import { type Check, faultsFound } from "./check.ts";

/** The engine has the images: ironstrap never pulls by itself. Codes: `image-missing`, `image-layout-unknown`. */
export function imagesThere(site: Site, engine: () => Promise<Engine>): Check {
	return {
		id: "images",
		why: "an image that is missing stops the stack half-way, and one of unknown layout cannot be configured",
		async look(signal) {
			const connected = await engine().catch(() => undefined);
			if (connected === undefined) return []; // the engine check says why
			const found = await Promise.all(
				rolesOf(site).map((role) =>
					faultsFound(() => findImage(site, connected, referenceOf(site, role), role, signal)),
				),
			);
			return found.flat();
		},
	};
}

/** The images that a site runs: named by it, or the default. Pure. */
export function imageReferences(site: Site): readonly string[] {
	return rolesOf(site).map((role) => referenceOf(site, role));
}

export interface StackImage {
	readonly reference: string;
	readonly id: string;
	readonly layout: ImageLayout;
}

export interface StackImages {
	readonly ironic: StackImage;
	/** Absent with SQLite. */
	readonly mariadb: StackImage | undefined;
}

/** The images that a site runs, as the engine has them. Errors: `image-missing`, `image-layout-unknown`. */
export async function findImages(site: Site, engine: Engine, signal: AbortSignal): Promise<StackImages> {
	const find = (role: keyof StackImages) => findImage(site, engine, referenceOf(site, role), role, signal);
	const [ironic, mariadb] = await Promise.all([
		find("ironic"),
		rolesOf(site).includes("mariadb") ? find("mariadb") : undefined,
	]);
	return { ironic, mariadb };
}

function rolesOf({ bootstrap }: Site): readonly (keyof StackImages)[] {
	return bootstrap.spec.database === "sqlite" ? ["ironic"] : ["ironic", "mariadb"];
}

function referenceOf({ bootstrap, ironic }: Site, role: keyof StackImages): string {
	const { images } = bootstrap.spec;
	return role === "ironic" ? (ironic.spec.images.ironic ?? images.ironic) : images.mariadb;
}

async function findImage(
	site: Site,
	engine: Engine,
	reference: string,
	role: keyof StackImages,
	signal: AbortSignal,
): Promise<StackImage> {
	const found = await engine.inspectImage(reference, signal);
	if (found === undefined)
		throw new IronstrapError({
			code: "image-missing",
			message: `the container engine has no image ${reference}`,
			...place(site, role),
			fix: `build it from Debian packages with \`ironstrap images build ${role}\`, or load an archive of it into the engine`,
		});
	return { reference, id: found.id, layout: layoutOf(site, found, reference, role) };
}

/** Our own images say so in a label; their uids are pinned when they are built (images/). */
function layoutOf(site: Site, image: EngineImage, reference: string, role: keyof StackImages): ImageLayout {
	if (image.labels["io.ironstrap.key"] !== undefined) {
		const id = role === "ironic" ? 902 : 901;
		return { kind: "debian", uid: id, gid: id };
	}
	// https://github.com/metal3-io/ironic-image: IRONIC_UID, IRONIC_GID
	if (role === "ironic" && /metal3-io\/ironic(:|@|$)/.test(reference))
		return { kind: "metal3", uid: 997, gid: 994 };
	throw new IronstrapError({
		code: "image-layout-unknown",
		message: `${reference} was built neither by ironstrap nor by metal3`,
		...place(site, role),
		fix: `use an image that \`ironstrap images build ${role}\` made`,
	});
}

function place(site: Site, role: keyof StackImages) {
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
