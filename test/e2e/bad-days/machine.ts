import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { imageStore } from "../../../lab/image-store.ts";
import { type Lab, type LabServer, startLab } from "../../../lab/lab.ts";
import { servePodman } from "../../../lab/podman.ts";
import { ironstrap, type Line, type Outcome, type ProductOptions } from "../../../lab/story/product.ts";
import { writeManifests } from "../../../lab/story/site.ts";
import { type HostText, type SiteText, siteText } from "./site.ts";

/** What the command said about one fault (`--json`). */
export interface Fault {
	readonly code: string;
	readonly message: string;
	readonly where?: { readonly file: string; readonly line: number; readonly column: number };
	readonly subject?: string;
	readonly seen?: string;
	readonly fix?: string;
}

/** A bootstrap machine on which things go wrong, and a site that is right unless a test says otherwise. */
export interface Machine {
	readonly lab: Lab;
	/** Folder of the manifests, as the command is given it. */
	readonly folder: string;
	/** The right site: files that exist, no hosts. */
	readonly site: SiteText;
	server(name: string): LabServer;
	/** The right description of a server as a host. */
	host(name: string, wrong?: Partial<HostText>): HostText;
	/** Writes the site with what a test changes in it. */
	write(changes?: Partial<SiteText>): void;
	/** What all of its `up`s printed. */
	readonly printed: readonly string[];
	/** `ironstrap up -f FOLDER`. */
	up(options?: ProductOptions & { readonly args?: readonly string[] }): Promise<Outcome>;
	shell(script: string): Promise<string>;
	/** Kills Podman's API service as a crash would; returns what starts it again. */
	killEngine(): Promise<() => Promise<void>>;
}

/** Servers without boot ROM and system: powered on, they wait at "no bootable device" for ever. */
export async function startMachine(names: readonly string[]): Promise<Machine> {
	const store = await imageStore();
	const lab = await startLab({
		imageStores: [store],
		servers: names.map((name) => ({
			name,
			firmware: "bios",
			memoryMiB: 128,
			diskGiB: 1,
			rom: "none",
		})),
	});
	const folder = join(lab.workDir, "site");
	const site: SiteText = {
		kernel: join(lab.workDir, "ipa.kernel"),
		initramfs: join(lab.workDir, "ipa.initramfs"),
	};
	for (const path of [site.kernel, site.initramfs]) writeFileSync(path, "no kernel at all");
	const server = (name: string) => {
		const found = lab.servers.find((each) => each.name === name);
		if (found === undefined) throw new Error(`the lab has no server ${name}`);
		return found;
	};
	let engine = lab.podman;
	const printed: string[] = [];
	return {
		lab,
		folder,
		site,
		printed,
		server,
		host: (name, wrong = {}) => ({ name, server: server(name), password: lab.bmc.password, ...wrong }),
		write(changes = {}) {
			rmSync(folder, { recursive: true, force: true });
			mkdirSync(folder);
			writeManifests(folder, siteText({ ...site, ...changes }));
		},
		async up({ args = [], ...options } = {}) {
			const outcome = await ironstrap(lab.sandbox, ["up", "-f", folder, ...args], options);
			printed.push(JSON.stringify(outcome));
			return outcome;
		},
		shell: async (script) => (await lab.sandbox.run("sh", ["-ec", script])).stdout,
		async killEngine() {
			engine?.process.kill("SIGKILL");
			await engine?.process.result;
			return async () => {
				engine = await servePodman(lab.sandbox);
			};
		},
	};
}

/** The faults that a command ended with; none when it succeeded. */
export function faultsOf({ result }: Outcome): readonly Fault[] {
	return result?.type === "error" ? (result.errors as readonly Fault[]) : [];
}

/** Steps that began, by their ids. */
export function begun(lines: readonly Line[]): readonly string[] {
	return lines.filter(({ type }) => type === "step-started").map(({ step }) => String(step));
}
