import { access, constants } from "node:fs/promises";
import type { Answers } from "../../init/answers.ts";
import { checksumFault, imageUrlFault, pathFault } from "../../init/faults.ts";
import type { TextQuestion } from "../terminal.ts";
import type { Interview } from "./context.ts";

/** The deploy ramdisk and the image; both can wait. */
export async function askFiles(answers: Answers, context: Interview): Promise<Answers> {
	return askImage(await askRamdisk(answers, context), context);
}

async function askRamdisk(answers: Answers, { terminal, save }: Interview): Promise<Answers> {
	if (answers.ramdisk !== undefined) return answers;
	terminal.say("The deploy ramdisk (ironic-python-agent) inspects servers and writes their disks.");
	const file = (question: Pick<TextQuestion, "message" | "optional" | "proposal">) =>
		terminal.text({ ...question, faultOf: pathFault, look: fileFault });
	const kernel = await file({ message: "Its kernel, a file here (empty: later)", optional: true });
	if (kernel === "") return save({ ...answers, ramdisk: false });
	const proposal = kernel.replace(/kernel$|vmlinuz$/, "initramfs");
	const initramfs = await file({ message: "Its initramfs, a file here", proposal });
	return save({ ...answers, ramdisk: { kernel, initramfs } });
}

async function askImage(answers: Answers, { terminal, save }: Interview): Promise<Answers> {
	if (answers.image !== undefined) return answers;
	terminal.say("Without an image, servers are inspected and wait; it can be added later.");
	const url = await terminal.text({
		message: "URL of the disk image (empty: later)",
		optional: true,
		faultOf: imageUrlFault,
	});
	if (url === "") return save({ ...answers, image: false });
	const checksum = await terminal.text({
		message: "Its SHA-256, or the URL of a file with it",
		proposal: `${url}.sha256`,
		faultOf: checksumFault,
	});
	return save({ ...answers, image: { url, checksum } });
}

async function fileFault(path: string): Promise<string | undefined> {
	return access(path, constants.R_OK).then(
		() => undefined,
		() => "cannot be read on this machine",
	);
}
