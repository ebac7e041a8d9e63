import { z } from "zod";
import { IronstrapError } from "../lib/errors.ts";
import type { ImageLayout } from "../resources/image-layout.ts";
import type { ImageRole } from "./sources.ts";

/** Arguments of `/bin/sh` that look around in an image and print one line of JSON about it. Nothing is changed. */
export function probeCommand(role: ImageRole): readonly string[] {
	return ["/bin/sh", "-c", role === "ironic" ? ironicScript : databaseScript];
}

/** What a probe printed, among whatever else an image writes. Codes: `image-probe-failed`, `image-incomplete`. */
export function parseProbe(role: ImageRole, reference: string, output: string): ImageLayout {
	const line = output.split("\n").findLast((each) => each.startsWith("{"));
	const found = line === undefined ? undefined : probeSchema.safeParse(JSON.parse(line));
	if (found === undefined || !found.success)
		throw new IronstrapError({
			code: "image-probe-failed",
			message: `it could not be found out what is in ${reference}`,
			seen: output.trim().split("\n").slice(-5).join("\n"),
			fix: `use an image of ${upstream[role]}, or one that \`ironstrap images build ${role}\` made`,
		});
	const { missing, uid, gid, init, paths, version } = found.data;
	if (
		missing.length > 0 ||
		uid === undefined ||
		gid === undefined ||
		(role === "ironic" && paths === undefined)
	)
		throw new IronstrapError({
			code: "image-incomplete",
			message: `${reference} lacks what ${role === "ironic" ? "Ironic's services need" : "the database needs"}`,
			seen: missing.join(", "),
			fix: `use an image of ${upstream[role]}, or one that \`ironstrap images build ${role}\` made`,
		});
	return { kind: "probed", uid, gid, init, paths, version: version ?? paths?.ironicVersion };
}

const upstream = {
	ironic: "metal3-io/ironic-image",
	mariadb: "MariaDB (docker.io/library/mariadb)",
} as const;

const user = z.strictObject({ uid: z.int(), gid: z.int() });

const probeSchema = z.strictObject({
	missing: z.array(z.string()),
	uid: z.int().optional(),
	gid: z.int().optional(),
	init: z.string().optional(),
	version: z.string().optional(),
	paths: z
		.strictObject({
			ironicVersion: z.string(),
			python: z.string(),
			httpd: z.string(),
			httpdModules: z.string(),
			builtInModules: z.array(z.string()),
			mimeTypes: z.string(),
			dnsmasq: z.string(),
			firmware: z.record(z.string(), z.array(z.string())),
			esp: z.string(),
			espAarch64: z.string().optional(),
			grubConfigPath: z.string(),
			isolinux: z.strictObject({ bin: z.string(), ldlinux: z.string() }).optional(),
			httpdUser: user,
			dnsmasqUser: z.string(),
			dnsmasqNoNewPrivileges: z.boolean(),
		})
		.optional(),
});

const initNames = "tini catatonit dumb-init";

