import { complaintsAbout, systemdVersion } from "../../../src/linux/systemd.ts";
import { quadletDirectory } from "../../../src/systemd/names.ts";
import type { UnitOptions } from "../../../src/systemd/unit-options.ts";
import { siteUnits } from "../../../src/systemd/units.ts";
import { parseVersion } from "../../../src/systemd/version.ts";
import { desiredStack } from "../../support/desired-stack.ts";

/*
 * Run inside a lab root with the engine's kind and version, and optionally a line that is added to each Quadlet file:
 * prints what this release's generator and systemd-analyze have against the units, as JSON.
 */

const [kind = "podman", version = "", fault] = process.argv.slice(2);
const { signal } = new AbortController();
const options: UnitOptions = {
	site: "metal3",
	engine: {
		kind: kind === "docker" ? "docker" : "podman",
		version: parseVersion(version),
		selinux: true,
		limits: { memory: true, pids: true },
	},
	systemd: parseVersion(await systemdVersion(signal)),
	program: [process.execPath, "/opt/iron strap/ironstrap.js"],
	startSeconds: 600,
};
const units = siteUnits(desiredStack(), options).map((unit) => ({
	...unit,
	content:
		fault !== undefined && unit.path.startsWith(quadletDirectory)
			? unit.content.replace("[Container]\n", `[Container]\n${fault}\n`)
			: unit.content,
}));
const quadlet = units.filter(({ path }) => path.startsWith(quadletDirectory));
const complaints = await complaintsAbout(
	{ quadlet, units: units.filter(({ path }) => !path.startsWith(quadletDirectory)) },
	signal,
);
console.log(JSON.stringify({ quadlet: quadlet.length, complaints }));
