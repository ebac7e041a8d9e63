import type { Ironic } from "../../resources/ironic.ts";
import { readChain } from "./certificates.ts";
import { keyPath } from "./secrets.ts";
import { on, type SiteRule } from "./site-rule.ts";

/** The CAs that BMCs and image servers are checked with: every text that is taken is made of PEM certificates. */
export const authorities: SiteRule = function* (draft) {
	for (const ironic of draft.ironics)
		for (const { kind, name, keys } of named(ironic)) {
			const objects = kind === "Secret" ? draft.secrets : draft.configMaps;
			const object = objects.find(
				({ metadata }) => metadata.name === name && metadata.namespace === ironic.metadata.namespace,
			);
			if (!object) continue; // reported as missing
			const values: Readonly<Record<string, string | undefined>> =
				object.kind === "Secret" ? { ...object.binaryData, ...object.data } : object.data;
			for (const key of keys(Object.keys(values).sort())) {
				const text = values[key];
				if (text === undefined || text.trim() === "" || readChain(text)) continue;
				yield on(draft, object, keyPath(draft, object, key), "ca-invalid", {
					message: `\`${key}\` is taken as a CA, but holds no PEM certificate`,
					fix: "give text that starts with -----BEGIN CERTIFICATE-----",
				});
			}
		}
};

interface NamedAuthority {
	readonly kind: "Secret" | "ConfigMap";
	readonly name: string;
	/** Of the keys that the object has (sorted), those that are taken. */
	readonly keys: (all: readonly string[]) => readonly string[];
}

/** The operator takes every key for BMCs, and one for image servers: the one named, else the first. */
function named({ spec: { tls } }: Ironic): NamedAuthority[] {
	const bmc = tls.bmcCA ?? (tls.bmcCAName ? { kind: "Secret" as const, name: tls.bmcCAName } : undefined);
	const trusted =
		tls.trustedCA ??
		(tls.trustedCAName ? { kind: "ConfigMap" as const, name: tls.trustedCAName } : undefined);
	const key = tls.trustedCA?.key;
	return [
		...(bmc ? [{ ...bmc, keys: (all: readonly string[]) => all.filter((each) => each !== "tls.key") }] : []),
		...(trusted ? [{ ...trusted, keys: (all: readonly string[]) => (key ? [key] : all.slice(0, 1)) }] : []),
	];
}
