/** One archive that apt on this machine is configured to use. */
export interface AptSource {
	readonly uri: string;
	readonly suite: string;
	readonly components: readonly string[];
}

/** Where Debian packages come from. URIs without a trailing slash. */
export interface DebianMirrors {
	/** Carries `SUITE` and `SUITE-updates`. */
	readonly base: string;
	/** Carries `SUITE-security`, when the configuration names one. */
	readonly security: string | undefined;
}

/** Binary-package entries of a file in apt's one-line format (`sources.list`, `*.list`); sources.list(5). */
export function parseOneLineSources(text: string): readonly AptSource[] {
	return text.split("\n").flatMap((raw) => {
		const line = raw.replace(/#.*/, "").trim();
		const match = /^deb\s+(?:\[[^\]]*\]\s*)?(\S+)\s+(\S+)\s*(.*)$/.exec(line);
		if (match === null) return [];
		const [, uri = "", suite = "", components = ""] = match;
		return [{ uri, suite, components: words(components) }];
	});
}

/** Binary-package entries of a file in apt's deb822 format (`*.sources`); every URI with every suite. */
export function parseDeb822Sources(text: string): readonly AptSource[] {
	const lines = text.split("\n").filter((line) => !line.startsWith("#"));
	return lines
		.join("\n")
		.split(/\n[ \t]*\n/)
		.flatMap((stanza) => {
			const fields = parseStanza(stanza);
			if (!words(fields.get("types")).includes("deb")) return [];
			if (/^(no|false|without|off|disable|0)$/i.test((fields.get("enabled") ?? "yes").trim())) return [];
			const components = words(fields.get("components"));
			return words(fields.get("uris")).flatMap((uri) =>
				words(fields.get("suites")).map((suite) => ({ uri, suite, components })),
			);
		});
}

/**
 * The Debian archive and its security archive among apt's sources, recognised by the last part of the path
 * (`…/debian`, `…/debian-security`), which mirrors keep by convention: a derivative's or a vendor's repository must
 * never be taken for Debian. The release that this machine itself runs does not matter; a mirror carries them all.
 */
export function debianMirrors(sources: readonly AptSource[]): DebianMirrors | undefined {
	const main = sources.filter(({ components }) => components.includes("main"));
	const ending = (name: string) => main.find(({ uri }) => trimmed(uri).endsWith(`/${name}`))?.uri;
	const base = ending("debian");
	if (base === undefined) return undefined;
	const security = ending("debian-security");
	return { base: trimmed(base), security: security === undefined ? undefined : trimmed(security) };
}

/** The mirrors behind `--mirror URL`: nothing but that server is asked, so security is its sibling directory. */
export function mirrorsFromUrl(url: string): DebianMirrors {
	const base = trimmed(url);
	return { base, security: base.endsWith("/debian") ? `${base}-security` : undefined };
}

function parseStanza(stanza: string): ReadonlyMap<string, string> {
	const fields = new Map<string, string>();
	let last: string | undefined;
	for (const line of stanza.split("\n")) {
		const match = /^([A-Za-z0-9-]+):(.*)$/.exec(line);
		if (match !== null) {
			last = (match[1] ?? "").toLowerCase();
			fields.set(last, match[2] ?? "");
		} else if (last !== undefined && /^[ \t]/.test(line)) {
			fields.set(last, `${fields.get(last) ?? ""} ${line}`);
		}
	}
	return fields;
}

const words = (text: string | undefined): readonly string[] =>
	(text ?? "").split(/\s+/).filter((word) => word !== "");

const trimmed = (uri: string): string => uri.replace(/\/+$/, "");