/** Python that has Ironic; distributions give it several names. Nothing of the program may need a single quote. */
const ironicScript = `
for python in python3 python3.14 python3.13 python3.12 python3.11 python3.9; do
	command -v $python >/dev/null 2>&1 && $python -c "import ironic" 2>/dev/null && break
	python=
done
if [ -z "$python" ]; then echo '{"missing":["Ironic"]}'; exit 0; fi
exec $python -c '
import glob, importlib.metadata, json, os, pwd, re, shutil, subprocess, sys

missing = []
def which(*names):
    places = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return next((found for found in (shutil.which(name, path=places) for name in names) if found), None)
def first(*paths):
    return next((path for path in paths if os.path.exists(path)), None)
def need(what, found):
    if not found:
        missing.append(what)
    return found
def account(name):
    try:
        entry = pwd.getpwnam(name)
        return {"uid": entry.pw_uid, "gid": entry.pw_gid}
    except KeyError:
        return None
def without_none(values):
    return {key: value for key, value in values.items() if value is not None}

need("ironic", which("ironic"))
need("ironic-dbsync", which("ironic-dbsync"))
need("mkisofs", which("mkisofs"))
httpd = need("httpd", which("apache2", "httpd"))
modules = need("httpd modules", first("/usr/lib/apache2/modules", "/etc/httpd/modules", "/usr/lib64/httpd/modules"))
built_in = []
if httpd:
    listed = subprocess.run([httpd, "-l"], capture_output=True, text=True).stdout
    built_in = re.findall(r"mod_(\\w+)\\.c", listed)
for name in "mpm_event proxy_http ssl rewrite headers reqtimeout socache_shmcb".split():
    if name not in built_in and not os.path.exists("%s/mod_%s.so" % (modules, name)):
        missing.append("mod_" + name)
dnsmasq = need("dnsmasq", which("dnsmasq"))
firmware = {
    "undionly.kpxe": ["/tftpboot/undionly.kpxe", "/usr/lib/ipxe/undionly.kpxe", "/usr/share/ipxe/undionly.kpxe"],
    "snponly-x86_64.efi": ["/tftpboot/snponly-x86_64.efi", "/tftpboot/snponly.efi", "/usr/lib/ipxe/snponly.efi",
        "/usr/share/ipxe/ipxe-snponly-x86_64.efi"],
    "snponly-arm64.efi": ["/tftpboot/snponly-arm64.efi", "/usr/lib/ipxe/snponly-arm64.efi",
        "/usr/share/ipxe/arm64-efi/snponly.efi"],
}
firmware = {name: [path for path in paths if os.path.exists(path)] for name, paths in firmware.items()}
need("iPXE for BIOS", firmware["undionly.kpxe"])
need("iPXE for UEFI", firmware["snponly-x86_64.efi"])
esp = need("EFI system partition image", first("/templates/uefi_esp_x86_64.img", "/templates/uefi_esp.img",
    "/usr/share/ironstrap/esp-x86_64.img"))
isolinux = first("/usr/lib/ISOLINUX/isolinux.bin", "/usr/share/syslinux/isolinux.bin")
ldlinux = first("/usr/lib/syslinux/modules/bios/ldlinux.c32", "/usr/share/syslinux/ldlinux.c32")
release = dict(line.strip().split("=", 1) for line in open("/etc/os-release") if "=" in line)
try:
    os.getxattr(dnsmasq, "security.capability")
    capabilities = True
except (OSError, TypeError):
    capabilities = False
service = need("user ironic", account("ironic"))
answer = {"missing": missing, "init": which(*"${initNames}".split())}
if not missing:
    answer.update(service)
    answer["paths"] = without_none({
        "ironicVersion": importlib.metadata.version("ironic"), "python": sys.executable, "httpd": httpd,
        "httpdModules": modules, "builtInModules": built_in, "dnsmasq": dnsmasq, "firmware": firmware,
        "mimeTypes": first("/etc/mime.types", "/etc/httpd/conf/mime.types", "/etc/apache2/mime.types") or "/dev/null",
        "esp": esp, "espAarch64": first("/templates/uefi_esp_aarch64.img"),
        "grubConfigPath": "EFI/%s/grub.cfg" % release.get("ID", "debian").strip("\\""),
        "isolinux": {"bin": isolinux, "ldlinux": ldlinux} if isolinux and ldlinux else None,
        "httpdUser": service,
        "dnsmasqUser": next((name for name in ("dnsmasq", "nobody") if account(name)), "root"),
        "dnsmasqNoNewPrivileges": not capabilities,
    })
print(json.dumps(without_none(answer)))
'
`;

const databaseScript = `
missing=
for program in mariadbd mariadb mariadb-install-db mariadb-dump; do
	command -v $program >/dev/null 2>&1 || missing="$missing,\\"$program\\""
done
uid=$(id -u mysql 2>/dev/null) || missing="$missing,\\"user mysql\\""
gid=$(id -g mysql 2>/dev/null)
for init in ${initNames}; do
	init=$(command -v $init) && break
done
version=$(mariadbd --no-defaults --version 2>/dev/null | sed -n 's/.*Ver \\([0-9][0-9.]*\\).*/\\1/p')
echo "{\\"missing\\":[\${missing#,}]\${version:+,\\"version\\":\\"$version\\"}\${uid:+,\\"uid\\":$uid}\${gid:+,\\"gid\\":$gid}\${init:+,\\"init\\":\\"$init\\"}}"
`;
