import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { artefacts } from "../../../lab/artefacts.ts";
import { loadIntoStore, startPodman } from "../../../lab/podman.ts";
import { startSandbox } from "../../../lab/sandbox.ts";

test("Podman loads the archives, and the images hold what the stack runs", async (t) => {
	t.timeout(900_000);
	const built = await artefacts(["ironic-image", "mariadb-image"]);
	const store = await mkdtemp("/var/tmp/ironstrap-load-test-");
	t.teardown(() => rm(store, { recursive: true, force: true }));
	const folder = join(store, "store");
	for (const { archive } of Object.values(built)) await loadIntoStore(archive, folder);
	const sandbox = await startSandbox();
	t.teardown(() => sandbox.stop());
	await startPodman(sandbox, { imageStores: [folder] });
	const podman = async (...words: string[]) =>
		(await sandbox.run("podman", words, { timeoutMs: 120_000 })).stdout;
	const hardened = ["run", "--rm", "--network", "none", "--read-only", "--cap-drop", "all"];
	const inIronic = (script: string, ...words: string[]) =>
		podman(...hardened, ...words, "localhost/ironstrap/ironic:latest", "sh", "-c", script);

	t.is(await inIronic("ironic --version", "--user", "ironic"), "29.0.5");
	t.regex(await inIronic("apache2 -v"), /Apache\/2\.4/);
	t.regex(await inIronic("dnsmasq --version"), /^Dnsmasq version 2\./);
	t.is(await inIronic("id -u ironic; id -u httpd; id -u dnsmasq"), "902\n903\n904");
	t.regex(await inIronic("cat /proc/1/comm"), /^tini$/);
	t.is(
		await inIronic("mdir -b -i /usr/share/ironstrap/esp-x86_64.img ::EFI/BOOT | tr -d '\\r' | sort"),
		"::/EFI/BOOT/BOOTX64.EFI\n::/EFI/BOOT/grubx64.efi\n::/EFI/BOOT/mmx64.efi",
	);
	t.regex(
		await inIronic("cat /usr/lib/python3/dist-packages/ironic/api/controllers/v1/node.py"),
		/if parent_node\.uuid != rpc_node\.uuid:/,
	);
	t.is(
		await inIronic(
			"find /etc/apt/sources.list* /var/lib/apt/lists /etc/machine-id -type f 2>/dev/null | cat",
		),
		"",
	);

	const inMariadb = (script: string) =>
		podman(...hardened, "--user", "mysql", "localhost/ironstrap/mariadb:latest", "sh", "-c", script);
	t.regex(await inMariadb("mariadbd --version 2>/dev/null"), /11\.8\./);
	t.is(await inMariadb("id -u; ls -A /var/lib/mysql"), "901");

	const [inspected] = JSON.parse(await podman("image", "inspect", "localhost/ironstrap/ironic:29.0.5"));
	t.is(inspected.Labels["org.opencontainers.image.version"], "29.0.5");
	t.regex(inspected.Labels["io.ironstrap.key"], /^[0-9a-f]{64}$/);
	t.regex(JSON.parse(inspected.Labels["io.ironstrap.packages"])["ironic-common"], /^1:29\.0\.5-/);
	t.deepEqual(inspected.Config.Entrypoint, ["/usr/bin/tini", "--"]);
});
