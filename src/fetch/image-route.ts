import { type Dispatcher, request } from "undici";

/** More hops no client follows. */
const maxHops = 10;
const deadlineMs = 3000;

interface Asking {
	readonly signal: AbortSignal;
	/** For certificates of an authority of one's own. */
	readonly dispatcher?: Dispatcher;
}

/**
 * Where else an image leads those who fetch it, as URLs: to where its server redirects, and for `oci://` to whoever gives
 * out the registry's tokens and to where it keeps layers. `undefined` when the server cannot be asked from here.
 */
export async function imageRoute(url: string, options: Asking): Promise<readonly string[] | undefined> {
	const asking = { ...options, signal: AbortSignal.any([options.signal, AbortSignal.timeout(deadlineMs)]) };
	try {
		if (/^oci:/i.test(url)) return await registryRoute(new URL(url.replace(/^oci:/i, "https:")), asking);
		return /^https?:/i.test(url) ? await redirects(new URL(url), asking) : [];
	} catch {
		options.signal.throwIfAborted();
		return undefined;
	}
}

async function redirects(
	start: URL,
	asking: Asking,
	headers: Record<string, string> = {},
): Promise<readonly string[]> {
	const found: string[] = [];
	for (let at = start; found.length < maxHops; ) {
		// a token is for the registry, not for where it sends us
		const answer = await ask(at, asking, { method: "HEAD", headers: found.length === 0 ? headers : {} });
		const { location } = answer.headers;
		if (answer.statusCode < 300 || answer.statusCode > 399 || typeof location !== "string") break;
		at = new URL(location, at);
		found.push(at.href);
	}
	return found;
}

/** By the distribution specification (https://github.com/opencontainers/distribution-spec) and its token scheme. */
async function registryRoute(image: URL, asking: Asking): Promise<readonly string[]> {
	const [, name = "", tag, digest] = /^\/(.+?)(?::([^/:@]+))?(?:@(.+))?$/.exec(image.pathname) ?? [];
	const base = `https://${image.host}/v2/`;
	const challenge = (await ask(new URL(base), asking)).headers["www-authenticate"];
	const realm = challengeWord(challenge, "realm");
	const headers: Record<string, string> = {};
	if (realm !== undefined) {
		const place = new URL(realm);
		place.searchParams.set("scope", `repository:${name}:pull`);
		const service = challengeWord(challenge, "service");
		if (service !== undefined) place.searchParams.set("service", service);
		const { token, access_token: other } = JSON.parse((await ask(place, asking)).text) as Tokens;
		headers.authorization = `Bearer ${token ?? other}`;
	}
	const accept = "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json";
	const manifest = async (reference: string) => {
		const words = { headers: { ...headers, accept } };
		return JSON.parse(
			(await ask(new URL(`${base}${name}/manifests/${reference}`), asking, words)).text,
		) as Manifest;
	};
	const first = await manifest(digest ?? tag ?? "latest").catch((): Manifest => ({}));
	const [inner] = first.manifests ?? [];
	const { layers } = inner === undefined ? first : await manifest(inner.digest);
	const layer = layers?.[0];
	return [
		...(realm === undefined ? [] : [realm]),
		...(layer === undefined
			? []
			: await redirects(new URL(`${base}${name}/blobs/${layer.digest}`), asking, headers)),
	];
}

interface Tokens {
	readonly token?: string;
	readonly access_token?: string;
}

interface Manifest {
	readonly layers?: readonly { readonly digest: string }[];
	readonly manifests?: readonly { readonly digest: string }[];
}

function challengeWord(challenge: string | string[] | undefined, word: string): string | undefined {
	return new RegExp(`\\b${word}="([^"]+)"`).exec(String(challenge ?? ""))?.[1];
}

async function ask(
	url: URL,
	asking: Asking,
	options: { readonly method?: "HEAD"; readonly headers?: Record<string, string> } = {},
) {
	const { body, headers, statusCode } = await request(url, { ...asking, ...options });
	return { headers, statusCode, text: await body.text() };
}
