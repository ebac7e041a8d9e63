import { pathToFileURL } from "node:url";
import { faultsOf } from "../src/lib/errors.ts";
import { type CacheOptions, cacheRoot } from "./cache.ts";
import { type ClusterPrograms, clusterPrograms } from "./cluster/build.ts";
import { imageStore } from "./image-store.ts";
import { type ImageArchive, imageArchive } from "./images.ts";
import { keepalivedTree } from "./keepalived.ts";
import { type OsImage, osImage } from "./os/build.ts";
import { type Ramdisk, ramdisk } from "./ramdisk/build.ts";
import { registryProgram } from "./registry.ts";
import { rootTree } from "./roots/build.ts";
import { dockerStore } from "./roots/docker.ts";

/** Everything that is built from Debian packages and takes long. */
export interface Artefacts {
	"ironic-image": ImageArchive;
	"mariadb-image": ImageArchive;
	"image-store": { readonly folder: string };
	/** What the tests of npm test use of the lab roots. */
	"docker-store-trixie": { readonly folder: string };
	"root-forky": { readonly folder: string };
	ramdisk: Ramdisk;
	os: OsImage;
	cluster: ClusterPrograms;
	registry: { readonly program: string };
	keepalived: { readonly folder: string };
}

export type ArtefactName = keyof Artefacts;

const makers: { readonly [Name in ArtefactName]: (options: CacheOptions) => Promise<Artefacts[Name]> } = {
	"ironic-image": (options) => imageArchive("ironic", options),
	"mariadb-image": (options) => imageArchive("mariadb", options),
	"image-store": async (options) => ({ folder: await imageStore(options) }),
	"docker-store-trixie": async (options) => ({ folder: await dockerStore("trixie", options) }),
	"root-forky": async (options) => ({ folder: await rootTree("forky", options) }),
	ramdisk,
	os: osImage,
	cluster: clusterPrograms,
	registry: async (options) => ({ program: await registryProgram(options) }),
	keepalived: async (options) => ({ folder: await keepalivedTree(options) }),
};

/** All names, in the order in which they are built. */
export const artefactNames = Object.keys(makers) as readonly ArtefactName[];

/** The named artefacts, from the cache or built now, one after the other: a build uses the whole machine. */
export async function artefacts<Name extends ArtefactName>(
	names: readonly Name[],
	options: CacheOptions = {},
): Promise<Pick<Artefacts, Name>> {
	const made: Partial<Artefacts> = {};
	for (const name of names) made[name] = await makers[name](options);
	return made as Pick<Artefacts, Name>;
}

/** `node dist/lab/artefacts.js [NAME…]`: prints the paths as JSON on standard output, hits and misses on standard error. */
async function main(words: readonly string[]): Promise<void> {
	const unknown = words.filter((word) => !(artefactNames as readonly string[]).includes(word));
	if (unknown.length > 0) {
		process.stderr.write(`unknown: ${unknown.join(", ")}; there are ${artefactNames.join(", ")}\n`);
		process.exitCode = 2;
		return;
	}
	const stop = new AbortController();
	for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
	try {
		const names = words.length === 0 ? artefactNames : (words as readonly ArtefactName[]);
		const made = await artefacts(names, { root: cacheRoot(), signal: stop.signal });
		process.stdout.write(`${JSON.stringify(made, null, "\t")}\n`);
	} catch (error) {
		for (const { message, seen, fix } of faultsOf(error))
			process.stderr.write(`${[message, seen, fix].filter((part) => part !== undefined).join("\n")}\n`);
		process.exitCode = 1;
	}
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
	void main(process.argv.slice(2));
