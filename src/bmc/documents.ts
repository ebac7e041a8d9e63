import { type Json, linkIn, linksIn, objectIn } from "./json.ts";

/** A resource and where it was read. */
export interface Resource {
	readonly path: string;
	readonly body: Json;
}

export interface SystemDocuments extends Resource {
	readonly nics: readonly Resource[];
	readonly media: readonly Resource[];
}

export interface ManagerDocuments extends Resource {
	readonly media: readonly Resource[];
	/** Paths of the systems it manages, as far as it says. */
	readonly manages: readonly string[];
}

/** What is read of a Redfish service. */
export interface RedfishDocuments {
	readonly root: Json;
	readonly systems: readonly SystemDocuments[];
	readonly managers: readonly ManagerDocuments[];
}

/** Reads one resource; `undefined` if it is not there or cannot be read. */
export type ReadResource = (path: string) => Promise<Json | undefined>;

/** Enough for a chassis full of blades; an endless collection ends here. */
const MOST_MEMBERS = 64;

/** Walks from the service root to everything that the probe looks at; follows links only, never guesses a path. */
export async function readDocuments(root: Json, read: ReadResource): Promise<RedfishDocuments> {
	const [systemPaths, managerPaths] = await Promise.all([
		members(linkIn(root.Systems), read),
		members(linkIn(root.Managers), read),
	]);
	const [systems, managers] = await Promise.all([
		each(systemPaths, read, async (resource) => ({
			...resource,
			nics: await collection(linkIn(resource.body.EthernetInterfaces), read),
			media: await collection(linkIn(resource.body.VirtualMedia), read),
		})),
		each(managerPaths, read, async (resource) => ({
			...resource,
			media: await collection(linkIn(resource.body.VirtualMedia), read),
			manages: linksIn(objectIn(resource.body.Links).ManagerForServers),
		})),
	]);
	return { root, systems, managers };
}

async function members(path: string | undefined, read: ReadResource): Promise<readonly string[]> {
	if (path === undefined) return [];
	const paths: string[] = [];
	const seen = new Set<string>();
	let next: string | undefined = path;
	while (next !== undefined && !seen.has(next) && paths.length < MOST_MEMBERS) {
		seen.add(next);
		const body: Json | undefined = await read(next);
		paths.push(...linksIn(body?.Members));
		const more: unknown = body?.["Members@odata.nextLink"];
		next = typeof more === "string" && more.startsWith("/") ? more : linkIn(more);
	}
	return paths.slice(0, MOST_MEMBERS);
}

function collection(path: string | undefined, read: ReadResource): Promise<readonly Resource[]> {
	return members(path, read).then((paths) => each(paths, read, (resource) => Promise.resolve(resource)));
}

async function each<T>(
	paths: readonly string[],
	read: ReadResource,
	complete: (resource: Resource) => Promise<T>,
): Promise<readonly T[]> {
	const found = await Promise.all(
		paths.map(async (path) => {
			const body = await read(path);
			return body === undefined ? [] : [await complete({ path, body })];
		}),
	);
	return found.flat();
}
