import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { execa } from "execa";
import { IronstrapError } from "../lib/errors.ts";

/** What `systemctl show` says about one unit. */
export interface UnitState {
	readonly unit: string;
	/** `not-found` where there is no such unit. */
	readonly load: string;
	readonly active: string;
	/** Why it ended, e.g. `exit-code` or `start-limit-hit`. */
	readonly result: string;
	/** Milliseconds since 1970 at which it became active; 0 if it never was. */
	readonly activeSince: number;
}

/** A file that systemd or Quadlet would read. */
export interface UnitSource {
	readonly path: string;
	readonly content: string;
}

export interface UnitComplaint {
	/** The name of the file that it is about. */
	readonly file: string | undefined;
	/** The program's own words. */
	readonly message: string;
}

const generator = "/usr/lib/systemd/system-generators/podman-system-generator";

/** The first line of `systemctl --version`. Errors: `systemd-missing`. */
export async function systemdVersion(signal: AbortSignal): Promise<string> {
	const found = await run("systemctl", ["--version"], signal);
	if (found.exitCode !== 0)
		throw new IronstrapError({
			code: "systemd-missing",
			message: "this machine has no systemd",
			seen: found.stderr || undefined,
			fix: "`ironstrap up` runs the stack without it",
		});
	return found.stdout.split("\n")[0] ?? "";
}

/** Errors: `systemd-missing` where another program is the machine's first process. */
export function requireSystemd(): void {
	if (runsSystemd()) return;
	throw new IronstrapError({
		code: "systemd-missing",
		message: "this machine is not run by systemd",
		seen: "/run/systemd/system is not there",
		fix: "`ironstrap up` runs the stack without it",
	});
}

/** https://www.freedesktop.org/software/systemd/man/latest/sd_booted.html */
export function runsSystemd(): boolean {
	return existsSync("/run/systemd/system");
}

/** Does one thing with units, and waits until it is done. Errors: `systemctl-failed`. */
export async function systemctl(args: readonly string[], signal: AbortSignal): Promise<void> {
	const { exitCode, stderr } = await run("systemctl", args, signal);
	if (exitCode === 0) return;
	throw new IronstrapError({
		code: "systemctl-failed",
		message: `systemd could not do \`systemctl ${args[0]}\``,
		seen: stderr.trim() || `exit code ${exitCode}`,
		fix: "see `systemctl status` and `journalctl -xe`, correct the cause, then run this again",
	});
}

/** In the order of the names. */
export async function unitStates(
	units: readonly string[],
	signal: AbortSignal,
): Promise<readonly UnitState[]> {
	const properties = "Id,LoadState,ActiveState,Result,ActiveEnterTimestampMonotonic";
	const args = ["show", `--property=${properties}`, "--", ...units];
	const { stdout } = await run("systemctl", args, signal);
	const machineStart = Date.now() - Number(process.hrtime.bigint() / 1_000_000n);
	return stdout
		.trim()
		.split("\n\n")
		.map((block) => {
			const value = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(block)?.[1] ?? "";
			const since = Number(value("ActiveEnterTimestampMonotonic")) / 1000;
			return {
				unit: value("Id"),
				load: value("LoadState"),
				active: value("ActiveState"),
				result: value("Result"),
				activeSince: since === 0 ? 0 : machineStart + since,
			};
		});
}

export async function isEnabled(unit: string, signal: AbortSignal): Promise<boolean> {
	return (await run("systemctl", ["is-enabled", "--quiet", unit], signal)).exitCode === 0;
}

/** The last lines that a unit left in the journal. */
export async function journalTail(unit: string, lines: number, signal: AbortSignal): Promise<string> {
	const args = ["--unit", unit, "--lines", String(lines), "--output", "cat", "--no-pager"];
	return (await run("journalctl", args, signal)).stdout.trim();
}

