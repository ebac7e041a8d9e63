import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import anyTest, { type TestFn } from "ava";
import fc from "fast-check";
import { parse } from "yaml";
import { imageStore } from "../../../lab/image-store.ts";
import { startPodman } from "../../../lab/podman.ts";
import { type Sandbox, startSandbox } from "../../../lab/sandbox.ts";
import { IronstrapError } from "../../../src/lib/errors.ts";
import type { Stack } from "../../../src/stack/inputs.ts";
import { renderStack } from "../../../src/stack/render.ts";
import { serialiseProject } from "../../../src/stack/serialise.ts";
import { lintText, summary } from "../../support/site-text.ts";
import { contentOf, inputsOf, siteOf } from "../../unit/stack/fixture.ts";
import { type ArbitrarySite, hostileSite, hostileText, validSite } from "./arbitrary-site.ts";

/*
 * Whatever valid site is rendered, the programs take it; whatever hostile text stands in one, it arrives unchanged or is
 * refused with a reason. One container reads all of them: dnsmasq, Apache and Ironic's own option parser.
 */

interface Read {
	readonly dnsmasq: string;
	readonly httpd: string;
	readonly ironic: {
		readonly error?: string;
		readonly extra: Readonly<Record<string, string>>;
		readonly password: string;
		readonly params: string;
		readonly inspection: string | null;
		readonly callback: string;
		readonly media: string;
	};
}

interface Rendered extends ArbitrarySite {
	readonly stack: Stack;
	readonly password: string;
	readonly field?: string;
	readonly text?: string;
}

interface Context {
	readonly sandbox: Sandbox;
	readonly valid: readonly Rendered[];
	readonly hostile: readonly Rendered[];
	readonly refused: readonly { readonly field: string; readonly text: string; readonly error: unknown }[];
	readonly read: readonly Read[];
}

const test = anyTest as TestFn<Context>;
const directory = "/run/ironstrap-lab/rendered";
const seed = Number(process.env.SEED ?? 20_261_130);

test.before(async (t) => {
	t.timeout(300_000);
	const passwords = fc.sample(hostileText, { numRuns: 240, seed });
	const valid = fc
		.sample(validSite, { numRuns: 80, seed })
		.map((site, index): Rendered => rendered(site, passwords[index] ?? ""));
	const hostile: Rendered[] = [];
	const refused: Context["refused"][number][] = [];
	for (const [index, site] of fc.sample(hostileSite, { numRuns: 160, seed }).entries())
		try {
			hostile.push(rendered(site, passwords[80 + index] ?? ""));
		} catch (error) {
			refused.push({ field: site.field, text: site.text, error });
		}
	const store = await imageStore();
	const sandbox = await startSandbox({ name: "config-properties" });
	await startPodman(sandbox, { imageStores: [store] });
	const read = await readAll(sandbox, [...valid, ...hostile]);
	t.context = { sandbox, valid, hostile, refused, read };
});

test.after.always(async (t) => t.context.sandbox?.stop());

function rendered<Site extends ArbitrarySite>(site: Site, password: string): Site & Rendered {
	const base = inputsOf();
	const ipv6 = site.ironic.networking?.ipAddress?.includes(":") === true;
	const address = site.ironic.networking?.ipAddress ?? "";
	const inputs = {
		...base,
		provisioning: {
			address,
			interface: "lo",
			cidr: site.ironic.networking?.dhcp?.networkCIDR ?? "",
			ipv6Cidr: ipv6 ? `${address}/64` : "fd00:1abc::1/64",
		},
		localAddresses: [address, "198.51.100.7"],
		credentials: { ...base.credentials, databasePassword: password },
	};
	return { ...site, password, stack: renderStack(siteOf(site), inputs) };
}

