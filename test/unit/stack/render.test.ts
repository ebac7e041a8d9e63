import test from "ava";
import { parse } from "yaml";
import { parseBase } from "../../../src/stack/base.ts";
import { bridgeInterfaceName, projectName } from "../../../src/stack/names.ts";
import type { ComposeProject } from "../../../src/stack/project.ts";
import { renderStack } from "../../../src/stack/render.ts";
import { serialiseProject } from "../../../src/stack/serialise.ts";
import { baseText, contentOf, inputsOf, provisioningNetwork, siteOf } from "./fixture.ts";

test("only httpd publishes ports: ramdisk API, files and media to the network, the whole API to this machine", (t) => {
	const { services } = renderStack(siteOf(), inputsOf()).project;
	const published = Object.entries(services).flatMap(([service, { ports }]) =>
		(ports ?? []).map((port) => `${service} ${port.host_ip}:${port.published} → ${port.target}`),
	);
	t.deepEqual(published, [
		"httpd 172.22.0.1:6385 → 6385",
		"httpd 127.0.0.1:6385 → 6386",
		"httpd 172.22.0.1:6180 → 6180",
		"httpd 172.22.0.1:6183 → 6183",
	]);
});

test("the site's ports and further addresses of the API are published", (t) => {
	const site = siteOf({
		ironic: {
			networking: {
				...provisioningNetwork,
				apiPort: 7385,
				imageServerPort: 7180,
				externalIP: "198.51.100.7",
			},
		},
		bootstrap: { api: { listen: ["192.0.2.9"] } },
	});
	const { services } = renderStack(
		site,
		inputsOf({ localAddresses: ["198.51.100.7", "172.22.0.1"] }),
	).project;
	t.deepEqual(
		services.httpd?.ports?.map((port) => `${port.host_ip}:${port.published} → ${port.target}`),
		[
			"172.22.0.1:7385 → 6385",
			"198.51.100.7:7385 → 6385",
			"127.0.0.1:7385 → 6386",
			"192.0.2.9:7385 → 6386",
			"172.22.0.1:7180 → 6180",
			"198.51.100.7:7180 → 6180",
			"172.22.0.1:6183 → 6183",
			"198.51.100.7:6183 → 6183",
		],
	);
});

test("an external address that is not this machine's is told to BMCs but not published", (t) => {
	const site = siteOf({ ironic: { networking: { ...provisioningNetwork, externalIP: "198.51.100.7" } } });
	const stack = renderStack(site, inputsOf({ localAddresses: ["172.22.0.1"] }));
	t.false(stack.project.services.httpd?.ports?.some((port) => port.host_ip === "198.51.100.7"));
	t.true(
		contentOf(stack.files, "ironic/ironic.conf").includes("external_http_url = https://198.51.100.7:6183\n"),
	);
});

test("the full API is refused on an address that faces servers", (t) => {
	const site = siteOf({ bootstrap: { api: { listen: ["172.22.0.1"] } } });
	t.throws(() => renderStack(site, inputsOf()), { code: "api-listen-faces-servers" });
});

test("one port for two purposes is refused", (t) => {
	const site = siteOf({ ironic: { networking: { ...provisioningNetwork, imageServerPort: 6385 } } });
	t.throws(() => renderStack(site, inputsOf()), {
		code: "ports-collide",
		message: "port 6385 is asked for twice",
	});
});

test("every service gives up all capabilities, and none gets back more than it was seen to need", (t) => {
	const { services } = renderStack(siteOf(), inputsOf()).project;
	t.deepEqual(
		Object.fromEntries(
			Object.entries(services).map(([name, { cap_add }]) => [name, (cap_add ?? []).join(" ")]),
		),
		{
			mariadb: "",
			schema: "",
			prepare: "CHOWN DAC_OVERRIDE FOWNER",
			ironic: "",
			httpd: "",
			dnsmasq: "KILL NET_ADMIN NET_RAW NET_BIND_SERVICE SETUID SETGID",
		},
	);
	for (const [name, service] of Object.entries(services)) {
		t.deepEqual(service.cap_drop, ["ALL"], name);
		t.true(service.read_only, name);
		t.deepEqual(service.security_opt, ["no-new-privileges:true"], name);
		t.regex(service.restart ?? "", /^(no|on-failure:\d+)$/, name);
	}
});

test("the database has no network, and its socket is mounted only where a connection is made", (t) => {
	const { services } = renderStack(siteOf(), inputsOf()).project;
	t.is(services.mariadb?.network_mode, "none");
	const mounting = (part: string) =>
		Object.entries(services)
			.filter(([, { volumes }]) => volumes?.some(({ source }) => source.endsWith(part)))
			.map(([name]) => name);
	t.deepEqual(mounting("/sockets/mariadb"), ["mariadb", "schema", "ironic"]);
	t.deepEqual(mounting("/sockets/ironic"), ["ironic", "httpd"]);
	t.deepEqual(mounting("mariadb-data"), ["mariadb"]);
});

