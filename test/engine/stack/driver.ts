import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findImages } from "../../../src/checks/images.ts";
import { type Action, titleOf } from "../../../src/converge/actions.ts";
import { type DesiredProject, desiredProject } from "../../../src/converge/desired.ts";
import { planConvergence } from "../../../src/converge/plan.ts";
import { planRemoval } from "../../../src/converge/plan-removal.ts";
import { applyAction } from "../../../src/engine/apply-action.ts";
import { conditionMet } from "../../../src/engine/conditions.ts";
import { connectEngine } from "../../../src/engine/connect.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { ensureDirectory, writeFileAtomic } from "../../../src/lib/atomic-file.ts";
import { issueAuthority, issueLeaf } from "../../../src/pki/certificates.ts";
import { htpasswdLine } from "../../../src/pki/htpasswd.ts";
import type { Stack, StackInputs } from "../../../src/stack/inputs.ts";
import { renderStack } from "../../../src/stack/render.ts";
import { inputsOf, type SiteParts, siteOf } from "../../unit/stack/fixture.ts";

/*
 * Brings a stack up and down, inside a sandbox, with nothing but what is tested here: rendering, converging, engine.
 * node driver.js up|plan|down OPTIONS-FILE; prints JSON.
 */

export interface DriverOptions {
	readonly directory: string;
	readonly site: SiteParts;
	readonly databasePassword: string;
	readonly apiPassword: string;
	readonly ramdisk: { readonly kernel: string; readonly initramfs: string };
	/** Kills this process after so many actions, without any clean-up. */
	readonly dieAfter?: number;
}

const [command = "", optionsFile = ""] = process.argv.slice(2);
const options = JSON.parse(readFileSync(optionsFile, "utf8")) as DriverOptions;
const signal = AbortSignal.timeout(240_000);

async function main(): Promise<unknown> {
	const engine = await connectEngine({ kind: "auto", environment: {} }, signal);
	const info = await engine.info(signal);
	if (command === "info") return info;
	if (command === "down") return down(engine);
	const stack = await render(engine);
	const desired = desiredProject(stack, Buffer.from("hash-key"));
	if (command === "plan") return planConvergence(desired, await engine.observe(desired.name, signal));
	return up(engine, stack, desired);
}

async function render(engine: Engine): Promise<Stack> {
	const site = siteOf(options.site);
	const memory = { pins: {}, cacheDirectory: join(options.directory, "cache") };
	const base = inputsOf();
	const inputs: StackInputs = {
		...base,
		runDirectory: join(options.directory, "run"),
		images: await findImages(site, engine, memory, signal),
		provisioning: { ...base.provisioning, ipv6Cidr: "fd00:1abc::1/64" },
		credentials: {
			api: { username: "admin", password: options.apiPassword },
			htpasswd: await persistent(`htpasswd-${options.apiPassword}`, () =>
				htpasswdLine("admin", options.apiPassword),
			),
			databasePassword: options.databasePassword,
		},
		tls: JSON.parse(
			await persistent("tls.json", async () => JSON.stringify(certificates())),
		) as StackInputs["tls"],
		deployRamdisk: { ...options.ramdisk, digest: digestOf(options.ramdisk) },
	};
	return renderStack(site, inputs);
}

async function up(engine: Engine, stack: Stack, desired: DesiredProject) {
	const started = performance.now();
	for (const { path, mode, uid, gid } of stack.directories)
		await ensureDirectory(join(stack.runDirectory, path), { mode, uid, gid });
	for (const { path, content, mode, uid, gid } of stack.files)
		await writeFileAtomic(join(stack.runDirectory, path), content, { mode, uid, gid });
	const plan = planConvergence(desired, await engine.observe(desired.name, signal));
	const times: Record<string, number> = {};
	let done = 0;
	for (const action of plan.actions) {
		if (done === options.dieAfter) process.kill(process.pid, "SIGKILL");
		await conditions(engine, desired, action);
		await applyAction(engine, action, signal);
		times[titleOf(action)] = seconds(started);
		done += 1;
	}
	for (const { service, oneShot } of desired.containers) {
		await until(engine, desired, service, oneShot ? "service_completed_successfully" : "service_healthy");
		times[`${service} ready`] = seconds(started);
	}
	const again = planConvergence(desired, await engine.observe(desired.name, signal));
	return {
		changes: plan.changes,
		again: again.actions,
		times,
		ca: JSON.parse(readFileSync(join(options.directory, "tls.json"), "utf8")).ca,
	};
}

async function conditions(engine: Engine, desired: DesiredProject, action: Action): Promise<void> {
	if (action.type !== "create-container" && action.type !== "start-container") return;
	for (const each of action.container.awaits) await until(engine, desired, each.service, each.condition);
}

async function until(
	engine: Engine,
	desired: DesiredProject,
	service: string,
	condition: "service_started" | "service_healthy" | "service_completed_successfully",
): Promise<void> {
	let seen = "";
	const deadline = performance.now() + 120_000;
	while (performance.now() < deadline) {
		const state = await conditionMet(engine, desired, { service, condition }, signal);
		if (state.met) return;
		if (state.seen !== seen) process.stderr.write(`${state.seen}\n`);
		seen = state.seen;
		await pause(100, undefined, { signal });
	}
	const container = desired.containers.find((each) => each.service === service);
	throw new Error(
		`${service} did not reach ${condition}: ${seen}\n${await engine.logTail(container?.name ?? "", 60, signal)}`,
	);
}

async function down(engine: Engine) {
	const name = "ironstrap-metal3";
	for (const action of planRemoval(await engine.observe(name, signal), { volumes: true }))
		await applyAction(engine, action, signal);
	rmSync(join(options.directory, "run"), { recursive: true, force: true });
	return engine.observe(name, signal);
}

async function persistent(name: string, make: () => Promise<string>): Promise<string> {
	const path = join(options.directory, name);
	try {
		return readFileSync(path, "utf8");
	} catch {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, await make(), { mode: 0o600 });
		return readFileSync(path, "utf8");
	}
}

function certificates(): StackInputs["tls"] {
	const keys = () =>
		generateKeyPairSync("rsa", {
			modulusLength: 2048,
			publicKeyEncoding: { type: "spki", format: "pem" },
			privateKeyEncoding: { type: "pkcs8", format: "pem" },
		});
	const validity = {
		notBefore: new Date(Date.now() - 3_600_000),
		notAfter: new Date(Date.now() + 86_400_000),
	};
	const authority = issueAuthority("test", keys(), validity, "01");
	const names = { commonName: "ironic", names: ["localhost"], addresses: ["172.22.0.1", "127.0.0.1"] };
	const leaf = issueLeaf(names, authority, keys(), validity, "02");
	return { certificate: leaf.certificate, key: leaf.key, ca: authority.certificate };
}

function digestOf(files: { readonly kernel: string; readonly initramfs: string }): string {
	const hash = createHash("sha256");
	for (const path of [files.kernel, files.initramfs]) hash.update(readFileSync(path));
	return `sha256:${hash.digest("hex")}`;
}

function seconds(started: number): number {
	return Math.round((performance.now() - started) / 10) / 100;
}

main().then(
	(result) => process.stdout.write(JSON.stringify(result)),
	(error: unknown) => {
		const { code, message, seen, fix, stack } = error as Record<string, string>;
		process.stderr.write(`${code ?? ""} ${message}\n${seen ?? ""}\n${fix ?? ""}\n${stack ?? ""}\n`);
		process.exitCode = 1;
	},
);
