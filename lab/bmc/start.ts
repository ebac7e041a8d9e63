import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { IronstrapError } from "../../src/lib/errors.ts";
import type { SandboxProcess } from "../sandbox/command.ts";
import { LAB_RUN_DIRECTORY } from "../sandbox/mounts.ts";
import type { Sandbox } from "../sandbox.ts";
import { until } from "../until.ts";
import type { BmcConfig, ServerConfig } from "./config.ts";
import { type BmcControl, bmcControl } from "./control-client.ts";
import type { LoggedRequest } from "./request-log.ts";

export interface BmcOptions extends Pick<BmcConfig, "sessionTimeoutSeconds" | "maxSessions" | "faults"> {
	readonly servers: readonly ServerConfig[];
	readonly workDirectory: string;
	readonly listen: { readonly address: string; readonly port: number };
	/** The network namespace that it answers in. Default: the sandbox's own. */
	readonly namespace?: string | undefined;
	/** HTTPS with a self-signed certificate instead of HTTP. Default false. */
	readonly tls?: boolean | undefined;
}

/** A running emulator. */
export interface LabBmc {
	/** Base URL, reachable inside the sandbox only. */
	readonly address: string;
	readonly username: string;
	readonly password: string;
	/** File of the request log, see {@link LoggedRequest}. */
	readonly log: string;
	/** File of what happened to the servers. */
	readonly events: string;
	readonly control: BmcControl;
	/** The request log, parsed. */
	requests(): Promise<readonly LoggedRequest[]>;
	readonly process: SandboxProcess;
}

const CONTROL = `${LAB_RUN_DIRECTORY}/bmc.sock`;
const CONFIG = `${LAB_RUN_DIRECTORY}/bmc.json`;

/** Starts the emulator in the sandbox and waits until it answers. Errors: `lab-bmc-failed`. */
export async function startBmc(sandbox: Sandbox, options: BmcOptions): Promise<LabBmc> {
	const { servers, workDirectory, listen, namespace, tls, sessionTimeoutSeconds, maxSessions, faults } =
		options;
	const log = join(workDirectory, "bmc-requests.jsonl");
	const events = join(workDirectory, "bmc-events.jsonl");
	const [username, password] = ["admin", randomBytes(12).toString("hex")];
	const config: BmcConfig = {
		...listen,
		...{ username, password, log, events, servers, sessionTimeoutSeconds, maxSessions, faults },
		control: CONTROL,
		tls: tls ? await selfSigned(sandbox, listen.address) : undefined,
	};
	await writeFile(sandbox.path(CONFIG), JSON.stringify(config), { mode: 0o600 });
	const output = join(workDirectory, "bmc.log");
	const main = fileURLToPath(new URL("./main.js", import.meta.url));
	const place = namespace === undefined ? [] : ["ip", "netns", "exec", namespace];
	const [command = "", ...args] = [...place, process.execPath, main, CONFIG];
	const emulator = sandbox.spawn(command, args, { log: output });
	const control = bmcControl(sandbox.path(CONTROL));
	await answering(emulator, control, output);
	return {
		address: `${tls ? "https" : "http"}://${listen.address}:${listen.port}`,
		...{ username, password, log, events, control },
		requests: async () => parseLines(await readFile(log, "utf8")),
		process: emulator,
	};
}

async function answering(emulator: SandboxProcess, control: BmcControl, output: string): Promise<void> {
	let ended = false;
	void emulator.result.then(() => {
		ended = true;
	});
	await until(
		async () => {
			if (ended) {
				throw new IronstrapError({
					code: "lab-bmc-failed",
					message: "The emulated BMC ended at once",
					seen: (await readFile(output, "utf8").catch(() => "")).slice(-2000),
					fix: "Build first (npm run build); the emulator runs from dist/",
				});
			}
			return control.servers().catch(() => undefined);
		},
		{ what: "the emulated BMC", deadlineMs: 20_000 },
	);
}

async function selfSigned(sandbox: Sandbox, address: string): Promise<{ certificate: string; key: string }> {
	const [certificate, key] = [`${LAB_RUN_DIRECTORY}/bmc.crt`, `${LAB_RUN_DIRECTORY}/bmc.key`];
	const subject = ["-subj", "/CN=bmc", "-addext", `subjectAltName=IP:${address}`];
	const algorithm = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
	await sandbox.run("openssl", [
		"req",
		"-x509",
		...algorithm,
		"-days",
		"30",
		...subject,
		"-keyout",
		key,
		"-out",
		certificate,
	]);
	return { certificate, key };
}

function parseLines(text: string): LoggedRequest[] {
	return text
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as LoggedRequest);
}