test("no secret stands in the project; secret files are readable by their service alone", (t) => {
	const stack = renderStack(siteOf(), inputsOf());
	const text = serialiseProject(stack.project);
	for (const secret of ["api-password", "database-password", "KEY", "$2y$"])
		t.false(text.includes(secret), secret);
	t.deepEqual(
		stack.files
			.filter(({ secret }) => secret)
			.map(({ path, mode, uid, live }) => [path, mode.toString(8), uid, live]),
		[
			["mariadb/init.sql", "400", 901, false],
			["schema/ironic.conf", "400", 902, false],
			["ironic/secrets.conf", "400", 902, false],
			["ironic/htpasswd", "400", 902, true],
			["ironic/health.secret", "400", 902, true],
			["httpd/tls.key", "400", 903, false],
		],
	);
	for (const { path, content, secret } of stack.files)
		if (!secret)
			for (const word of ["api-password", "database-password"]) t.false(content.includes(word), path);
});

test("no argument of a health check has a space in it: Podman 4.3 would split it", (t) => {
	for (const [name, { healthcheck }] of Object.entries(renderStack(siteOf(), inputsOf()).project.services))
		for (const argument of healthcheck?.test ?? []) t.notRegex(argument, /\s/, name);
});

test("containers on the bridge have fixed addresses and the MAC addresses that follow from them", (t) => {
	const { services, networks } = renderStack(
		siteOf(),
		inputsOf({ bridgeSubnet: "192.168.77.64/27" }),
	).project;
	t.deepEqual(services.ironic?.networks, {
		private: { ipv4_address: "192.168.77.84", mac_address: "02:42:c0:a8:4d:54" },
	});
	t.deepEqual(services.httpd?.networks, {
		private: { ipv4_address: "192.168.77.94", mac_address: "02:42:c0:a8:4d:5e" },
	});
	t.deepEqual(networks.private?.ipam, { config: [{ subnet: "192.168.77.64/27", gateway: "192.168.77.65" }] });
});

for (const subnet of ["10.0.0.0/28", "10.0.0.0", "fd00::/64", "10.0.0.0/24; drop", ""])
	test(`${JSON.stringify(subnet)} is refused as the bridge's subnet`, (t) => {
		t.throws(() => renderStack(siteOf(), inputsOf({ bridgeSubnet: subnet })), {
			code: "bridge-subnet-invalid",
		});
	});

test("with SQLite there is no server, no socket and no password; its file is on a volume that Ironic alone reads", (t) => {
	const base = inputsOf();
	const images = { ironic: base.images.ironic };
	const { directories, files, imageIds, project } = renderStack(
		siteOf({ bootstrap: { database: "sqlite" } }),
		inputsOf({ images }),
	);
	t.deepEqual(Object.keys(project.services), ["schema", "prepare", "ironic", "httpd", "dnsmasq"]);
	t.deepEqual(Object.keys(project.volumes), ["sqlite-data", "shared", "dnsmasq-leases"]);
	t.deepEqual(Object.keys(imageIds), ["localhost/ironstrap/ironic:29.0.5"]);
	t.false(files.some(({ path }) => path.startsWith("mariadb/")));
	t.false(directories.some(({ path }) => path.includes("mariadb")));
	const mounting = Object.entries(project.services)
		.filter(([, { volumes }]) => volumes?.some(({ source }) => source === "sqlite-data"))
		.map(([name]) => name);
	t.deepEqual(mounting, ["schema", "prepare", "ironic"]);
	t.deepEqual(project.services.schema?.depends_on, {
		prepare: { condition: "service_completed_successfully" },
	});
	t.false(serialiseProject(project).includes("/run/mysqld"));
	t.true(
		contentOf(files, "ironic/secrets.conf").includes(
			"connection = sqlite:////var/lib/ironstrap-database/ironic.sqlite?timeout=60\n",
		),
	);
	for (const { content, path } of files) t.false(content.includes("database-password"), path);
});

test("without DHCP there is no dnsmasq, none of its files and no lease volume", (t) => {
	const stack = renderStack(siteOf({ ironic: { networking: { ipAddress: "172.22.0.1" } } }), inputsOf());
	t.deepEqual(Object.keys(stack.project.services), ["mariadb", "schema", "prepare", "ironic", "httpd"]);
	t.deepEqual(Object.keys(stack.project.volumes), ["mariadb-data", "shared"]);
	t.false(stack.files.some(({ path }) => path.startsWith("dnsmasq")));
	t.false(stack.directories.some(({ path }) => path.startsWith("dnsmasq")));
});

