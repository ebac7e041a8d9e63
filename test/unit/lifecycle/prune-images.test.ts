import test from "ava";
import type { EngineImage } from "../../../src/engine/engine.ts";
import type { StoredArchive } from "../../../src/images/stored-archives.ts";
import { type Stock, unusedOf } from "../../../src/lifecycle/prune-images.ts";

const image = (
	id: string,
	tags: readonly string[] = [],
	labels = { "io.ironstrap.key": id },
): EngineImage => ({
	...{ id: `sha256:${id}`, tags, labels },
	digests: [],
	sizeBytes: 1,
});

const archive = (name: string, imageId: string, built: number): StoredArchive => ({
	archive: `/cache/${name}-${imageId}.tar`,
	built,
	record: {
		...{ format: 1, name, version: "1", key: imageId, suite: "trixie", imageId: `sha256:${imageId}` },
		...{ tags: [], bytes: 1, sha256: "", packages: {} },
	},
});

const stock = (more: Partial<Stock>): Stock => ({
	...{ images: [], archives: [], inUse: new Set(), ...more },
});

test("only images that ironstrap built, that nothing uses, and that are not the latest", (t) => {
	const images = [
		image("latest", ["localhost/ironstrap/ironic:29.0.5", "localhost/ironstrap/ironic:latest"]),
		image("nameless"),
		image("older", ["localhost/ironstrap/ironic:29.0.4"]),
		image("container"),
		image("site", ["localhost/ironstrap/mariadb:11.8.2"]),
		image("renamed", ["localhost/ironstrap/ironic:29.0.3", "registry.example.org/ironic:prod"]),
		image("theirs", [], {} as never),
		image("impostor", ["localhost/ironstrap/ironic:mine"], {} as never),
	];
	const inUse = new Set(["sha256:container", "sha256:site"]);
	t.deepEqual(
		unusedOf(stock({ images, inUse })).images.map(({ id }) => id),
		["sha256:nameless", "sha256:older"],
	);
});

test("of the archives: the newest of each name stays, and what an image that stays was loaded from", (t) => {
	const archives = [
		archive("ironic", "a", 1),
		archive("ironic", "b", 2),
		archive("ironic", "c", 3),
		archive("mariadb", "d", 1),
	];
	const images = [image("a"), image("b")];
	const { archives: unused } = unusedOf(stock({ archives, images, inUse: new Set(["sha256:a"]) }));
	t.deepEqual(
		unused.map(({ archive: path }) => path),
		["/cache/ironic-b.tar"],
	);
});
