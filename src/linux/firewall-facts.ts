import { existsSync, readFileSync } from "node:fs";
import { execa } from "execa";
import { IronstrapError } from "../lib/errors.ts";
import { listRuleset } from "./nft.ts";

type NftObject = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** This machine's firewall managers and rules. A program that is missing, or that may not be asked, says nothing. */
export async function firewallFacts(
	provisioning: string,
	signal: AbortSignal,
): Promise<{
	readonly firewalld: { readonly zone: string; readonly ports: readonly string[] } | undefined;
	readonly ufw: readonly string[] | undefined;
	readonly ruleset: readonly NftObject[];
	readonly bridgeNetfilter: boolean;
}> {
	return {
		firewalld: await firewalld(provisioning, signal),
		ufw: await ufw(signal),
		ruleset: await listRuleset(signal),
		bridgeNetfilter:
			isOn("/proc/sys/net/bridge/bridge-nf-call-iptables") &&
			existsSync(`/sys/class/net/${provisioning}/bridge`),
	};
}

async function firewalld(provisioning: string, signal: AbortSignal) {
	if ((await output("firewall-cmd", ["--state"], signal))?.trim() !== "running") return undefined;
	const assigned = await output("firewall-cmd", [`--get-zone-of-interface=${provisioning}`], signal);
	const zone = assigned?.trim() || (await output("firewall-cmd", ["--get-default-zone"], signal))?.trim();
	if (!zone) return undefined;
	const ports = await output("firewall-cmd", [`--zone=${zone}`, "--list-ports"], signal);
	return { zone, ports: (ports ?? "").split(/\s+/).filter((port) => port !== "") };
}

async function ufw(signal: AbortSignal): Promise<readonly string[] | undefined> {
	const text = await output("ufw", ["status"], signal);
	return text === undefined || !/^Status: active$/m.test(text) ? undefined : text.split("\n");
}

/** Runs a command of a firewall manager. Errors: `firewall-command-failed`. */
export async function runFirewallCommand([program = "", ...args]: readonly string[], signal: AbortSignal) {
	const result = await execa(program, args, { ...options, cancelSignal: signal });
	signal.throwIfAborted();
	if (!result.failed) return;
	throw new IronstrapError({
		code: "firewall-command-failed",
		message: `${program} did not do what it was asked to`,
		seen: `${[program, ...args].join(" ")}: ${result.stderr.trim() || result.shortMessage}`,
		fix: "run the command by hand to see why",
		cause: result,
	});
}

/** What a command printed; `undefined` if it is not there or failed. */
async function output(program: string, args: readonly string[], signal: AbortSignal) {
	const { failed, stdout } = await execa(program, args, { ...options, cancelSignal: signal });
	signal.throwIfAborted();
	return failed ? undefined : stdout;
}

const options = {
	reject: false,
	stdin: "ignore",
	timeout: 20_000,
	env: { PATH: `/usr/sbin:/usr/bin:/sbin:/bin:${process.env.PATH ?? ""}`, LC_ALL: "C" },
} as const;

function isOn(file: string): boolean {
	try {
		return readFileSync(file, "utf8").trim() === "1";
	} catch {
		return false;
	}
}