const metal3Paths = {
	ironicVersion: "38.0.0",
	python: "/usr/bin/python3.12",
	httpd: "/usr/sbin/httpd",
	httpdModules: "/etc/httpd/modules",
	builtInModules: ["so"],
	mimeTypes: "/etc/mime.types",
	dnsmasq: "/usr/sbin/dnsmasq",
	firmware: {
		"undionly.kpxe": ["/tftpboot/undionly.kpxe"],
		"snponly-x86_64.efi": ["/tftpboot/snponly-x86_64.efi"],
		"snponly-arm64.efi": ["/tftpboot/snponly-arm64.efi"],
	},
	esp: "/templates/uefi_esp_x86_64.img",
	espAarch64: "/templates/uefi_esp_aarch64.img",
	grubConfigPath: "EFI/centos/grub.cfg",
	httpdUser: { uid: 997, gid: 994 },
	dnsmasqUser: "dnsmasq",
	dnsmasqNoNewPrivileges: false,
} as const;

test("a metal3 image runs with the engine's init process, its own user and its own paths", (t) => {
	const base = inputsOf();
	const layout = { kind: "probed", uid: 997, gid: 994, paths: metal3Paths } as const;
	const { project, files } = renderStack(
		siteOf(),
		inputsOf({ images: { ...base.images, ironic: { ...base.images.ironic, layout } } }),
	);
	t.is(project.services.ironic?.user, "997:994");
	t.is(project.services.httpd?.user, "997:994");
	t.true(project.services.ironic?.init);
	t.deepEqual(project.services.ironic?.entrypoint, []);
	t.is(project.services.ironic?.healthcheck?.test[1], "/usr/bin/python3.12");
	t.is(project.services.httpd?.command[0], "/usr/sbin/httpd");
	t.is(project.services.dnsmasq?.security_opt, undefined);
	t.true(
		contentOf(files, "ironic/ironic.conf").includes("bootloader = file:///templates/uefi_esp_x86_64.img\n"),
	);
	t.true(
		contentOf(files, "httpd/httpd.conf").includes(
			"LoadModule unixd_module /etc/httpd/modules/mod_unixd.so\n",
		),
	);
});

test("everything that is bound lies below the run directory, or is the deploy ramdisk", (t) => {
	const stack = renderStack(siteOf(), inputsOf({ runDirectory: "/run/elsewhere/x" }));
	const bound = Object.values(stack.project.services).flatMap(({ volumes }) =>
		(volumes ?? []).filter(({ type }) => type === "bind").map(({ source }) => source),
	);
	const made = stack.directories.map(({ path }) => `/run/elsewhere/x/${path}`);
	const ramdisk = ["/var/cache/ironstrap/ipa/vmlinuz", "/var/cache/ironstrap/ipa/initramfs"];
	t.deepEqual(
		[...new Set(bound)].filter((source) => ![...made, ...ramdisk].includes(source)),
		[],
	);
});

test("what is printed says the same as what is converged", (t) => {
	const { project } = renderStack(siteOf(), inputsOf());
	t.deepEqual(
		parse(serialiseProject(project), { version: "1.1" }) as ComposeProject,
		JSON.parse(JSON.stringify(project)),
	);
});

test("a dollar sign survives Compose's interpolation", (t) => {
	const { project } = renderStack(siteOf(), inputsOf({ runDirectory: "/run/$HOME" }));
	t.true(serialiseProject(project).includes("source: /run/$$HOME/httpd\n"));
	t.is(parseBase(serialiseProject(project)).services.httpd.volumes?.[0]?.source, "/run/$HOME/httpd");
});

test("a damaged base text is named as such", (t) => {
	t.throws(() => parseBase("name: x\n"), { code: "compose-base-damaged" });
	t.throws(() => parseBase(baseText.replace("  schema:\n", "  other:\n")), { code: "compose-base-damaged" });
});

test("site names become project names one to one, and bridge names that the kernel takes", (t) => {
	t.is(projectName("metal3"), "ironstrap-metal3");
	t.is(projectName("a.b-c"), "ironstrap-a_b-c");
	t.is(bridgeInterfaceName("metal3"), "is-8270e6d7");
	t.is(bridgeInterfaceName("x".repeat(253)).length, 11);
});

test("rendering twice gives the same", (t) => {
	t.deepEqual(renderStack(siteOf(), inputsOf()), renderStack(siteOf(), inputsOf()));
});
