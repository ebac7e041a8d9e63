import { readdirSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { join, relative } from "node:path";
import { PODMAN_SOCKET } from "../podman.ts";
import type { Sandbox } from "../sandbox.ts";

/**
 * All that a site is on a machine, in a form in which two runs can be compared: one line a thing, sorted. What differs
 * between any two runs (times, process ids, random secrets, UUIDs) has a name in its place.
 */
export interface World {
	/** `container ironstrap-metal3-ironic-1 running`; without hashes, because they are keyed with a random secret. */
	readonly engine: readonly string[];
	/** The config hashes of all of them, comparable while the site's secrets are the same. */
	readonly hashes: readonly string[];
	/** Mode, owner, path and content of everything in the state and run directories. */
	readonly files: readonly string[];
}

export interface Secrets {
	readonly [name: string]: string;
}

const roots = ["/var/lib/ironstrap", "/run/ironstrap"];
const hashLabel = "io.ironstrap.config-hash";

export async function lookAtWorld(sandbox: Sandbox, site: string): Promise<World> {
	const project = `label=com.docker.compose.project=ironstrap-${site}`;
	const [containers, networks, volumes] = await Promise.all([
		list(sandbox, "/containers/json?all=true", project),
		list(sandbox, "/networks", project),
		list(sandbox, "/volumes", project),
	]);
	const things = [
		...containers.map(({ Labels, Names, State }) => ({
			name: `container ${String(Names?.[0]).replace(/^\//, "")} ${State}`,
			hash: Labels?.[hashLabel],
		})),
		...networks.map(({ Labels, Name }) => ({ name: `network ${Name}`, hash: Labels?.[hashLabel] })),
		...volumes.map(({ Labels, Name }) => ({ name: `volume ${Name}`, hash: Labels?.[hashLabel] })),
	];
	const secrets = secretsOf(sandbox, site);
	return {
		engine: things.map(({ name }) => name).sort(),
		hashes: things.map(({ hash, name }) => `${name} ${hash}`).sort(),
		files: roots.flatMap((root) => filesBelow(sandbox, root, secrets)).sort(),
	};
}

/** The site's own secrets as they are stored; none if there is no such site. */
export function secretsOf(sandbox: Sandbox, site: string): Secrets {
	const directory = sandbox.path(`/var/lib/ironstrap/${site}/secrets`);
	try {
		const files = readdirSync(directory).filter((file) => file.endsWith(".json"));
		return Object.fromEntries(
			files.map((file) => [
				file.slice(0, -".json".length),
				(JSON.parse(readFileSync(join(directory, file), "utf8")) as { value: string }).value,
			]),
		);
	} catch {
		return {};
	}
}

/**
 * What is in one but not in the other, with a sign before it; empty when they are the same. Of two long lines about the
 * same thing only the surroundings of the first difference.
 */
export function difference(wanted: readonly string[], found: readonly string[]): readonly string[] {
	const missing = wanted.filter((line) => !found.includes(line));
	const added = found.filter((line) => !wanted.includes(line));
	const partner = (line: string, others: readonly string[]) =>
		others.find((other) => thingOf(other) === thingOf(line)) ?? "";
	return [
		...missing.map((line) => `- ${excerpt(line, partner(line, added))}`),
		...added.map((line) => `+ ${excerpt(line, partner(line, missing))}`),
	];
}

/** Kind, mode, owner and path of a file. */
function thingOf(line: string): string {
	return line.split(" ", 4).join(" ");
}

function excerpt(line: string, other: string): string {
	if (line.length < 200) return line;
	const at = [...line].findIndex((letter, index) => letter !== other[index]);
	return `${thingOf(line)} … ${line.slice(Math.max(0, at - 60), at + 60)} …`;
}

function filesBelow(sandbox: Sandbox, root: string, secrets: Secrets): readonly string[] {
	const outside = sandbox.path(root);
	const walk = (directory: string): string[] => {
		return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
			const path = join(directory, entry.name);
			const { gid, mode, uid } = statSync(path);
			const kind = entry.isDirectory() ? "d" : entry.isFile() ? "f" : entry.isSocket() ? "s" : "?";
			const line = `${kind} ${(mode & 0o7777).toString(8)} ${uid}:${gid} ${root}/${relative(outside, path)}`;
			if (kind === "d") return [line, ...walk(path)];
			return kind === "f" ? [`${line} ${contentOf(path, secrets)}`] : [line];
		});
	};
	try {
		return walk(outside);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
		throw error;
	}
}

