import type { Bootstrap } from "../../resources/bootstrap.ts";
import { announcesPrefixes } from "../../resources/dhcp-mode.ts";
import { cidrsOverlap, parseCidr, parseIpAddress } from "../../resources/ip.ts";
import type { Draft } from "../draft.ts";
import type { Finding } from "../finding.ts";
import { poolsOf } from "./dhcp-pools.ts";
import { attempt } from "./ironic-rule.ts";
import { on, type SiteRule } from "./site-rule.ts";

/** What the schema of `Bootstrap` cannot say by itself, and the site's name. */
export const bootstrap: SiteRule = function* (draft) {
	yield* siteName(draft);
	yield* announcement(draft);
	const [object] = draft.bootstraps;
	if (!object) return;
	yield* bridgeSubnet(draft);
	for (const [index, text] of object.spec.api.listen.entries())
		if (!attempt(() => parseIpAddress(text)))
			yield on(draft, object, ["spec", "api", "listen", index], "ip-address-invalid", {
				message: `\`api.listen[${index}]\` is not an IP address`,
				seen: text,
				fix: "give an address of this machine; interface names are not taken",
			});
	yield* dhcpMode(draft, object);
	yield* fenceNames(draft, object);
	yield* pullSecrets(draft, object);
	yield* proxies(draft, object);
	yield* ntpServers(draft, object);
	const [ironic] = draft.ironics;
	const image = ironic?.spec.images.ironic;
	const isExplicit = writtenImage(draft);
	if (image && isExplicit && image !== object.spec.images.ironic)
		yield on(draft, object, ["spec", "images", "ironic"], "image-overridden", {
			severity: "warning",
			message: "`images.ironic` of the Ironic is taken instead of this one",
			seen: image,
			fix: "remove one of the two",
		});
};

/** The name becomes that of the Compose project, the nftables table and the state directory. */
function* siteName(draft: Draft): Iterable<Finding> {
	const object = draft.bootstraps[0] ?? draft.ironics[0];
	if (object && !/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(object.metadata.name))
		yield on(draft, object, ["metadata", "name"], "site-name", {
			message: "the site's name must be at most 40 letters, digits and `-`",
			seen: object.metadata.name,
			fix: "add a `Bootstrap` with a shorter `metadata.name` without dots, or rename this one",
		});
}

function* bridgeSubnet(draft: Draft): Iterable<Finding> {
	const [object] = draft.bootstraps;
	const text = object?.spec.bridgeSubnet;
	if (!object || text === undefined) return;
	const path = ["spec", "bridgeSubnet"];
	const cidr = attempt(() => parseCidr(text));
	if (cidr?.family !== 4 || cidr.prefix > 27 || cidr.prefix < 8) {
		yield on(draft, object, path, "bridge-subnet-invalid", {
			message: "`bridgeSubnet` is not an IPv4 network between /8 and /27",
			seen: text,
			fix: "give a network that nothing else uses, such as 10.89.77.0/24, or remove it",
		});
		return;
	}
	const dhcp = draft.ironics[0]?.spec.networking.dhcp;
	const clash = dhcp && poolsOf(dhcp).find((pool) => cidrsOverlap(pool.cidr, cidr));
	if (clash)
		yield on(draft, object, path, "bridge-subnet-overlap", {
			message: `\`bridgeSubnet\` overlaps the network ${clash.cidr.text} that DHCP serves`,
			seen: text,
			fix: "give a network that nothing else uses, or remove it to have a free one chosen",
		});
}

/** An iPXE or a kernel asks for an IPv6 address only after a router advertisement told it to. */
function* announcement(draft: Draft): Iterable<Finding> {
	const [ironic] = draft.ironics;
	const [object] = draft.bootstraps;
	const dhcp = ironic?.spec.networking.dhcp;
	if (!dhcp || (object && announcesPrefixes(object))) return;
	if (poolsOf(dhcp).some(({ cidr }) => cidr.family === 6))
		yield on(draft, ironic, ["spec", "networking", "dhcp"], "dhcp-without-announcement", {
			severity: "warning",
			message:
				"IPv6 addresses are served, but servers ask for one only if a router of yours announces the network",
			fix: "on a network of its own set `Bootstrap.spec.fence.mode: dedicated`, or `dhcp.routerAdvertisements: always`",
		});
}

/** A mode that needs what the `Ironic` does not have. */
function* dhcpMode(draft: Draft, object: Bootstrap): Iterable<Finding> {
	const { mode } = object.spec.dhcp;
	const [ironic] = draft.ironics;
	const dhcp = ironic?.spec.networking.dhcp;
	const path = ["spec", "dhcp", "mode"];
	if (ironic && !dhcp && (mode === "full" || mode === "reservations"))
		yield on(draft, object, path, "dhcp-mode-without-network", {
			message: `\`dhcp.mode\` is \`${mode}\`, but the Ironic has no \`networking.dhcp\``,
			fix: "set `networking.dhcp` of the Ironic, or remove the mode",
		});
	if (dhcp && mode === "reservations" && (dhcp.hosts ?? []).length === 0)
		yield on(draft, object, path, "dhcp-reservations-none", {
			message: "`dhcp.mode` is `reservations`, but `networking.dhcp.hosts` of the Ironic reserves no address",
			fix: "reserve addresses in `networking.dhcp.hosts`, such as 52:54:00:ab:00:01,172.22.0.20",
		});
}