/** Reads every site's files with the programs they are for. */
const reader = `
import contextlib, glob, io, json, subprocess, sys
from oslo_config import cfg
import sqlalchemy.engine
import ironic.conf, oslo_log.log, oslo_db.options

def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr

conf = ironic.conf.CONF
oslo_log.log.register_options(conf)
conf.register_opts(oslo_db.options.database_opts, group="database")

def options(site):
    conf.clear()
    conf(["--config-file", site + "/ironic/ironic.conf", "--config-file", site + "/ironic/secrets.conf"], project="ironic")
    for group in [None] + list(conf._groups):
        section = conf if group is None else getattr(conf, group)
        for name in (conf._opts if group is None else conf._groups[group]._opts):
            getattr(section, name)
    written = [parsed.get("hostile", {}) for parsed in conf._namespace._parsed]
    # a value is read as an option of this name would be
    names = sorted({name for options in written for name in options})
    extra = {}
    for name in names:
        conf.register_opt(cfg.StrOpt(name), group="hostile")
        extra[name] = conf.hostile[name.replace("-", "_")]
    for name in names:
        conf.clear()
        conf.unregister_opt(cfg.StrOpt(name), group="hostile")
    conf(["--config-file", site + "/ironic/ironic.conf", "--config-file", site + "/ironic/secrets.conf"], project="ironic")
    return {"extra": extra, "password": sqlalchemy.engine.make_url(conf.database.connection).password,
      "params": conf.pxe.kernel_append_params, "inspection": conf.inspector.extra_kernel_params,
      "callback": conf.deploy.external_callback_url, "media": conf.deploy.external_http_url}

answers = []
for number in range(int(sys.argv[1])):
    site = "/sites/%d" % number
    answer = {"httpd": run("apache2", "-t", "-f", site + "/httpd/httpd.conf"), "dnsmasq": ""}
    if glob.glob(site + "/dnsmasq/dnsmasq.conf"):
        answer["dnsmasq"] = run("dnsmasq", "--test", "--conf-file=" + site + "/dnsmasq/dnsmasq.conf")
    try:
        answer["ironic"] = options(site)
    except Exception as error:
        answer["ironic"] = {"error": "%s: %s" % (type(error).__name__, error)}
    answers.append(answer)
print(json.dumps(answers))
`;

async function readAll(sandbox: Sandbox, sites: readonly Rendered[]): Promise<readonly Read[]> {
	for (const [index, { stack }] of sites.entries())
		for (const { path, content } of stack.files) {
			const file = sandbox.path(`${directory}/${index}/${path}`);
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, content);
		}
	writeFileSync(sandbox.path(`${directory}/reader.py`), reader);
	const key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -subj /CN=x";
	const tls = `mkdir -p ${directory}/tls && openssl req -x509 ${key} -keyout ${directory}/tls/tls.key -out ${directory}/tls/tls.crt 2>/dev/null`;
	await sandbox.run("sh", ["-ec", tls]);
	const options = ["--rm", "--network", "none", "--read-only", "--tmpfs", "/tmp", "--tmpfs", "/shared/html"];
	const mounts = ["-v", `${directory}:/sites:ro`, "-v", `${directory}/tls:/etc/ironstrap/httpd:ro`];
	const command = ["python3", "/sites/reader.py", String(sites.length)];
	const { stdout } = await sandbox.run("podman", [
		"run",
		...options,
		...mounts,
		"localhost/ironstrap/ironic:latest",
		...command,
	]);
	return JSON.parse(stdout) as Read[];
}

test.serial("what is generated as valid is valid: the linter finds no error", (t) => {
	for (const { ironic, bootstrap } of t.context.valid) {
		const metadata = { name: "metal3", namespace: "metal3" };
		const documents = [
			{ apiVersion: "ironic.metal3.io/v1alpha1", kind: "Ironic", metadata, spec: ironic },
			{ apiVersion: "ironstrap.io/v1alpha1", kind: "Bootstrap", metadata, spec: bootstrap },
		];
		const errors = lintText(documents.map((document) => JSON.stringify(document)).join("\n---\n")).filter(
			({ severity }) => severity === "error",
		);
		t.deepEqual(summary(errors), [], JSON.stringify(documents));
	}
	t.true(t.context.valid.some(({ stack }) => stack.project.services.dnsmasq === undefined));
});