/**
 * What the Quadlet generator and `systemd-analyze verify` have to say against units, looked at in a folder of their own:
 * nothing of the machine changes. Quadlet itself says it to the machine's log alone, and leaves the unit out.
 */
export async function complaintsAbout(
	files: { readonly quadlet: readonly UnitSource[]; readonly units: readonly UnitSource[] },
	signal: AbortSignal,
): Promise<readonly UnitComplaint[]> {
	const folder = await mkdtemp(join(tmpdir(), "ironstrap-units-"));
	try {
		const [sources, units] = [join(folder, "quadlet"), join(folder, "units")];
		for (const directory of [sources, units]) await mkdir(directory);
		for (const { content, path } of files.quadlet) await writeFile(join(sources, basename(path)), content);
		for (const { content, path } of files.units) await writeFile(join(units, basename(path)), content);
		const made = await generated(files.quadlet, sources, signal);
		for (const { content, path } of made.units) await writeFile(join(units, path), content);
		if (made.complaints.length > 0) return made.complaints;
		return await verify(
			[...files.units.map(({ path }) => basename(path)), ...made.units.map(({ path }) => path)],
			units,
			signal,
		);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** What the generator would make at the next start of the machine, of the files that are installed. */
export async function generatedServices(signal: AbortSignal): Promise<readonly string[]> {
	const { stdout } = await run(generator, ["--dryrun"], signal);
	return splitDryRun(stdout).map(({ path }) => path);
}

async function generated(files: readonly UnitSource[], directory: string, signal: AbortSignal) {
	if (files.length === 0) return { units: [], complaints: [] };
	const { stderr, stdout } = await run(generator, ["--dryrun"], signal, { QUADLET_UNIT_DIRS: directory });
	const units = splitDryRun(stdout);
	const names = files.map(({ path }) => basename(path));
	const complaints = stderr
		.split("\n")
		.filter((line) => /\b(?:converting|error|unsupported|invalid|warning)\b/i.test(line))
		.map((message) => ({ file: names.find((name) => message.includes(name)), message: message.trim() }));
	const made = new Set(units.map(({ path }) => path));
	const missing = names.filter((name) => !made.has(name.replace(/\.container$/, ".service")));
	const silent = missing
		.filter((name) => !complaints.some(({ file }) => file === name))
		.map((file) => ({ file, message: `the generator made no unit of it; it said: ${stderr.trim()}` }));
	return { units, complaints: [...complaints, ...silent] };
}

/** `---NAME.service---` and then its text, for each unit. */
function splitDryRun(text: string): readonly UnitSource[] {
	const parts = text.split(/^---(.+\.service)---$/m).slice(1);
	return parts.flatMap((part, index) =>
		index % 2 === 0 ? [{ path: part, content: (parts[index + 1] ?? "").trimStart() }] : [],
	);
}

async function verify(
	units: readonly string[],
	directory: string,
	signal: AbortSignal,
): Promise<readonly UnitComplaint[]> {
	const args = ["verify", "--man=no", ...units.map((unit) => join(directory, unit))];
	// the colon keeps the machine's own units known
	const { stderr } = await run("systemd-analyze", args, signal, { SYSTEMD_UNIT_PATH: `${directory}:` });
	return stderr.split("\n").flatMap((line) => {
		const file = units.find((unit) => line.includes(unit));
		return file === undefined ? [] : [{ file, message: line.trim() }];
	});
}

async function run(
	program: string,
	args: readonly string[],
	signal: AbortSignal,
	env: Readonly<Record<string, string>> = {},
): Promise<{ readonly exitCode: number | undefined; readonly stdout: string; readonly stderr: string }> {
	signal.throwIfAborted();
	const { exitCode, stderr, stdout } = await execa(program, args, {
		reject: false,
		stdin: "ignore",
		cancelSignal: signal,
		env: { LC_ALL: "C", SYSTEMD_COLORS: "0", SYSTEMD_PAGER: "", ...env },
	});
	signal.throwIfAborted();
	return { exitCode, stdout, stderr };
}
