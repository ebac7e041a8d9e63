import { parseArgs } from "node:util";
import type { BootMethod } from "../story/site.ts";

export interface DemoOptions {
	readonly json: boolean;
	readonly boot: BootMethod;
	/** Folder of the exported bundle; replaced by each run. */
	readonly bundle: string;
}

export const usage = `npm run demo -- [options]

Takes one emulated server through the whole story: stack, inspection, deployment, boot from disk, export, clean-up.

  --json              print one JSON object as the last line
  --boot METHOD       ipxe (default) or virtual-media (no DHCP server at all)
  --bundle DIR        where the exported bundle goes (default: /var/tmp/ironstrap-demo/bundle)`;

/** Errors: a message for the person who typed it. */
export function demoOptions(args: readonly string[]): DemoOptions | "help" {
	const { values } = parseArgs({
		args: [...args],
		options: {
			json: { type: "boolean", default: false },
			boot: { type: "string", default: "ipxe" },
			bundle: { type: "string", default: "/var/tmp/ironstrap-demo/bundle" },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help) return "help";
	if (values.boot !== "ipxe" && values.boot !== "virtual-media")
		throw new Error(`--boot takes ipxe or virtual-media, not ${values.boot}`);
	return { json: values.json, boot: values.boot, bundle: values.bundle };
}
