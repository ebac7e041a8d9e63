import { symlink } from "node:fs/promises";
import test from "ava";
import { startSandbox } from "../../../lab/sandbox.ts";
import { faultsIn, ironstrap } from "../../../lab/story/product.ts";

const site = `apiVersion: ironic.metal3.io/v1alpha1
kind: Ironic
metadata: { name: metal3 }
spec: { networking: { ipAddress: 172.22.0.1 } }
`;

test("a machine without any engine is told so, and not waited for", async (t) => {
	t.timeout(60_000);
	const sandbox = await startSandbox({ name: "no-engine" });
	t.teardown(() => sandbox.stop());
	await sandbox.run("sh", ["-ec", "mkdir -p /run/ironstrap-lab/bin; cat >/run/ironstrap-lab/site.yaml"], {
		input: site,
	});
	for (const program of ["setpriv", "ip"])
		await symlink(
			(await sandbox.run("sh", ["-c", `command -v ${program}`])).stdout.trim(),
			sandbox.path(`/run/ironstrap-lab/bin/${program}`),
		);
	let toldAt = 0;
	const outcome = await ironstrap(sandbox, ["up", "-f", "/run/ironstrap-lab/site.yaml"], {
		onLine: () => {
			toldAt = performance.now();
		},
		nodeFlags: ["--import=data:text/javascript,process.env.PATH='/run/ironstrap-lab/bin'"],
	});
	const lingered = performance.now() - toldAt;
	const errors = (outcome.result?.errors ?? []) as readonly { code: string; seen: string }[];
	t.deepEqual(
		errors.map(({ code }) => code),
		["provisioning-address-missing", "deploy-ramdisk-missing", "engine-not-found"],
		faultsIn(outcome),
	);
	t.regex(errors.at(-1)?.seen ?? "", /Podman, without its API running: .*podman/);
	// Podman's API is given 20 s to listen, where there is one
	t.true(lingered < 5000, `${lingered} ms between the last word and the end`);
});
