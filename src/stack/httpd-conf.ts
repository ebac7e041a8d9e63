import type { ImagePaths } from "../resources/image-layout.ts";
import type { Site } from "../resources/site.ts";
import { wantsPlainMedia } from "../resources/virtual-media.ts";
import { planBridge } from "./addresses.ts";
import { containerPorts, endpointsOf } from "./endpoints.ts";
import { imagePaths } from "./image-paths.ts";
import type { StackInputs } from "./inputs.ts";

const modules = [
	"unixd",
	"log_config",
	"mpm_event",
	"authz_core",
	"mime",
	"headers",
	"rewrite",
	"reqtimeout",
	"ssl",
	"socache_shmcb",
	"proxy",
	"proxy_http",
];

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/**
 * All that a deploy ramdisk asks of the API. Ironic answers these without a password, and `continue_inspection` even
 * returns a node's agent token to who knows a MAC address: they exist on the provisioning side only.
 */
const ramdiskRequests = [
	"(GET|HEAD) /(v1/?)?",
	"GET /v1/lookup/?(\\?[^ #]*)?",
	`POST /v1/heartbeat/${uuid}/?`,
	"POST /v1/continue_inspection/?",
];

/**
 * httpd in front of Ironic (unix socket) and of the files it writes below /shared/html. Request lines are compared
 * as the client sent them, before any decoding: `//`, `%2e`, `..`, another letter case or an encoded slash do not
 * match, so they are refused whatever they would mean to the programs behind.
 */
export function httpdConf(site: Site, inputs: StackInputs): string {
	const endpoints = endpointsOf(site, inputs);
	const paths = imagePaths(inputs.images.ironic.layout);
	return `${[
		...server(paths),
		...ramdiskApi(),
		...operatorApi(onlyFromHere(site, inputs)),
		...bootFiles(!endpoints.mediaTls || site.hosts.some(wantsPlainMedia)),
		...(endpoints.mediaTls ? virtualMedia() : []),
	].join("\n")}\n`;
}

function server(paths: ImagePaths): readonly string[] {
	return [
		"# Written by ironstrap; changes are overwritten.",
		"ServerRoot /tmp",
		"ServerName ironstrap",
		"PidFile /tmp/httpd.pid",
		"DefaultRuntimeDir /tmp",
		"Mutex file:/tmp default",
		...modules
			.filter((name) => !paths.builtInModules.includes(name))
			.map((name) => `LoadModule ${name}_module ${paths.httpdModules}/mod_${name}.so`),
		`TypesConfig ${paths.mimeTypes}`,
		"ErrorLog /dev/stderr",
		'LogFormat "%h %l %u %t \\"%r\\" %>s %b" common',
		"CustomLog /dev/stdout common",
		// mod_ssl's warning compares the certificate with ServerName; clients use addresses.
		"LogLevel warn ssl:error",
		"ServerTokens Prod",
		"ServerSignature Off",
		"TraceEnable Off",
		"FileETag MTime Size",
		"HttpProtocolOptions Strict",
		"AllowEncodedSlashes Off",
		// A rack of ramdisks streams images at the same time, each on one connection.
		"StartServers 1",
		"ServerLimit 8",
		"ThreadsPerChild 32",
		"MaxRequestWorkers 256",
		"Timeout 300",
		"RequestReadTimeout handshake=10 header=10-30,MinRate=500 body=30,MinRate=500",
		// a file that is cut off while it is mapped would end the server
		"EnableMMAP Off",
		"EnableSendfile Off",
		"",
		"<Directory />",
		"    Require all denied",
		"    AllowOverride None",
		"    Options None",
		"</Directory>",
		"",
		"SSLProtocol -all +TLSv1.2 +TLSv1.3",
		"SSLCipherSuite HIGH:!aNULL:!MD5:!3DES:!kRSA",
		"SSLSessionCache shmcb:/tmp/ssl_scache(512000)",
		"SSLCertificateFile /etc/ironstrap/httpd/tls.crt",
		"SSLCertificateKeyFile /etc/ironstrap/httpd/tls.key",
		"ProxyRequests Off",
	];
}

function ramdiskApi(): readonly string[] {
	return [
		"",
		"# The API as servers see it.",
		`Listen ${containerPorts.ramdiskApi} https`,
		`<VirtualHost *:${containerPorts.ramdiskApi}>`,
		"    SSLEngine on",
		"    RewriteEngine On",
		...onlyRequests(ramdiskRequests),
		// Credentials have no business on this side, not even to be tried.
		"    RequestHeader unset Authorization",
		"    LimitRequestBody 67108864",
		...proxyToIronic(),
		"</VirtualHost>",
	];
}

