import test from "ava";
import type { IronicManifest } from "../../../src/resources/ironic.ts";
import { ironicConf, ironicSecretsConf } from "../../../src/stack/ironic-conf.ts";
import { ramdiskKernelParams } from "../../../src/stack/kernel-params.ts";
import { renderStack } from "../../../src/stack/render.ts";
import { contentOf, inputsOf, siteOf } from "./fixture.ts";

/** Option → value as written, of one section. */
function section(text: string, name: string): Record<string, string> {
	const body = text.split(`\n[${name}]\n`)[1]?.split("\n[")[0] ?? "";
	const pairs = body.split("\n").flatMap((line) => {
		const match = /^(\S+) = (.*)$/.exec(line);
		return match === null ? [] : [[match[1] as string, match[2] as string] as const];
	});
	return Object.fromEntries(pairs);
}

function rendered(spec: IronicManifest["spec"] = {}): string {
	return ironicConf(siteOf({ ironic: spec }), inputsOf());
}

test("Ironic listens on a unix socket only, in one process without RPC", (t) => {
	const conf = rendered();
	t.is(section(conf, "DEFAULT").rpc_transport, "none");
	t.is(section(conf, "api").unix_socket, "/run/ironic/api.sock");
	t.is(section(conf, "api").host_ip, undefined);
	t.is(section(conf, "DEFAULT").auth_strategy, "http_basic");
	t.is(section(conf, "DEFAULT").host, "ironstrap-metal3");
});

test("ramdisks and BMCs are sent to the addresses that answer them", (t) => {
	const deploy = section(rendered(), "deploy");
	t.is(deploy.http_url, "http://172.22.0.1:6180");
	t.is(deploy.external_http_url, "https://172.22.0.1:6183");
	t.is(deploy.external_callback_url, "https://172.22.0.1:6385");
});

test("virtual media over plain HTTP comes from the file port, and the URLs of the site win", (t) => {
	t.is(
		section(rendered({ tls: { disableVirtualMediaTLS: true } }), "deploy").external_http_url,
		"http://172.22.0.1:6180",
	);
	const networking = {
		ipAddress: "172.22.0.1",
		externalCallbackURL: "https://ironic.example.org/",
		imageServerExternalURL: "https://images.example.org/",
	};
	const deploy = section(rendered({ networking }), "deploy");
	t.is(deploy.external_callback_url, "https://ironic.example.org");
	t.is(deploy.external_http_url, "https://images.example.org");
});

test("a deployment goes on with the ramdisk of the inspection, and the image comes from the conductor", (t) => {
	const conf = rendered();
	t.is(section(conf, "deploy").fast_track, "true");
	t.is(section(conf, "inspector").power_off, "false");
	t.is(section(conf, "agent").image_download_source, "local");
	t.is(section(conf, "conductor").force_power_state_during_sync, "false");
	t.is(section(conf, "conductor").automated_clean, "true");
});

test("Ironic gives up before the deadlines of the site do", (t) => {
	const deadlines = { inspect: "20m", provision: "40m", prepare: "10m" };
	const conductor = section(ironicConf(siteOf({ bootstrap: { deadlines } }), inputsOf()), "conductor");
	t.is(conductor.inspect_wait_timeout, "1080");
	t.is(conductor.deploy_callback_timeout, "2160");
	t.is(conductor.clean_callback_timeout, "540");
});

test("extraConfig has the last word, reaches any group, and skips what has no name or value", (t) => {
	const conf = rendered({
		extraConfig: [
			{ group: "deploy", name: "fast_track", value: "false" },
			{ name: "DEBUG", value: "true" },
			{ group: "DEFAULT", name: "hash_partition_exponent", value: "4" },
			{ group: "NOVEL", name: "option", value: "1" },
			{ group: "api", name: "max_limit", value: "" },
			{ group: "api", value: "x" },
		],
	});
	t.is(section(conf, "deploy").fast_track, "false");
	t.is(section(conf, "DEFAULT").debug, "true");
	t.is(section(conf, "DEFAULT").hash_partition_exponent, "4");
	t.is(section(conf, "novel").option, "1");
	t.is(section(conf, "api").max_limit, "1000");
	t.is(conf.split("fast_track").length, 2);
});

test("values that oslo.config would read differently are escaped", (t) => {
	const written = (value: string) =>
		section(rendered({ extraConfig: [{ group: "x", name: "y", value }] }), "x").y;
	t.is(written("a$b $my_ip"), "a$$b $$my_ip");
	t.is(written("a\\$b"), "a\\\\$b");
	t.is(written('"quoted"'), '""quoted""');
	t.is(written("'quoted'"), "\"'quoted'\"");
	t.is(written(" spaced "), '" spaced "');
	t.is(written("100%"), "100%");
	t.is(written("# no comment ; neither"), "# no comment ; neither");
});

for (const [what, entry] of Object.entries({
	"a line break in a value": { group: "x", name: "y", value: "1\n[api]\nhost_ip = 0.0.0.0" },
	"a carriage return in a value": { group: "x", name: "y", value: "1\rz" },
	"a zero byte in a value": { group: "x", name: "y", value: "1\0" },
	"a name with an equals sign": { group: "x", name: "y=z", value: "1" },
	"a name with a line break": { group: "x", name: "y\nz", value: "1" },
	"a group with a bracket": { group: "x]\n[api", name: "y", value: "1" },
}))
	test(`${what} of extraConfig is refused`, (t) => {
		t.throws(() => rendered({ extraConfig: [entry] }), { code: "ironic-option-invalid" });
	});

