import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { BmcProbe, Proposal } from "../../bmc/facts.ts";
import { probeBmc } from "../../bmc/probe.ts";
import { parseProbeTarget } from "../../bmc/target.ts";
import { hostNameFault } from "../../init/faults.ts";
import { systemTitle } from "../../init/host-answer.ts";
import {
	bootMethodOf,
	freeHostName,
	hostFiles,
	hostNames,
	onlySystem,
	planHost,
	systemsToAdd,
} from "../../init/new-host.ts";
import type { SiteFile } from "../../init/site-text.ts";
import { writeSite } from "../../init/write-site.ts";
import { IronstrapError } from "../../lib/errors.ts";
import type { Credentials } from "../../resources/credentials.ts";
import type { Site } from "../../resources/site.ts";
import { type Finding, failOnErrors } from "../../site/finding.ts";
import { lintInputs, loadSite } from "../../site/load.ts";
import { bootMethod, type LogInFlags, readCredentials } from "../bmc-log-in.ts";
import type { SiteOptions } from "../command.ts";
import { findingText } from "../render/finding.ts";
import { type CommandTools, runCommand } from "../run.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { runAdmit } from "./admit.ts";
import { macOf } from "./mac-option.ts";

export interface AddFlags extends SiteOptions, LogInFlags {
	readonly mac?: readonly string[];
	readonly file?: string;
	readonly name?: string;
	readonly system?: string;
	readonly boot?: string;
	readonly print?: boolean;
}

/** Both ways of adding: a server by its BMC, as manifests; or by its card alone, which only lets it boot. */
export async function runAdd(address: string | undefined, flags: AddFlags): Promise<number> {
	const { json, mac, username } = flags;
	if (address === undefined && mac !== undefined) return runAdmit({ ...flags, mac }, true);
	const asks = username === undefined && json !== true && process.stdin.isTTY && process.stdout.isTTY;
	return runCommand(
		json,
		async (tools) => {
			const terminal = asks ? openTerminal(tools.signal) : undefined;
			try {
				await enrol(address, flags, terminal, tools);
				return undefined;
			} finally {
				terminal?.close();
			}
		},
		{ redraws: !asks },
	);
}

async function enrol(
	address: string | undefined,
	flags: AddFlags,
	terminal: Terminal | undefined,
	{ report, signal }: CommandTools,
): Promise<void> {
	const { file, mac = [], print = false } = flags;
	if (address === undefined || file === undefined || mac.length > 1)
		throw usage(
			"a server is added by its BMC's address and the site, or by the MAC address of its card alone",
			"`ironstrap hosts add ADDRESS -f FOLDER`, where --mac names the boot card; or `ironstrap hosts add --mac MAC`",
		);
	const target = parseProbeTarget(address);
	const boot = bootMethod(flags.boot);
	const [card] = mac.map(macOf);
	if (!print) await refuseUnlessFolder(file);
	const { site } = await loadSite([file]);
	const credentials = await logIn(flags, report, terminal);
	const probe = await probeBmc(target, {
		...{ credentials, signal, boot: boot ?? bootMethodOf(site), systemPath: pathOf(flags.system) },
	});
	for (const message of probe.warnings) report.emit({ type: "note", level: "warning", message });
	const proposal = await chooseSystem(systemsToAdd(site, probe), probe, terminal);
	const name = await chooseName(flags.name, site, terminal);
	const host = planHost(proposal, { name, username: credentials.username, mac: card });
	const { namespace } = site.ironic.metadata;
	const files = hostFiles(host, credentials.password, namespace);
	for (const finding of await lintWith(files, file))
		report.emit({ type: "note", level: "warning", message: findingText(finding) });
	if (!print)
		await writeSite(file, files, "choose another name with --name; files of others are not overwritten");
	const { bmc, bootMac } = host;
	const manifests = files.map(({ text }) => text).join("---\n");
	report.result(
		{
			...{ host: name, namespace, bmc, bootMac, boot: proposal.boot, reasons: proposal.reasons },
			...(print ? { manifests } : { files: files.map((each) => join(file, each.name)) }),
		},
		print ? manifests.trimEnd() : summary(file, files, { name, bmc, bootMac, reasons: proposal.reasons }),
	);
}

function summary(
	folder: string,
	files: readonly SiteFile[],
	host: { name: string; bmc: string; bootMac: string | undefined; reasons: readonly string[] },
): string {
	return [
		`${host.name}: ${host.bmc}, boots by ${host.bootMac}`,
		...host.reasons.map((reason) => `  ${reason}`),
		`Written to ${files.map(({ name }) => join(folder, name)).join(" and ")}. Next: ironstrap up -f ${folder}`,
	].join("\n");
}

async function logIn(
	flags: AddFlags,
	report: CommandTools["report"],
	terminal: Terminal | undefined,
): Promise<Credentials> {
	const given = await readCredentials(flags, report);
	if (given !== undefined) return given;
	if (terminal === undefined)
		throw usage(
			"a host needs the log-in of its BMC, and there is no terminal to ask on",
			"give --username and --password-file; --password-file - reads the password from standard input",
		);
	const username = await terminal.text({
		message: "User name at the BMC",
		proposal: "admin",
		faultOf: (text) => (text === "" ? "is empty" : undefined),
	});
	return { username, password: await terminal.password("Password") };
}

async function chooseSystem(
	proposals: readonly Proposal[],
	{ redfish }: BmcProbe,
	terminal: Terminal | undefined,
): Promise<Proposal> {
	if (terminal === undefined || proposals.length === 1) return onlySystem(proposals);
	return terminal.choose(
		"This BMC has several systems",
		proposals.map((proposal) => {
			const system = redfish?.systems.find(({ path }) => path === proposal.systemPath);
			return { value: proposal, name: system === undefined ? proposal.address : systemTitle(system) };
		}),
	);
}

async function chooseName(
	wanted: string | undefined,
	site: Site,
	terminal: Terminal | undefined,
): Promise<string> {
	const faultOf = hostNameFault(hostNames(site));
	if (wanted === undefined) {
		const proposal = freeHostName(site);
		return terminal === undefined
			? proposal
			: terminal.text({ message: "Name of this host", proposal, faultOf });
	}
	const fault = faultOf(wanted);
	if (fault !== undefined)
		throw usage(`--name ${JSON.stringify(wanted)} ${fault}`, `for instance --name ${freeHostName(site)}`);
	return wanted;
}

/** The whole site as it would then be; what would be refused is not written. */
async function lintWith(files: readonly SiteFile[], input: string): Promise<readonly Finding[]> {
	const { findings } = await lintInputs([input], { more: files });
	const names = new Set(files.map(({ name }) => name));
	return failOnErrors(findings).filter(({ where }) => where !== undefined && names.has(where.file));
}

async function refuseUnlessFolder(path: string): Promise<void> {
	if ((await stat(path).catch(() => undefined))?.isFile() !== true) return;
	throw usage(
		`${path} is a file, and a host is written into a folder`,
		`print it instead: \`ironstrap hosts add ADDRESS -f ${path} --print\` (the password is in it)`,
	);
}

/** The path of a system that is named by its id. */
function pathOf(system: string | undefined): string | undefined {
	return system === undefined || system.startsWith("/") ? system : `/redfish/v1/Systems/${system}`;
}

function usage(message: string, fix: string): IronstrapError {
	return new IronstrapError({ code: "usage", message, fix });
}
