import { join } from "node:path";
import test from "ava";
import { type RootName, rootNames } from "../../../lab/roots/definition.ts";
import { startInRoot } from "../../../lab/roots/enter.ts";
import type { Sandbox } from "../../../lab/sandbox.ts";
import type { UnitComplaint } from "../../../src/linux/systemd.ts";

/** Each release's Podman, and how many Quadlet files it gets of the six containers. */
const podmans: Readonly<Record<RootName, readonly [version: string, quadlet: number]>> = {
	bookworm: ["4.3.1", 0],
	trixie: ["5.4.2", 6],
	forky: ["5.8.6", 6],
};

async function check(sandbox: Sandbox, ...args: readonly string[]) {
	const driver = join(process.cwd(), "dist/test/engine/systemd/check-driver.js");
	const { stdout } = await sandbox.run(process.execPath, [driver, ...args], { cwd: process.cwd() });
	return JSON.parse(stdout) as { quadlet: number; complaints: readonly UnitComplaint[] };
}

for (const root of rootNames)
	test.serial(
		`${root}: Quadlet's generator and systemd-analyze have nothing against the units`,
		async (t) => {
			t.timeout(180_000);
			const [version, quadlet] = podmans[root];
			const sandbox = await startInRoot(root);
			try {
				// as programs of the unit they must be there; this checkout's launcher is somewhere else
				await sandbox.run("sh", ["-ec", "mkdir -p '/opt/iron strap'; touch '/opt/iron strap/ironstrap.js'"]);
				t.deepEqual(await check(sandbox, "podman", version), { quadlet, complaints: [] });
				t.deepEqual(await check(sandbox, "docker", "26.1.5"), { quadlet: 0, complaints: [] });
				if (quadlet === 0) return;
				const { complaints } = await check(sandbox, "podman", version, "Sparkle=yes");
				t.is(complaints.length, 6);
				t.true(complaints.every(({ file, message }) => file !== undefined && message.includes("Sparkle")));
			} finally {
				await sandbox.stop();
			}
		},
	);