test("the database password is in the secret file only, and safe in a URL", (t) => {
	const inputs = inputsOf({
		credentials: { ...inputsOf().credentials, databasePassword: "p@ss/w:rd%$'\"" },
	});
	t.is(
		section(ironicSecretsConf(siteOf(), inputs), "database").connection,
		"mysql+pymysql://ironic:p%40ss%2Fw%3Ard%25%24'%22@localhost/ironic?unix_socket=/run/mysqld/mysqld.sock&charset=utf8mb4",
	);
	t.is(section(ironicConf(siteOf(), inputs), "database").connection, undefined);
});

test("kernel parameters: nothing about a console unless the site says so", (t) => {
	t.is(ramdiskKernelParams(siteOf()), "nofb nomodeset vga=normal ipa-insecure=1");
	const deployRamdisk = {
		extraKernelParams: " console=ttyS0,115200n8 ipa-debug=1 ",
		sshKey: "ssh-ed25519 AAAAC3Nz+/= me@here\n",
	};
	t.is(
		ramdiskKernelParams(siteOf({ ironic: { deployRamdisk } })),
		'nofb nomodeset vga=normal ipa-insecure=1 console=ttyS0,115200n8 ipa-debug=1 sshkey="ssh-ed25519 AAAAC3Nz+/= me@here"',
	);
});

for (const bad of [
	"a\nb",
	"x; reboot",
	// biome-ignore lint/suspicious/noTemplateCurlyInString: iPXE expands it
	"${net0/mac}",
	"$(id)",
	"a`b",
	"a&b",
	"a|b",
	"a{b}",
	"a<b",
	"a\\b",
	"a'b",
])
	test(`${JSON.stringify(bad)} is refused as a kernel parameter`, (t) => {
		for (const deployRamdisk of [{ extraKernelParams: bad }, { sshKey: bad }])
			t.throws(() => rendered({ deployRamdisk }), { code: "kernel-parameter-characters" });
	});

test("collectors and VLAN interfaces reach the inspection ramdisk", (t) => {
	const conf = rendered({
		inspection: { collectors: ["default", "lldp"], vlanInterfaces: ["eth0", "eth1.100"] },
	});
	t.is(
		section(conf, "inspector").extra_kernel_params,
		"ipa-inspection-collectors=default,lldp ipa-enable-vlan-interfaces=eth0,eth1.100",
	);
	t.is(section(rendered(), "inspector").extra_kernel_params, undefined);
	t.throws(() => rendered({ inspection: { collectors: ["a b"] } }), { code: "kernel-parameter-characters" });
});

const pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";
const metadata = { name: "ca", namespace: "metal3" };

test("certificates for BMCs and image servers are mounted and named", (t) => {
	const site = siteOf({
		ironic: {
			tls: {
				bmcCA: { kind: "Secret", name: "ca" },
				trustedCA: { kind: "ConfigMap", name: "ca", key: "b.crt" },
			},
		},
		secrets: [
			{ apiVersion: "v1", kind: "Secret", metadata, stringData: { "x.crt": `${pem}\n`, "y.crt": pem } },
		],
		configMaps: [{ apiVersion: "v1", kind: "ConfigMap", metadata, data: { "a.crt": "other", "b.crt": pem } }],
	});
	const { files } = renderStack(site, inputsOf());
	t.is(contentOf(files, "ironic/bmc-ca.pem"), `${pem}\n${pem}\n`);
	t.is(contentOf(files, "prepare/trusted-ca.pem"), `${pem}\n`);
	const conf = contentOf(files, "ironic/ironic.conf");
	t.is(section(conf, "redfish").verify_ca, "/etc/ironstrap/ironic/bmc-ca.pem");
	t.is(section(conf, "DEFAULT").webserver_verify_ca, "/shared/image-server-authorities.pem");
	t.regex(
		contentOf(files, "prepare/prepare.sh"),
		/ca-certificates\.crt.*\n(.*\n)*cat \/etc\/ironstrap\/prepare\/trusted-ca\.pem/,
	);
});

test("a CA that is not there, or is none, is refused", (t) => {
	const missing = siteOf({ ironic: { tls: { trustedCAName: "ca" } } });
	t.throws(() => renderStack(missing, inputsOf()), { code: "ca-missing" });
	const wrong = siteOf({
		ironic: { tls: { bmcCAName: "ca" } },
		secrets: [{ apiVersion: "v1", kind: "Secret", metadata, stringData: { "tls.crt": "not a certificate" } }],
	});
	t.throws(() => renderStack(wrong, inputsOf()), { code: "ca-missing" });
});

test("a ramdisk reports often where there are few servers, and seldom where there are many", (t) => {
	const timeout = (count: number) => {
		const site = siteOf();
		const [host] = site.hosts;
		const hosts = Array.from({ length: count }, () => host).filter((each) => each !== undefined);
		return /^ramdisk_heartbeat_timeout = (\d+)$/m.exec(ironicConf({ ...site, hosts }, inputsOf()))?.[1];
	};
	t.deepEqual([1, 50, 51, 250, 251].map(timeout), ["30", "30", "120", "120", "300"]);
});