/**
 * Published on loopback alone, this side is used through the bridge's gateway, as which the engine forwards. Whoever
 * comes from another address has found a route to the container itself, past the addresses that are published.
 */
function onlyFromHere(site: Site, inputs: StackInputs): readonly string[] {
	if (site.bootstrap.spec.api.listen.length > 0) return [];
	const here = [planBridge(inputs.bridgeSubnet).gateway, "127.0.0.1"];
	return [
		`    RewriteCond %{REMOTE_ADDR} "!^(${here.join("|").replaceAll(".", "\\.")})$"`,
		"    RewriteRule ^ - [F]",
	];
}

function operatorApi(guard: readonly string[]): readonly string[] {
	return [
		"",
		"# The whole API; Ironic asks for the password. What needs none is left to the other side.",
		`Listen ${containerPorts.operatorApi} https`,
		`<VirtualHost *:${containerPorts.operatorApi}>`,
		"    SSLEngine on",
		"    RewriteEngine On",
		...guard,
		...refuseTricks(),
		// Ironic takes paths without /v1 as well, and formats as extensions.
		"    RewriteRule (?i)^/+(v1/+)?(lookup|heartbeat|continue_inspection)([/.]|$) - [F]",
		...proxyToIronic(),
		"</VirtualHost>",
	];
}

function bootFiles(plainMedia: boolean): readonly string[] {
	return [
		"",
		"# Boot files and images over plain HTTP.",
		`Listen ${containerPorts.files}`,
		`<VirtualHost *:${containerPorts.files}>`,
		"    RewriteEngine On",
		...onlyRequests(
			[
				"boot\\.ipxe",
				"undionly\\.kpxe",
				"snponly-(x86_64|arm64)\\.efi",
				"pxelinux\\.cfg/[0-9a-f-]+",
				`${uuid}/[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*`,
				"images(/[A-Za-z0-9_+~-]+(\\.[A-Za-z0-9_+~-]+)*)+",
				`agent_images/${uuid}(\\.[a-z0-9]+)*`,
				...(plainMedia ? [mediaPath] : []),
			].map((path) => `(GET|HEAD) /${path}`),
		),
		...staticFiles(),
		"</VirtualHost>",
	];
}

/** ISO images for BMCs; those of a ramdisk hold its agent token, config drives hold user data. */
const mediaPath = "(redfish|ilo)/[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*";

function virtualMedia(): readonly string[] {
	return [
		"",
		"# Virtual media.",
		`Listen ${containerPorts.media} https`,
		`<VirtualHost *:${containerPorts.media}>`,
		"    SSLEngine on",
		"    RewriteEngine On",
		// Some BMCs add a query to the image's URL to defeat caches.
		...onlyRequests([`(GET|HEAD) /${mediaPath}(\\?[^ #]*)?`]),
		...staticFiles(),
		"</VirtualHost>",
	];
}

function staticFiles(): readonly string[] {
	return [
		"    DocumentRoot /shared/html",
		"    <Directory /shared/html>",
		// Ironic publishes images as links; a link to something that Ironic does not own is not followed.
		"        Options SymLinksIfOwnerMatch",
		"        Require all granted",
		"    </Directory>",
	];
}

function onlyRequests(requests: readonly string[]): readonly string[] {
	return [
		`    RewriteCond %{THE_REQUEST} "!^(${requests.join("|")}) HTTP/1\\.[01]$"`,
		"    RewriteRule ^ - [F]",
	];
}

/** Paths of which two programs could have two opinions. */
function refuseTricks(): readonly string[] {
	return [
		'    RewriteCond %{THE_REQUEST} "!^[A-Z]+ /[^ ]* HTTP/1\\.[01]$" [OR]',
		'    RewriteCond %{THE_REQUEST} "^[A-Z]+ [^ ?]*(//|/\\.|%2e|%2f|%5c|\\\\\\\\|%00|;)" [NC]',
		"    RewriteRule ^ - [F]",
	];
}

function proxyToIronic(): readonly string[] {
	return [
		'    ProxyPass "/" "unix:/run/ironic/api.sock|http://ironic/" retry=0 timeout=300 disablereuse=on',
		"    <Proxy *>",
		"        Require all granted",
		"    </Proxy>",
		"    <Location />",
		"        Require all granted",
		"    </Location>",
	];
}
