import { parse, stringify } from "yaml";
import { z } from "zod";
import { IronstrapError, IronstrapErrors } from "../lib/errors.ts";

/**
 * What a person decides; everything else follows from it and from what is seen. The same in `--answers FILE` and in
 * the file that an interrupted run leaves. Passwords are never in it, only the names of files that hold one.
 */
export const answersSchema = z.strictObject({
	/** Names the site. */
	name: z.string().optional(),
	/** The provisioning interface. */
	interface: z.string().optional(),
	/** This machine's address there with prefix length; needed only if the interface has none yet. */
	address: z.string().optional(),
	boot: z.enum(["network", "virtual-media"]).optional(),
	/** Where servers get their addresses from when they boot from virtual media. */
	addresses: z.enum(["existing-dhcp", "static"]).optional(),
	/** Addresses for servers: the DHCP pool, or the first ones of it as fixed addresses. */
	range: z.strictObject({ begin: z.string(), end: z.string() }).optional(),
	/** Files of the deploy ramdisk on this machine; `false`: to be added later. */
	ramdisk: z
		.union([z.literal(false), z.strictObject({ kernel: z.string(), initramfs: z.string() })])
		.optional(),
	/** What is written to the servers' disks; `false`: to be added later. */
	image: z.union([z.literal(false), z.strictObject({ url: z.string(), checksum: z.string() })]).optional(),
	hosts: z
		.array(
			z.strictObject({
				name: z.string(),
				/** Anything that `bmc probe` takes; a complete `bmc.address` is taken as it is. */
				bmc: z.string(),
				username: z.string(),
				passwordFile: z.string().optional(),
				bootMAC: z.string().optional(),
				disableCertificateVerification: z.boolean().optional(),
				/** Fixed address, for `addresses: static`. */
				address: z.string().optional(),
			}),
		)
		.default([]),
	/** No more hosts are to be asked for. */
	hostsComplete: z.boolean().optional(),
});

export type Answers = z.output<typeof answersSchema>;
export type HostAnswer = Answers["hosts"][number];

export const noAnswers: Answers = { hosts: [] };

/** Reads answers in YAML. Errors: `answers-invalid`, one for each fault, with the field's name. */
export function parseAnswers(text: string, file: string): Answers {
	let value: unknown;
	try {
		value = parse(text) ?? {};
	} catch (error) {
		throw invalid(file, (error as Error).message.split("\n")[0] ?? "");
	}
	const parsed = answersSchema.safeParse(value);
	if (parsed.success) return parsed.data;
	throw new IronstrapErrors(
		parsed.error.issues.map(({ path, message }) =>
			invalid(file, `${path.length === 0 ? "" : `${path.join(".")}: `}${message}`),
		),
	);
}

/** The text of a file that `parseAnswers` reads. */
export function formatAnswers(answers: Answers): string {
	return `# Answers given to \`ironstrap init\`; without passwords. Can be edited, and used with --answers.\n${stringify(answers)}`;
}

function invalid(file: string, seen: string): IronstrapError {
	return new IronstrapError({
		code: "answers-invalid",
		message: "the answers cannot be read",
		where: { file, line: 1, column: 1 },
		seen,
		fix: "correct the file; docs/wizard.md lists its fields",
	});
}
