import { access, constants } from "node:fs/promises";
import type { Answers } from "../../init/answers.ts";
import { checksumFault, imageUrlFault, pathFault } from "../../init/faults.ts";
import type { Interview } from "./context.ts";

/** The deploy ramdisk and the image; both can wait. */
export async function askFiles(answers: Answers, { terminal, save }: Interview): Promise<Answers> {
	let current = answers;
	if (current.ramdisk === undefined) {
		terminal.say("The deploy ramdisk (ironic-python-agent) inspects servers and writes their disks.");
		const kernel = await terminal.text({
			message: "Its kernel, a file here (empty: later)",
			optional: true,
			faultOf: pathFault,
			look: fileFault,
		});
		const initramfs =
			kernel === ""
				? ""
				: await terminal.text({
						message: "Its initramfs, a file here",
						proposal: kernel.replace(/kernel$|vmlinuz$/, "initramfs"),
						faultOf: pathFault,
						look: fileFault,
					});
		current = await save({ ...current, ramdisk: kernel === "" ? false : { kernel, initramfs } });
	}
	if (current.image === undefined) {
		terminal.say("Without an image, servers are inspected and wait; it can be added later.");
		const url = await terminal.text({
			message: "URL of the disk image (empty: later)",
			optional: true,
			faultOf: imageUrlFault,
		});
		const checksum =
			url === ""
				? ""
				: await terminal.text({
						message: "Its SHA-256, or the URL of a file with it",
						proposal: `${url}.sha256`,
						faultOf: checksumFault,
					});
		current = await save({ ...current, image: url === "" ? false : { url, checksum } });
	}
	return current;
}

async function fileFault(path: string): Promise<string | undefined> {
	return access(path, constants.R_OK).then(
		() => undefined,
		() => "cannot be read on this machine",
	);
}
