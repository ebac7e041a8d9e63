import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { IronstrapError } from "../lib/errors.ts";
import { describe, type Site } from "../resources/site.ts";
import type { Finding } from "../site/finding.ts";
import type { Check } from "./check.ts";

/** The files that servers boot for inspection and deployment. */
export interface DeployRamdisk {
	readonly kernel: string;
	readonly initramfs: string;
	/** SHA-256 over both. */
	readonly digest: string;
}

/** The files are there and are what they are called. Codes: `deploy-ramdisk-missing`, `deploy-ramdisk-odd`. */
export function deployRamdisk(site: Site): Check {
	return {
		id: "deploy-ramdisk",
		why: "a server that is sent something else than a kernel and an initramfs hangs without a word",
		async look() {
			const files = site.bootstrap.spec.deployRamdisk;
			if (files === undefined) return [noRamdisk(site)];
			const found = await Promise.all([
				lookAt(site, "kernel", files.kernel),
				lookAt(site, "initramfs", files.initramfs),
			]);
			return found.flat();
		},
	};
}

/** Reads both files to the end. Errors: `deploy-ramdisk-missing`. */
export async function readDeployRamdisk(site: Site): Promise<DeployRamdisk> {
	const { deployRamdisk } = site.bootstrap.spec;
	if (deployRamdisk === undefined) throw noRamdisk(site);
	const hash = createHash("sha256");
	for (const part of ["kernel", "initramfs"] as const) {
		try {
			for await (const chunk of createReadStream(deployRamdisk[part])) hash.update(chunk as Buffer);
		} catch (error) {
			throw unreadable(site, part, (error as Error).message);
		}
	}
	return { ...deployRamdisk, digest: hash.digest("hex") };
}

type Part = "kernel" | "initramfs";

async function lookAt(site: Site, part: Part, path: string): Promise<readonly (IronstrapError | Finding)[]> {
	const start = Buffer.alloc(1024);
	let size: number;
	try {
		const file = await open(path, "r");
		try {
			size = (await file.read(start, 0, start.length, 0)).bytesRead;
		} finally {
			await file.close();
		}
	} catch (error) {
		return [unreadable(site, part, (error as Error).message)];
	}
	if (size === 0) return [unreadable(site, part, "the file is empty")];
	const isRight = part === "kernel" ? isKernel(start) : isInitramfs(start);
	if (isRight) return [];
	return [
		{
			code: "deploy-ramdisk-odd",
			severity: "warning",
			message: `${path} does not look like ${part === "kernel" ? "a Linux kernel" : "an initramfs"}`,
			...place(site, ["deployRamdisk", part]),
			seen: `starts with ${start.subarray(0, Math.min(size, 8)).toString("hex")}`,
			fix: "check that kernel and initramfs are not swapped, and that the download is no web page",
		},
	];
}

/** An EFI executable, an x86 boot sector, or what arm64 and compressed kernels start with. */
function isKernel(start: Buffer): boolean {
	return (
		start.toString("latin1", 0, 2) === "MZ" ||
		start.toString("latin1", 0x202, 0x206) === "HdrS" ||
		start.toString("latin1", 0x38, 0x3c) === "ARMd" ||
		start.readUInt16BE(0) === 0x1f8b
	);
}

/** cpio itself, or gzip, xz, zstd, bzip2, lz4, lzma around it. */
const INITRAMFS_STARTS = [
	"0707",
	"\x1f\x8b",
	"\xfd7zXZ",
	"\x28\xb5\x2f\xfd",
	"BZh",
	"\x02\x21\x4c\x18",
	"\x5d\0\0",
];

function isInitramfs(start: Buffer): boolean {
	const text = start.toString("latin1");
	return INITRAMFS_STARTS.some((magic) => text.startsWith(magic));
}

function noRamdisk(site: Site): IronstrapError {
	return missing(site, [], "the site names no deploy ramdisk");
}

function unreadable(site: Site, part: Part, seen: string): IronstrapError {
	return missing(site, ["deployRamdisk", part], `the deploy ramdisk's ${part} cannot be read`, seen);
}

function missing(site: Site, field: readonly string[], message: string, seen?: string): IronstrapError {
	return new IronstrapError({
		code: "deploy-ramdisk-missing",
		message,
		...place(site, field),
		seen,
		fix: "set Bootstrap.spec.deployRamdisk.kernel and .initramfs to files of an ironic-python-agent ramdisk on this machine",
	});
}

function place({ bootstrap: { metadata }, locate }: Site, field: readonly string[]) {
	const ref = { kind: "Bootstrap", namespace: metadata.namespace, name: metadata.name };
	return { subject: describe(ref), where: locate(ref, ["spec", ...field]) };
}
