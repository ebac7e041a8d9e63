import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { IronstrapError } from "../errors.ts";
import {
	type AptSource,
	type DebianMirrors,
	debianMirrors,
	mirrorsFromUrl,
	parseDeb822Sources,
	parseOneLineSources,
} from "./apt-sources.ts";

/** One archive and suite that packages are taken from. */
export interface PackageSource {
	readonly uri: string;
	readonly suite: string;
	/** sha256 of the InRelease file, which changes with every change of the archive. */
	readonly digest: string;
	/** The Date field of InRelease, in seconds since 1970. */
	readonly date: number;
}

export interface FindSourcesOptions {
	readonly suite: string;
	/** `--mirror`: used instead of apt's own configuration. */
	readonly mirror?: string | undefined;
	readonly signal?: AbortSignal | undefined;
}

/**
 * The sources of a Debian release that can be reached now: the release itself (required), and its updates and
 * security updates where the mirror has them. Downloads go through apt's own helper, so that apt's proxy,
 * certificate and login settings hold.
 *
 * @throws IronstrapError `mirror-unknown`, `mirror-unreachable`
 */
export async function findSources({
	suite,
	mirror,
	signal,
}: FindSourcesOptions): Promise<readonly PackageSource[]> {
	const mirrors = mirror === undefined ? await configuredMirrors() : mirrorsFromUrl(mirror);
	const base = await inRelease(mirrors.base, suite, signal);
	if ("failure" in base) throw unreachable(mirrors.base, suite, base.failure, mirror !== undefined);
	const wanted = [{ uri: mirrors.base, suite: `${suite}-updates` }];
	if (mirrors.security !== undefined) wanted.push({ uri: mirrors.security, suite: `${suite}-security` });
	const extra = await Promise.all(wanted.map((source) => inRelease(source.uri, source.suite, signal)));
	return [base, ...extra.flatMap((source) => ("failure" in source ? [] : [source]))];
}

async function configuredMirrors(): Promise<DebianMirrors> {
	const sources = await readAptSources("/etc/apt");
	const mirrors = debianMirrors(sources);
	if (mirrors !== undefined) return mirrors;
	throw new IronstrapError({
		code: "mirror-unknown",
		message: "apt on this machine is not configured with a Debian mirror to build images from",
		seen:
			sources.length === 0
				? "no sources in /etc/apt"
				: sources.map(({ uri, suite }) => `${uri} ${suite}`).join("\n"),
		fix: "give one with --mirror URL, e.g. the address that ends in /debian on your site's mirror",
	});
}

/** All sources of an apt configuration directory, with `mirror+file:` lists replaced by their first entry. */
export async function readAptSources(directory: string): Promise<readonly AptSource[]> {
	const parts = (await readdir(join(directory, "sources.list.d")).catch(() => [])).sort();
	const files = ["sources.list", ...parts.map((part) => join("sources.list.d", part))];
	const parsed = await Promise.all(
		files.map(async (file) => {
			const text = await readFile(join(directory, file), "utf8").catch(() => "");
			if (file.endsWith(".sources")) return parseDeb822Sources(text);
			return file.endsWith(".list") ? parseOneLineSources(text) : [];
		}),
	);
	return Promise.all(parsed.flat().map(resolveMirrorList));
}

/** Debian's cloud images name a file with mirrors instead of a mirror (apt-transport-mirror(1)). */
async function resolveMirrorList(source: AptSource): Promise<AptSource> {
	const list = /^mirror\+file:(.+)$/.exec(source.uri)?.[1];
	if (list === undefined) return source;
	const text = await readFile(list.replace(/^\/\/(?=\/)/, ""), "utf8").catch(() => "");
	const first = text.split("\n").find((line) => /^[a-z+]+:/.test(line));
	return { ...source, uri: first?.split(/\s/)[0] ?? source.uri };
}

async function inRelease(
	uri: string,
	suite: string,
	signal: AbortSignal | undefined,
): Promise<PackageSource | { readonly failure: string }> {
	const directory = await mkdtemp(join(tmpdir(), "ironstrap-inrelease-"));
	try {
		const file = join(directory, "InRelease");
		const options = [
			"-o",
			"Acquire::Retries=1",
			"-o",
			"Acquire::http::Timeout=20",
			"-o",
			"Acquire::https::Timeout=20",
		];
		const url = `${uri}/dists/${suite}/InRelease`;
		const failure = await promisify(execFile)(aptHelper, [...options, "download-file", url, file], {
			signal,
		}).then(
			() => undefined,
			(error: { stderr?: string }) => errorLines(error.stderr ?? "") || String(error),
		);
		signal?.throwIfAborted();
		if (failure !== undefined) return { failure };
		const text = await readFile(file, "utf8");
		const date = Date.parse(/^Date: (.+)$/m.exec(text)?.[1] ?? "");
		if (Number.isNaN(date)) return { failure: `${url} is not a release file: ${text.slice(0, 80)}` };
		return { uri, suite, digest: createHash("sha256").update(text).digest("hex"), date: date / 1000 };
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
}

/** Downloads with all of apt's settings. */
export const aptHelper = "/usr/lib/apt/apt-helper";

const errorLines = (text: string): string =>
	text
		.split("\n")
		.filter((line) => line.startsWith("E: Failed"))
		.join("\n");

function unreachable(uri: string, suite: string, seen: string, explicit: boolean): IronstrapError {
	const other = explicit ? "check the URL given with --mirror" : "give another mirror with --mirror URL";
	return new IronstrapError({
		code: "mirror-unreachable",
		message: `the package archive ${uri} does not serve the release ${suite}`,
		seen,
		fix: `${other}, or apt's proxy settings (apt-config dump Acquire); without a network, build the images on a machine that has one and copy the archives`,
	});
}
