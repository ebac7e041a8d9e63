import { parseImageReference } from "../resources/image-reference.ts";
import type { Site } from "../resources/site.ts";

/** The two images of a stack. */
export type ImageRole = "ironic" | "mariadb";

/** Under which names the engine may have an image, the best first, and from where it can be pulled. */
export interface ImageSource {
	/** As the site names it, or the name of the image that `ironstrap images build` makes. */
	readonly written: string;
	/** With its registry, or the mirror that stands in for it; `undefined` for an image that must be built or loaded. */
	readonly pullable: string | undefined;
}

/** The releases that the operator's versions stand for: ironic-standalone-operator v0.11.0, pkg/ironic/version.go. */
const defaultVersion = "38.0";
/** A long-term release, by the Docker official image. */
const defaultDatabase = "docker.io/library/mariadb:11.8";

/**
 * Where the image of a role comes from. A site that names none gets the one that was built here, and where none was
 * built, upstream's: metal3's release image of `Ironic.spec.version`, and MariaDB's.
 */
export function imageSource(site: Site, role: ImageRole): ImageSource {
	const { images } = site.bootstrap.spec;
	const written = role === "ironic" ? (site.ironic.spec.images.ironic ?? images.ironic) : images.mariadb;
	const isDefault = written === `localhost/ironstrap/${role}:latest`;
	const origin = isDefault ? upstreamImage(site, role) : withRegistry(written);
	return { written, pullable: origin === undefined ? undefined : mirrored(site, origin) };
}

export interface RegistryLogin {
	readonly serveraddress: string;
	readonly username: string;
	readonly password: string;
}

/** The login for the registry of a reference, from the pull secret that the site names for it. */
export function registryLogin(site: Site, reference: string): RegistryLogin | undefined {
	const { registry } = parseImageReference(reference);
	const entry = site.bootstrap.spec.registries.find(
		(each) => registryOf(each.mirror ?? each.registry) === registry && each.pullSecretName !== undefined,
	);
	const { namespace } = site.bootstrap.metadata;
	const secret = site.secrets.find(
		({ metadata }) => metadata.name === entry?.pullSecretName && metadata.namespace === namespace,
	);
	return registry === undefined ? undefined : loginIn(secret?.data[".dockerconfigjson"] ?? "", registry);
}

/** https://kubernetes.io/docs/tasks/configure-pod-container/pull-image-private-registry/ */
export function loginIn(dockerConfig: string, registry: string): RegistryLogin | undefined {
	try {
		const { auths = {} } = JSON.parse(dockerConfig) as DockerConfig;
		const names = [
			registry,
			`https://${registry}`,
			`https://${registry}/v1/`,
			`https://index.${registry}/v1/`,
		];
		const found = names.map((name) => auths[name]).find((each) => each !== undefined);
		const [username = "", ...rest] = Buffer.from(found?.auth ?? "", "base64")
			.toString("utf8")
			.split(":");
		const login = { username: found?.username ?? username, password: found?.password ?? rest.join(":") };
		return login.username === "" ? undefined : { serveraddress: registry, ...login };
	} catch {
		return undefined;
	}
}

interface DockerConfig {
	readonly auths?: Readonly<
		Record<string, { readonly auth?: string; readonly username?: string; readonly password?: string }>
	>;
}

function upstreamImage({ ironic }: Site, role: ImageRole): string {
	if (role === "mariadb") return defaultDatabase;
	const version = ironic.spec.version ?? defaultVersion;
	return `quay.io/metal3-io/ironic:${version === "latest" ? version : `release-${version}`}`;
}

/** Engines disagree about names without a registry; `localhost` is none. */
function withRegistry(written: string): string | undefined {
	const { registry, repository } = parseImageReference(written);
	if (registry === "localhost") return undefined;
	if (registry !== undefined) return written;
	return `docker.io/${repository.includes("/") ? "" : "library/"}${written}`;
}

/** The longest prefix wins, as in registries.conf. */
function mirrored({ bootstrap }: Site, reference: string): string {
	const [entry] = bootstrap.spec.registries
		.filter(({ mirror, registry }) => mirror !== undefined && reference.startsWith(`${trimmed(registry)}/`))
		.sort((a, b) => b.registry.length - a.registry.length);
	if (entry?.mirror === undefined) return reference;
	return trimmed(entry.mirror) + reference.slice(trimmed(entry.registry).length);
}

function registryOf(prefix: string): string | undefined {
	return trimmed(prefix).split("/")[0];
}

function trimmed(prefix: string): string {
	return prefix.replace(/\/+$/, "");
}
