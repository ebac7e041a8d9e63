import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { connectEngine } from "../engine/connect.ts";
import type { Engine } from "../engine/engine.ts";
import { IronstrapError } from "../lib/errors.ts";
import { type LocalAddress, localAddresses } from "../linux/links.ts";
import { describe, type Site } from "../resources/site.ts";
import { findImages, type StackImages } from "./images.ts";
import { type ProvisioningAddress, provisioningAddress } from "./provisioning.ts";

/** What this machine offers to a site. Looking changes nothing: whatever is missing is refused before anything is made. */
export interface Machine {
	readonly engine: Engine;
	readonly local: readonly LocalAddress[];
	readonly provisioning: ProvisioningAddress & { readonly ipv6Cidr: string | undefined };
	readonly images: StackImages;
	readonly deployRamdisk: { readonly kernel: string; readonly initramfs: string; readonly digest: string };
}

export async function lookAtMachine(site: Site, signal: AbortSignal): Promise<Machine> {
	const local = localAddresses();
	const provisioning = provisioningOf(site, local);
	// side by side, because either takes a while; what is wrong with the site is told first
	const connecting = connectEngine({ ...site.bootstrap.spec.engine, environment: process.env }, signal);
	connecting.catch(() => undefined);
	const deployRamdisk = await readDeployRamdisk(site);
	const engine = await connecting;
	return {
		engine,
		local,
		provisioning,
		images: await findImages(site, engine, signal),
		deployRamdisk,
	};
}

/** The provisioning address, and an IPv6 one of the same interface. */
export function provisioningOf(site: Site, local: readonly LocalAddress[]): Machine["provisioning"] {
	const provisioning = provisioningAddress(site, local);
	const ipv6 = local.find((link) => link.interface === provisioning.interface && link.family === "IPv6");
	return { ...provisioning, ipv6Cidr: ipv6?.cidr };
}

async function readDeployRamdisk(site: Site): Promise<Machine["deployRamdisk"]> {
	const { metadata, spec } = site.bootstrap;
	const ref = { kind: "Bootstrap", namespace: metadata.namespace, name: metadata.name };
	const refuse = (field: readonly string[], message: string, seen?: string) =>
		new IronstrapError({
			code: "deploy-ramdisk-missing",
			message,
			where: site.locate(ref, ["spec", ...field]),
			subject: describe(ref),
			seen,
			fix: "set Bootstrap.spec.deployRamdisk.kernel and .initramfs to files of an ironic-python-agent ramdisk on this machine",
		});
	if (spec.deployRamdisk === undefined) throw refuse([], "the site names no deploy ramdisk");
	const hash = createHash("sha256");
	for (const field of ["kernel", "initramfs"] as const) {
		try {
			for await (const chunk of createReadStream(spec.deployRamdisk[field])) hash.update(chunk as Buffer);
		} catch (error) {
			throw refuse(
				["deployRamdisk", field],
				`the deploy ramdisk's ${field} cannot be read`,
				(error as Error).message,
			);
		}
	}
	return { ...spec.deployRamdisk, digest: hash.digest("hex") };
}
