import { parse } from "yaml";
import { IronstrapError } from "../lib/errors.ts";
import type { ComposeProject, ComposeService } from "./project.ts";

export const serviceNames = ["mariadb", "schema", "prepare", "ironic", "httpd", "dnsmasq"] as const;
export type ServiceName = (typeof serviceNames)[number];

/** A project whose services are known to be there. */
export interface BaseProject extends ComposeProject {
	readonly services: Readonly<Record<ServiceName, ComposeService>>;
}

/**
 * Reads `compose/compose.yaml`. It is ours, so only what the code relies on is checked; `$$` is Compose's escape
 * for a dollar sign, and there is no interpolation in it.
 */
export function parseBase(text: string): BaseProject {
	const document = parse(text, { merge: true, logLevel: "error" }) as Record<string, unknown>;
	const { name, services, networks, volumes } = mapStrings(document, (value) =>
		value.replaceAll("$$", "$"),
	) as Partial<BaseProject>;
	if (name === undefined || services === undefined || networks === undefined || volumes === undefined)
		throw damaged("it lacks name, services, networks or volumes");
	for (const service of serviceNames)
		if (services[service] === undefined) throw damaged(`it has no service ${service}`);
	return { name, services, networks, volumes };
}

/** Applies a function to every string of a YAML value; keys stay. */
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === "string") return change(value);
	if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]));
}

function damaged(seen: string): IronstrapError {
	return new IronstrapError({
		code: "compose-base-damaged",
		message: "the packaged compose/compose.yaml is not what this version of ironstrap was built with",
		seen,
		fix: "install ironstrap again",
	});
}
