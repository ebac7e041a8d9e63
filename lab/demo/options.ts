import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { BootMethod } from "../story/site.ts";

export interface DemoOptions {
	readonly json: boolean;
	readonly boot: BootMethod;
	/** Folder of the exported bundle; replaced by each run. */
	readonly bundle: string;
	/** Hand the server over to a real API server, where a second real Ironic takes it. */
	readonly pivot: boolean;
	/** Folder of Metal3's CustomResourceDefinitions, for `pivot`. */
	readonly definitions: string;
}

const shared = fileURLToPath(new URL("../../../../shared/crds", import.meta.url));

export const usage = `npm run demo -- [options]

Takes one emulated server through the whole story: stack, inspection, deployment, boot from disk, export, clean-up.

  --json              print one JSON object as the last line
  --boot METHOD       ipxe (default) or virtual-media (no DHCP server at all)
  --bundle DIR        where the exported bundle goes (default: /var/tmp/ironstrap-demo/bundle)
  --pivot             then hand the server over to a Kubernetes API server, where another Ironic takes it
  --definitions DIR   Metal3's CustomResourceDefinitions for it, a folder a release (default: ../shared/crds)`;

/** Errors: a message for the person who typed it. */
export function demoOptions(args: readonly string[]): DemoOptions | "help" {
	const { values } = parseArgs({
		args: [...args],
		options: {
			json: { type: "boolean", default: false },
			boot: { type: "string", default: "ipxe" },
			bundle: { type: "string", default: "/var/tmp/ironstrap-demo/bundle" },
			pivot: { type: "boolean", default: false },
			definitions: { type: "string", default: shared },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help) return "help";
	if (values.boot !== "ipxe" && values.boot !== "virtual-media")
		throw new Error(`--boot takes ipxe or virtual-media, not ${values.boot}`);
	const { bundle, definitions, json, pivot } = values;
	return { json, boot: values.boot, bundle, pivot, definitions };
}
