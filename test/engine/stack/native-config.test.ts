import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import anyTest, { type TestFn } from "ava";
import { imageStore } from "../../../lab/image-store.ts";
import { startPodman } from "../../../lab/podman.ts";
import { type Sandbox, startSandbox } from "../../../lab/sandbox.ts";
import { renderStack } from "../../../src/stack/render.ts";
import { inputsOf, provisioningNetwork, type SiteParts, siteOf } from "../../unit/stack/fixture.ts";

/* What is rendered, read by the programs it is for, out of the images that the stack runs. */

const test = anyTest as TestFn<{ sandbox: Sandbox }>;

const run = "/run/ironstrap-lab/rendered";

test.before(async (t) => {
	t.timeout(600_000);
	const store = await imageStore();
	const sandbox = await startSandbox({ name: "native-config" });
	t.context = { sandbox };
	await startPodman(sandbox, { imageStores: [store] });
});

test.after.always(async (t) => t.context.sandbox?.stop());

/** Writes what a site renders to, and runs a program over it in the image. */
async function check(
	sandbox: Sandbox,
	parts: SiteParts,
	image: string,
	command: readonly string[],
	ipv6Cidr?: string,
) {
	const base = inputsOf();
	const inputs = { ...base, provisioning: { ...base.provisioning, interface: "lo", ipv6Cidr } };
	await sandbox.run("rm", ["-rf", run]);
	for (const { path, content } of renderStack(siteOf(parts), inputs).files) {
		mkdirSync(dirname(sandbox.path(`${run}/${path}`)), { recursive: true });
		writeFileSync(sandbox.path(`${run}/${path}`), content, { mode: 0o644 });
	}
	const key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -subj /CN=x";
	await sandbox.run("sh", [
		"-ec",
		`openssl req -x509 ${key} -keyout ${run}/httpd/tls.key -out ${run}/httpd/tls.crt 2>/dev/null`,
	]);
	const options = [
		"--rm",
		"--network",
		"none",
		"--read-only",
		"--tmpfs",
		"/tmp",
		"--tmpfs",
		"/shared/html",
		"-v",
		`${run}:/etc/ironstrap:ro`,
	];
	return sandbox.run("podman", ["run", ...options, `localhost/ironstrap/${image}:latest`, ...command], {
		reject: false,
	});
}

const everything: SiteParts = {
	ironic: {
		networking: {
			...provisioningNetwork,
			dhcp: {
				...provisioningNetwork.dhcp,
				gatewayAddress: "172.22.0.254",
				serveDNS: true,
				hosts: ["52:54:00:ab:00:09,172.22.0.9,set:nine", "id:*,set:any"],
				ignore: ["tag:unwanted"],
				extraRanges: [
					{
						networkCIDR: "10.1.0.0/16",
						rangeBegin: "10.1.0.10",
						rangeEnd: "10.1.9.10",
						gatewayAddress: "10.1.0.1",
					},
				],
			},
		},
		tls: { disableVirtualMediaTLS: true },
	},
};

const ipv6Only: SiteParts = {
	ironic: {
		networking: {
			ipAddress: "172.22.0.1",
			dhcp: {
				networkCIDR: "fd00:1abc::/64",
				rangeBegin: "fd00:1abc::100",
				rangeEnd: "fd00:1abc::200",
				dnsAddress: "fd00:1abc::53",
			},
		},
	},
};

for (const [what, parts, ipv6Cidr] of [
	["the usual site", {}, undefined],
	["a site with router advertisements", {}, "fd00:1abc::1/64"],
	["a site that uses every option", everything, undefined],
	["a site with an IPv6 range", ipv6Only, undefined],
] as const) {
	test.serial(`dnsmasq takes its configuration: ${what}`, async (t) => {
		const command = ["dnsmasq", "--test", "--conf-file=/etc/ironstrap/dnsmasq/dnsmasq.conf"];
		const { stderr, exitCode } = await check(t.context.sandbox, parts, "ironic", command, ipv6Cidr);
		t.is(exitCode, 0, stderr);
		t.regex(stderr, /syntax check OK/);
	});
}

