import { dhcpModeOf, type ServedMode } from "../resources/dhcp-mode.ts";
import type { Site } from "../resources/site.ts";
import { bootIpxe } from "./boot-ipxe.ts";
import { bmcCertificates, trustedCertificates } from "./certificates.ts";
import { databaseImage, usesSqlite } from "./database.ts";
import { dnsmasqConf, dnsmasqHosts } from "./dnsmasq-conf.ts";
import { servesFamily } from "./dnsmasq-ranges.ts";
import { dnsmasqHealth, httpdHealth, ironicHealth, mariadbHealth } from "./health-scripts.ts";
import { httpdConf } from "./httpd-conf.ts";
import { imagePaths } from "./image-paths.ts";
import type { ConfigDirectory, ConfigFile, StackInputs } from "./inputs.ts";
import { ironicConf, ironicSecretsConf, schemaConf } from "./ironic-conf.ts";
import { mariadbConf, mariadbInitSql, mariadbStart } from "./mariadb-conf.ts";
import { prepareScript } from "./one-shot-scripts.ts";
import { schemaScript } from "./schema-script.ts";

interface Owner {
	readonly uid: number;
	readonly gid: number;
}

const root: Owner = { uid: 0, gid: 0 };

/**
 * One directory for each service, which it mounts as a whole: a file is replaced by rename, and a container that
 * mounted the file itself would keep the old one.
 */
export function configDirectories(site: Site, inputs: StackInputs): readonly ConfigDirectory[] {
	const { ironic, httpd } = owners(inputs);
	const database = usesSqlite(site) ? undefined : databaseImage(inputs).layout;
	const dhcp = dhcpModeOf(site) !== "off";
	const readOnly = (path: string, { gid }: Owner) => ({ path, mode: 0o750, uid: 0, gid });
	return [
		...(database === undefined ? [] : [readOnly("mariadb", database)]),
		readOnly("schema", ironic),
		readOnly("prepare", root),
		readOnly("ironic", ironic),
		readOnly("httpd", httpd),
		// dnsmasq reads its hosts directory after it has given up root.
		...(dhcp ? ["dnsmasq", "dnsmasq/hosts"].map((path) => ({ path, mode: 0o755, ...root })) : []),
		{ path: "sockets", mode: 0o711, ...root },
		// The server's user owns the directory, the client's group may pass through it, nobody else can.
		...(database === undefined
			? []
			: [{ path: "sockets/mariadb", mode: 0o750, uid: database.uid, gid: ironic.gid }]),
		{ path: "sockets/ironic", mode: 0o750, uid: ironic.uid, gid: httpd.gid },
	];
}

export function configFiles(site: Site, inputs: StackInputs): readonly ConfigFile[] {
	const { ironic, httpd } = owners(inputs);
	const { api, htpasswd } = inputs.credentials;
	const bmcCa = bmcCertificates(site);
	const trustedCa = trustedCertificates(site);
	const mode = dhcpModeOf(site);
	return [
		...(usesSqlite(site) ? [] : mariadbFiles(inputs)),
		secret("schema/ironic.conf", schemaConf(site, inputs), ironic),
		plain("schema/schema.py", schemaScript(site)),
		plain("prepare/prepare.sh", prepareScript(site, inputs)),
		plain("ironic/ironic.conf", ironicConf(site, inputs)),
		secret("ironic/secrets.conf", ironicSecretsConf(site, inputs), ironic),
		plain("ironic/boot.ipxe", bootIpxe()),
		plain("ironic/health.py", ironicHealth()),
		// Ironic reads the password file at each request, the health check its credentials at each run.
		{ ...secret("ironic/htpasswd", `${htpasswd.trim()}\n`, ironic), live: true },
		{ ...secret("ironic/health.secret", `${api.username}:${api.password}`, ironic), live: true },
		...(bmcCa === undefined ? [] : [plain("ironic/bmc-ca.pem", bmcCa)]),
		...(trustedCa === undefined ? [] : [plain("prepare/trusted-ca.pem", trustedCa)]),
		plain("httpd/httpd.conf", httpdConf(site, inputs)),
		plain("httpd/health.py", httpdHealth()),
		plain("httpd/tls.crt", inputs.tls.certificate),
		secret("httpd/tls.key", inputs.tls.key, httpd),
		...(mode === "off" ? [] : dnsmasqFiles(site, inputs, mode)),
	];
}

function mariadbFiles(inputs: StackInputs): readonly ConfigFile[] {
	const sql = mariadbInitSql(inputs.credentials.databasePassword);
	return [
		plain("mariadb/my.cnf", mariadbConf()),
		plain("mariadb/start.sh", mariadbStart()),
		plain("mariadb/health.sh", mariadbHealth()),
		secret("mariadb/init.sql", sql, databaseImage(inputs).layout),
	];
}

function dnsmasqFiles(site: Site, inputs: StackInputs, mode: ServedMode): readonly ConfigFile[] {
	const family = mode === "proxy" || servesFamily(site.ironic.spec.networking.dhcp, 4) ? 4 : 6;
	return [
		plain("dnsmasq/dnsmasq.conf", dnsmasqConf(site, inputs, mode)),
		plain("dnsmasq/health.py", dnsmasqHealth(inputs.provisioning.address, family)),
		...dnsmasqHosts(site, inputs).map(({ content, path }) => ({ ...plain(path, content), live: true })),
	];
}

function owners({ images }: StackInputs): { readonly ironic: Owner; readonly httpd: Owner } {
	const { layout } = images.ironic;
	return { ironic: layout, httpd: imagePaths(layout).httpdUser };
}

/** The directory keeps others out; modes within are what the programs expect. */
function plain(path: string, content: string): ConfigFile {
	return { path, content, mode: 0o644, ...root, secret: false, live: false };
}

function secret(path: string, content: string, { uid, gid }: Owner): ConfigFile {
	return { path, content, mode: 0o400, uid, gid, secret: true, live: false };
}