/** JSON text of the content; of a journal and a lock only whether it is whole, of a process id that it is one. */
function contentOf(path: string, secrets: Secrets): string {
	const text = readFileSync(path, "utf8");
	if (path.endsWith(".lock")) return /^ironstrap .*\n$/.test(text) ? "(a lock)" : JSON.stringify(text);
	if (path.endsWith(".pid")) return "(a process id)";
	if (path.endsWith("/journal.jsonl")) return wholeJournal(text);
	return JSON.stringify(withoutChance(text, secrets));
}

function wholeJournal(text: string): string {
	const lines = text.split("\n");
	if (lines.pop() !== "") return "(a journal whose last line is cut off)";
	const gap = lines.findIndex((line, index) => (JSON.parse(line) as { seq: number }).seq !== index + 1);
	return gap < 0 ? "(a journal)" : `(a journal with a gap at line ${gap + 1})`;
}

/** Puts names in the place of what is made by chance or from the clock. */
export function withoutChance(text: string, secrets: Secrets): string {
	const known = Object.entries(secrets)
		.filter(([, value]) => value.length > 12)
		.sort(([, a], [, b]) => b.length - a.length);
	let result = text;
	for (const [name, value] of known)
		for (const form of [value, JSON.stringify(value).slice(1, -1), value.trim()])
			result = result.replaceAll(form, `<${name}>`);
	return (
		result
			.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g, "<time>")
			// udev has two names for one disk, and a ramdisk reports the one that it saw first
			.replaceAll("/by-path/virtio-pci-", "/by-path/pci-")
			// an engine leaves its chains behind, and the next life of a stack finds them
			.replaceAll(/"chains": \[[^\]]*\]/g, '"chains": "<the engine\'s>"')
			// a keyed hash over the BMC's access, of which key and password are made by chance
			.replaceAll(/"access": "[0-9a-f]{64}"/g, '"access": "<hash>"')
			.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>")
	);
}

interface Listed {
	readonly Name?: string;
	readonly Names?: readonly string[];
	readonly State?: string;
	readonly Labels?: Readonly<Record<string, string>> | null;
}

function list(sandbox: Sandbox, path: string, filter: string): Promise<readonly Listed[]> {
	const [key, value] = [filter.slice(0, filter.indexOf("=")), filter.slice(filter.indexOf("=") + 1)];
	const query = `filters=${encodeURIComponent(JSON.stringify({ [key]: [value] }))}`;
	const url = `/v1.41${path}${path.includes("?") ? "&" : "?"}${query}`;
	return new Promise((resolve, reject) => {
		const asked = request(
			{ socketPath: sandbox.path(PODMAN_SOCKET), path: url, agent: false },
			(response) => {
				let text = "";
				response.setEncoding("utf8").on("data", (chunk: string) => {
					text += chunk;
				});
				response.on("end", () => {
					if (response.statusCode !== 200) return reject(new Error(`${url}: ${response.statusCode} ${text}`));
					const answer = JSON.parse(text) as
						| readonly Listed[]
						| { readonly Volumes: readonly Listed[] | null };
					resolve("Volumes" in answer ? (answer.Volumes ?? []) : answer);
				});
			},
		);
		asked.on("error", reject);
		asked.end();
	});
}