for (const [what, parts] of [
	["virtual media over TLS", {}],
	["virtual media over plain HTTP", everything],
] as const)
	test.serial(`httpd takes its configuration: ${what}`, async (t) => {
		const command = ["apache2", "-t", "-f", "/etc/ironstrap/httpd/httpd.conf"];
		const { stderr, exitCode } = await check(t.context.sandbox, parts, "ironic", command);
		t.is(exitCode, 0, stderr);
		t.is(stderr.trim(), "Syntax OK");
	});

test.serial("MariaDB takes its configuration", async (t) => {
	const command = ["mariadbd", "--defaults-file=/etc/ironstrap/mariadb/my.cnf", "--help", "--verbose"];
	const { stdout, stderr, exitCode } = await check(t.context.sandbox, {}, "mariadb", command);
	t.is(exitCode, 0, stderr);
	t.regex(stdout, /^skip-networking\s+TRUE$/m);
	t.regex(stdout, /^collation-server\s+utf8mb4_general_ci$/m);
	t.regex(stdout, /^init-file\s+\/etc\/ironstrap\/mariadb\/init\.sql$/m);
});

/** Ironic's own option definitions over the rendered files; values of options that Ironic does not know come as text. */
const readOptions = `
import json, sys
from oslo_config import cfg
import ironic.conf, oslo_concurrency.lockutils, oslo_log.log, oslo_db.options, oslo_service._options
known, wanted = ironic.conf.CONF, json.loads(sys.argv[1])
oslo_log.log.register_options(known)
known(["--config-file", "/etc/ironstrap/ironic/ironic.conf", "--config-file", "/etc/ironstrap/ironic/secrets.conf"], project="ironic")
known.register_opts(oslo_db.options.database_opts, group="database")
known.register_opts(oslo_service._options.service_opts)
known.register_opts([cfg.StrOpt(name) for name in wanted], group="hostile")
values = {name: known.hostile[name] for name in wanted}
namespace = known._namespace
written = [(s, o) for parsed in namespace._parsed for s in parsed for o in parsed[s]]
unknown = []
for section, option in written:
    try:
        getattr(known if section == "DEFAULT" else getattr(known, section), option)
    except (cfg.NoSuchOptError, cfg.NoSuchGroupError, AttributeError):
        unknown.append(section + "." + option)
print(json.dumps({"hostile": values, "unknown": sorted(unknown), "connection": known.database.connection,
  "fast_track": known.deploy.fast_track, "params": known.pxe.kernel_append_params, "socket": known.api.unix_socket}))
`;

test.serial("Ironic reads every value as it was meant, and knows every option that we set", async (t) => {
	const hostile = {
		// biome-ignore lint/suspicious/noTemplateCurlyInString: oslo.config has such references, too
		dollar: "a$b ${c} $my_ip $$",
		percent: "100% %(host)s %%",
		quoted: '"both"',
		single: "'both'",
		inner: 'it\'s "so"',
		spaces: "  at the ends  ",
		comment: "# not a comment ; nor this",
		equals: "a=b: c",
		unicode: "grüße → 設定",
		backslash: "C:\\path\\$x \\\\$ \\$$ $\\",
	};
	const extraConfig = Object.entries(hostile).map(([name, value]) => ({ group: "hostile", name, value }));
	const command = ["python3", "-c", readOptions, JSON.stringify(Object.keys(hostile))];
	const { stdout, stderr, exitCode } = await check(
		t.context.sandbox,
		{ ironic: { extraConfig } },
		"ironic",
		command,
	);
	t.is(exitCode, 0, stderr);
	const read = JSON.parse(stdout) as Record<string, unknown>;
	t.deepEqual(read.hostile, hostile);
	t.deepEqual(read.unknown, []);
	t.is(read.fast_track, true);
	t.is(read.socket, "/run/ironic/api.sock");
	t.is(read.params, "nofb nomodeset vga=normal ipa-insecure=1");
	t.regex(String(read.connection), /^mysql\+pymysql:\/\/ironic:database-password@localhost\/ironic\?/);
});