/** What `fence.servers` and `fence.allow` name. */
function* fenceNames(draft: Draft, object: Bootstrap): Iterable<Finding> {
	const { allow, servers } = object.spec.fence;
	const isNetwork = (text: string) =>
		attempt(() => parseCidr(text)) !== undefined || attempt(() => parseIpAddress(text)) !== undefined;
	for (const [index, text] of servers.entries())
		if (!isNetwork(text))
			yield on(draft, object, ["spec", "fence", "servers", index], "fence-network-invalid", {
				message: `\`fence.servers[${index}]\` is neither a network nor an IP address`,
				seen: text,
				fix: "give a network such as 10.20.0.0/16",
			});
	for (const [index, text] of allow.entries())
		if (!isNetworkOrName(text))
			yield on(draft, object, ["spec", "fence", "allow", index], "fence-allow-invalid", {
				message: `\`fence.allow[${index}]\` is neither an IP address, a network nor a host name`,
				seen: text,
				fix: "give it without scheme, port and path, such as images.example.org or 10.20.0.0/16",
			});
}

function* pullSecrets(draft: Draft, object: Bootstrap): Iterable<Finding> {
	const { namespace } = object.metadata;
	for (const [index, { pullSecretName: name }] of object.spec.registries.entries()) {
		if (name === undefined || draft.isBroken("Secret", { namespace, name })) continue;
		const secret = draft.secrets.find(
			({ metadata }) => metadata.name === name && metadata.namespace === namespace,
		);
		if (secret?.data[".dockerconfigjson"] === undefined)
			yield on(draft, object, ["spec", "registries", index, "pullSecretName"], "pull-secret-missing", {
				message: secret
					? `Secret ${namespace}/${name} has no \`.dockerconfigjson\``
					: `there is no Secret ${namespace}/${name}`,
				fix: "add a Secret of type kubernetes.io/dockerconfigjson (`kubectl create secret docker-registry … --dry-run=client -o yaml`)",
			});
	}
}

function* proxies(draft: Draft, object: Bootstrap): Iterable<Finding> {
	const { proxy } = object.spec;
	for (const field of ["http", "https"] as const) {
		const url = proxy?.[field] === undefined ? undefined : attempt(() => new URL(proxy[field] ?? ""));
		const path = ["spec", "proxy", field];
		if (url && !["http:", "https:"].includes(url.protocol))
			yield on(draft, object, path, "proxy-invalid", {
				message: `\`proxy.${field}\` is not an HTTP proxy`,
				seen: url.protocol,
				fix: "give a URL such as http://proxy.example.org:3128",
			});
		if (url && (url.username !== "" || url.password !== ""))
			yield on(draft, object, path, "proxy-credentials", {
				message: `\`proxy.${field}\` has a user name or password, which would stand in the environment of Ironic`,
				fix: "let the proxy admit this machine by its address, without a password",
			});
	}
	for (const [index, text] of (proxy?.noProxy ?? []).entries())
		if (!isNetworkOrName(text.replace(/^\./, "")))
			yield on(draft, object, ["spec", "proxy", "noProxy", index], "proxy-exception-invalid", {
				message: `\`proxy.noProxy[${index}]\` is neither a host name, an IP address nor a network`,
				seen: text,
				fix: "give one of images.example.org, .example.org, 10.0.0.5 or 10.0.0.0/8",
			});
}

function* ntpServers(draft: Draft, object: Bootstrap): Iterable<Finding> {
	for (const [index, text] of object.spec.ntpServers.entries())
		if (!attempt(() => parseIpAddress(text)) && !hostName.test(text))
			yield on(draft, object, ["spec", "ntpServers", index], "ntp-server-invalid", {
				message: `\`ntpServers[${index}]\` is neither an IP address nor a host name`,
				seen: text,
				fix: "give it without scheme and port, such as 172.22.0.1 or ntp.example.org",
			});
}

function isNetworkOrName(text: string): boolean {
	return (
		attempt(() => parseCidr(text)) !== undefined ||
		attempt(() => parseIpAddress(text)) !== undefined ||
		hostName.test(text)
	);
}

/** At least one letter: what looks like an address and is none is a slip, not a name. */
const hostName =
	/^(?=.*[a-z])(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\.?$/i;

function writtenImage(draft: Draft): boolean {
	const [object] = draft.bootstraps;
	const written = (object && draft.documentOf(object)?.value) as
		| { spec?: { images?: { ironic?: unknown } | null } | null }
		| undefined;
	return typeof written?.spec?.images?.ironic === "string";
}
