import { createInterface } from "node:readline";
import { execa } from "execa";
import { IronstrapError } from "../lib/errors.ts";

/** One object of nftables' JSON output. */
type NftObject = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Does nft's work in the network namespace of this process. Errors: `nft-missing`, `nft-failed`. */
export async function applyRuleset(text: string, signal: AbortSignal): Promise<void> {
	await nft(["-f", "-"], { input: text, signal, what: "put up the fence" });
}

/** Whether this kernel and this nft take a ruleset; changes nothing. */
export async function checkRuleset(text: string, signal: AbortSignal): Promise<void> {
	await nft(["-c", "-f", "-"], { input: text, signal, what: "check the fence" });
}

/** A table of the family `inet`; `undefined` if there is none of that name. */
export async function listTable(
	table: string,
	signal: AbortSignal,
): Promise<readonly NftObject[] | undefined> {
	const { stderr, stdout } = await run("nft", ["-j", "list", "table", "inet", table], { signal });
	if (/No such file or directory/.test(stderr)) return undefined;
	return parse(stdout, stderr);
}

/** A set of such a table; `undefined` if there is none of that name. Nothing of the table itself is listed with it. */
export async function listSet(
	table: string,
	set: string,
	signal: AbortSignal,
): Promise<readonly NftObject[] | undefined> {
	const { stderr, stdout } = await run("nft", ["-j", "list", "set", "inet", table, set], { signal });
	if (/No such file or directory/.test(stderr)) return undefined;
	return parse(stdout, stderr);
}

/** Everybody's tables; none where they cannot be read. */
export async function listRuleset(signal: AbortSignal): Promise<readonly NftObject[]> {
	const result = await run("nft", ["-j", "list", "ruleset"], { signal }).catch((error: unknown) => {
		if (error instanceof IronstrapError && error.code === "nft-missing") return undefined;
		throw error;
	});
	return result?.exitCode === 0 ? parse(result.stdout, result.stderr) : [];
}

/**
 * How this kernel and this nft list a ruleset that they were just given: it is loaded into an empty network namespace
 * that ends with the command. Nothing else says reliably what "as rendered" looks like.
 */
export async function listAsRendered(
	text: string,
	table: string,
	signal: AbortSignal,
): Promise<readonly NftObject[]> {
	const script = 'nft -f - && exec nft -j list table inet "$1"';
	const args = ["--net", "--", "sh", "-c", script, "sh", table];
	const { stderr, stdout } = await run("unshare", args, { input: text, signal });
	return parse(stdout, stderr);
}

/**
 * Calls back on every change of any table, until the signal aborts. Returns once it listens; `ended` settles when it
 * no longer does, and rejects if that was not asked for.
 */
export function monitorRuleset(onChange: () => void, signal: AbortSignal): { readonly ended: Promise<void> } {
	// the death signal: a monitor that outlives its owner would wait for ever
	const child = execa("setpriv", ["--pdeathsig", "KILL", "nft", "monitor"], {
		...options,
		cancelSignal: signal,
		stdin: "ignore",
		buffer: false,
	});
	createInterface({ input: child.stdout }).on("line", onChange);
	return {
		ended: child.then(({ exitCode, stderr }) => {
			if (signal.aborted) return;
			throw failed("watch the fence", String(stderr ?? `nft monitor ended with ${exitCode}`));
		}),
	};
}

/** A table of ours that lives as long as somebody holds it. */
export interface HeldTable {
	/** What nft said against it; empty while all is well. */
	complaints(): string;
	/** Ends it. Settles once the table is gone. */
	release(): Promise<void>;
}

/**
 * Makes a table by nft's commands, one a line, the first of which must give it the flag `owner`: the kernel removes it with
 * the nft that made it, and that ends with this process, however that ends. Whether it is there is seen by listing it.
 */
export function holdTable(commands: readonly string[], signal: AbortSignal): HeldTable {
	const child = execa("setpriv", ["--pdeathsig", "KILL", "nft", "-i"], { ...options, cancelSignal: signal });
	let complaints = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		complaints += text;
	});
	// it may have ended already
	child.stdin.on("error", () => undefined);
	child.stdin.write(`${commands.join("\n")}\n`);
	return {
		complaints: () => complaints.trim(),
		async release() {
			child.stdin.end();
			child.kill();
			await child;
		},
	};
}

const options = {
	reject: false,
	extendEnv: true,
	// a user's path often lacks the directories of administration commands, and npm puts packages' commands before it
	env: { PATH: `/usr/sbin:/usr/bin:/sbin:/bin:${process.env.PATH ?? ""}`, LC_ALL: "C" },
} as const;

async function nft(
	args: readonly string[],
	{ input, signal, what }: { readonly input: string; readonly signal: AbortSignal; readonly what: string },
): Promise<void> {
	const { exitCode, stderr } = await run("nft", args, { input, signal });
	if (exitCode !== 0) throw failed(what, stderr);
}

async function run(
	program: string,
	args: readonly string[],
	{ input, signal }: { readonly input?: string; readonly signal: AbortSignal },
): Promise<{ readonly exitCode: number | undefined; readonly stdout: string; readonly stderr: string }> {
	signal.throwIfAborted();
	const result = await execa(program, args, { ...options, cancelSignal: signal, input: input ?? "" });
	signal.throwIfAborted();
	const missing = result.code === "ENOENT" || /\bnft: not found/.test(result.stderr);
	if (missing)
		throw new IronstrapError({
			code: "nft-missing",
			message: "the fence needs nftables, and this machine has no `nft` command",
			fix: "install it (`apt install nftables` or `dnf install nftables`), or do without a fence by setting Bootstrap.spec.fence.mode to none",
		});
	return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr };
}

/** Numbers that JavaScript cannot hold, such as an IPv6 address within a packet, come as strings. */
function parse(stdout: string, stderr: string): readonly NftObject[] {
	const text = stdout.replace(/([[,:]\s*)(\d{16,})(?=\s*[\],}])/g, '$1"$2"');
	try {
		return (JSON.parse(text) as { nftables: readonly NftObject[] }).nftables;
	} catch (error) {
		throw failed("read the fence", stderr, error);
	}
}

function failed(what: string, seen: string, cause?: unknown): IronstrapError {
	const isDenied = /Operation not permitted/.test(seen);
	return new IronstrapError({
		code: "nft-failed",
		message: `nftables could not ${what}`,
		seen: seen.trim().split("\n").slice(0, 6).join("\n"),
		fix: isDenied
			? "run as root"
			: "the kernel may lack a module of nftables (`modprobe nf_tables`); `ironstrap fence show` prints the ruleset",
		cause,
	});
}