test.serial("dnsmasq, Apache and Ironic take every configuration", (t) => {
	const { hostile, read, valid } = t.context;
	t.is(read.length, valid.length + hostile.length);
	for (const [index, { bootstrap, ironic }] of [...valid, ...hostile].entries()) {
		const seen = read[index];
		const site = JSON.stringify({ bootstrap, ironic });
		t.is(seen?.dnsmasq, "", site);
		t.is(seen?.httpd, "", site);
		t.is(seen?.ironic.error, undefined, site);
	}
});

test.serial("values of any character arrive in Ironic unchanged", (t) => {
	const { hostile, read, valid } = t.context;
	let values = 0;
	for (const [index, { ironic, password }] of [...valid, ...hostile].entries()) {
		const seen = read[index]?.ironic;
		const wanted = (ironic.extraConfig ?? []).map(({ name = "", value = "" }) => [name.toLowerCase(), value]);
		t.deepEqual(seen?.extra, Object.fromEntries(wanted), JSON.stringify(ironic.extraConfig));
		t.is(seen?.password, password);
		values += wanted.length;
	}
	t.true(values > 100, String(values));
});

test.serial("what stands in a free-text field arrives unchanged", (t) => {
	const { hostile, read, valid } = t.context;
	const seen: Record<string, number> = {};
	for (const [index, { field = "", ironic, stack, text = "" }] of hostile.entries()) {
		const values = read[valid.length + index]?.ironic;
		const { networking = {} } = ironic;
		const lines = stack.project.services.dnsmasq
			? contentOf(stack.files, "dnsmasq/dnsmasq.conf").split("\n")
			: undefined;
		seen[field] = (seen[field] ?? 0) + 1;
		if (field === "dhcp.hosts") t.true(lines?.includes(`dhcp-host=${text.trim()}`) ?? true, text);
		if (field === "dhcp.ignore") t.true(lines?.includes(`dhcp-ignore=${text.trim()}`) ?? true, text);
		if (field === "deployRamdisk.extraKernelParams") t.true(values?.params.endsWith(text.trim()), text);
		if (field === "deployRamdisk.sshKey") t.true(values?.params.includes(text.trim()), text);
		if (field.startsWith("inspection.")) t.true(values?.inspection?.endsWith(`=${text}`), text);
		if (field === "externalCallbackURL")
			t.is(values?.callback, networking.externalCallbackURL?.replace(/\/+$/, ""));
		if (field === "imageServerExternalURL")
			t.is(values?.media, networking.imageServerExternalURL?.replace(/\/+$/, ""));
	}
	t.log(JSON.stringify(seen));
});

test.serial("what does not arrive is refused with a reason, a field and a way out", (t) => {
	const { refused } = t.context;
	t.true(refused.length > 40, String(refused.length));
	for (const { error, field, text } of refused) {
		// fields with a schema are refused by it, before anything is rendered
		if (/URL$/.test(field)) continue;
		t.true(error instanceof IronstrapError, `${field} ${JSON.stringify(text)}: ${error}`);
		const { code, fix, message } = error as IronstrapError;
		t.regex(code, /^[a-z-]+$/);
		t.true(message.length > 20 && (fix ?? "").length > 10, message);
	}
});

test.serial("no rendered text has an empty value", (t) => {
	for (const { stack } of [...t.context.valid, ...t.context.hostile]) {
		for (const { content, path } of stack.files)
			if (/\.(conf|cnf)$/.test(path))
				for (const line of content.split("\n")) {
					t.notRegex(line, /^[^=]*=\s*$/, `${path}: ${line}`);
					if (path.startsWith("dnsmasq")) t.notRegex(line, /,,|,$/, `${path}: ${line}`);
					if (path.startsWith("httpd")) t.notRegex(line, /""/, `${path}: ${line}`);
				}
		t.deepEqual(emptyValues(parse(serialiseProject(stack.project))), []);
	}
});

/** Paths of strings and nulls with nothing in them. */
function emptyValues(value: unknown, path = ""): readonly string[] {
	if (value === null || value === "") return [path];
	if (typeof value !== "object") return [];
	return Object.entries(value).flatMap(([key, item]) => emptyValues(item, `${path}.${key}`));
}
