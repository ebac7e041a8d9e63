import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sandbox } from "../sandbox.ts";
import { secretsOf } from "./world.ts";

/** Secrets by what they are. Their values are ASCII, and unlike anything else on the machine. */
export type Canaries = Readonly<Record<string, string>>;

export interface Found {
	/** `NAME in PLACE`, each once, sorted. */
	readonly hits: readonly string[];
	/** Processes, documents, logs, outputs and files that were looked at. */
	readonly places: number;
}

export interface CanaryWatch {
	/** What a command printed: a place, too. */
	printed(what: string, text: string): void;
	/** Searches the machine as it is now, and adds what was seen of the processes since the watch began. */
	search(canaries: Canaries): Promise<Found>;
	stop(): void;
}

/** Where secrets belong, as long as nobody else can read them there. */
const STORES = [
	/^\/var\/lib\/ironstrap\/[^/]+\/secrets\/[^/]+\.json$/,
	/^\/run\/ironstrap\/[^/]+\//,
	// MariaDB's own files: Ironic stores what it needs for the BMCs in its database
	/^\/var\/lib\/containers\/storage\/volumes\/ironstrap-[^/]+_mariadb-data\//,
];

/** Everything that the product, its containers and the engine write. */
const ROOTS = [
	"/var/lib/ironstrap",
	"/run/ironstrap",
	"/var/cache/ironstrap",
	"/var/lib/containers",
	"/run/containers",
	"/etc/containers",
	"/var/log",
];

const samplePauseMs = 100;

/**
 * Reads, several times a second, the arguments and the environment of every process in the sandbox, and searches on
 * request all that was written: files, the engine's descriptions of its objects, its containers' logs.
 */
export function watchForCanaries(sandbox: Sandbox): CanaryWatch {
	const processes = new Map<string, string>();
	const outputs: (readonly [what: string, text: string])[] = [];
	const sampling = setInterval(() => sampleProcesses(sandbox, processes), samplePauseMs);
	sampling.unref();
	return {
		printed: (what, text) => outputs.push([what, text]),
		async search(canaries) {
			const texts = [...processes, ...outputs, ...(await engineTexts(sandbox))];
			const spoken = texts.flatMap(([place, text]) =>
				namesIn(text, canaries).map((name) => `${name} in ${place}`),
			);
			const files = ROOTS.flatMap((root) => filesBelow(sandbox, root));
			const written = files.flatMap((path) => hitsInFile(sandbox, path, canaries));
			return {
				hits: [...new Set([...spoken, ...written])].sort(),
				places: texts.length + files.length,
			};
		},
		stop: () => clearInterval(sampling),
	};
}

/** What ironstrap made for a site itself, of which nobody may know anything. */
export function storedCanaries(sandbox: Sandbox, site: string): Canaries {
	const stored = secretsOf(sandbox, site);
	const text = (name: string) => stored[name] ?? "";
	return {
		"API password": text("api-password"),
		"API password's hash": text("api-htpasswd").split(":").at(-1) ?? "",
		"database password": text("database-password"),
		"hash key": text("hash-key"),
		"CA's key": secondLine(text("ca-key")),
		"TLS key": secondLine(text("tls-key")),
	};
}

/** Of a PEM text: the first one that is its own. */
function secondLine(pem: string): string {
	return pem.split("\n")[1] ?? "";
}

/** A process is its command line; both texts of it are kept, because it may be gone a moment later. */
function sampleProcesses(sandbox: Sandbox, seen: Map<string, string>): void {
	for (const pid of readdirSync(sandbox.path("/proc")).filter((name) => /^\d+$/.test(name)))
		for (const kind of ["cmdline", "environ"]) {
			const text = readIfThere(sandbox.path(`/proc/${pid}/${kind}`));
			if (text !== undefined && text !== "") seen.set(`${kind} of process ${pid}`, `${text}\n`);
		}
}

async function engineTexts(sandbox: Sandbox): Promise<readonly (readonly [string, string])[]> {
	const podman = (...words: string[]) => sandbox.run("podman", words);
	const lines = async (...words: string[]) =>
		(await podman(...words)).stdout.split("\n").filter((line) => line !== "");
	const told = async (place: string, ...words: string[]) => {
		const { stderr, stdout } = await podman(...words);
		return [place, `${stdout}\n${stderr}`] as const;
	};
	const containers = await lines("ps", "--all", "--format", "{{.Names}}");
	const things = [
		...containers.map((name) => ["container", name] as const),
		...(await lines("network", "ls", "--format", "{{.Name}}")).map((name) => ["network", name] as const),
		...(await lines("volume", "ls", "--format", "{{.Name}}")).map((name) => ["volume", name] as const),
	];
	const described = things.map(([kind, name]) => told(`description of ${name}`, kind, "inspect", name));
	const logged = containers.map((name) => told(`log of ${name}`, "logs", name));
	return Promise.all([...described, ...logged]);
}

function filesBelow(sandbox: Sandbox, root: string): readonly string[] {
	const walk = (directory: string): string[] =>
		entriesOf(sandbox.path(directory)).flatMap((entry) => {
			const path = join(directory, entry.name);
			if (entry.isDirectory()) return walk(path);
			return entry.isFile() ? [path] : [];
		});
	return walk(root);
}

function entriesOf(directory: string) {
	try {
		return readdirSync(directory, { withFileTypes: true });
	} catch {
		return []; // gone meanwhile, or not there at all
	}
}

function hitsInFile(sandbox: Sandbox, path: string, canaries: Canaries): readonly string[] {
	const kept = STORES.some((store) => store.test(path));
	if (kept && !isOpenToOthers(sandbox, path)) return [];
	const names = namesIn(readIfThere(sandbox.path(path)) ?? "", canaries);
	return names.map((name) => `${name} in ${path}${kept ? ", which others can read" : ""}`);
}

/** Whether somebody who is neither owner nor of the group gets to the file and may read it. */
function isOpenToOthers(sandbox: Sandbox, path: string): boolean {
	const mode = (name: string) => lstatSync(sandbox.path(name), { throwIfNoEntry: false })?.mode ?? 0;
	if ((mode(path) & 0o004) === 0) return false;
	for (let folder = dirname(path); folder !== "/"; folder = dirname(folder))
		if ((mode(folder) & 0o001) === 0) return false;
	return true;
}

/** Secrets are found as they are, in JSON, and in base64, as Basic authentication and Kubernetes write them. */
function namesIn(text: string, canaries: Canaries): readonly string[] {
	return Object.entries(canaries)
		.filter(([, value]) => spellings(value).some((spelling) => text.includes(spelling)))
		.map(([name]) => name);
}

function spellings(value: string): readonly string[] {
	// in the middle of a longer text, base64 depends on where in a group of three bytes the value begins
	const encoded = [0, 1, 2].map((offset) =>
		Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
			.toString("base64")
			.replace(/=+$/, "")
			.slice(offset === 0 ? 0 : 4, -1),
	);
	return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), ...encoded];
}

/** As Latin-1: every byte is a letter, so that a secret is found in any file. */
function readIfThere(path: string): string | undefined {
	try {
		return readFileSync(path, "latin1");
	} catch {
		return undefined;
	}
}
