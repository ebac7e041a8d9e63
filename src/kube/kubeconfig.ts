import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { IronstrapError } from "../lib/errors.ts";

/** How a cluster's API is reached, and as whom. PEM texts. */
export interface ClusterAccess {
	/** `https://192.0.2.10:6443`, without a slash at the end. */
	readonly server: string;
	/** The CA of the API's certificate; the system's CAs when absent. */
	readonly ca: string | undefined;
	/** The name that the certificate is good for, where it is not the server's. */
	readonly serverName: string | undefined;
	readonly clientCertificate: string | undefined;
	readonly clientKey: string | undefined;
	readonly token: string | undefined;
}

/**
 * Reads a kubeconfig file as kubectl would: the named context, or the current one. Fails with `kubeconfig-unusable`
 * for whatever would need a program to be run (`exec`, `auth-provider`), a proxy, or no verification of the server.
 */
export async function readKubeconfig(path: string, context?: string): Promise<ClusterAccess> {
	const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
		throw unusable(
			path,
			`it cannot be read: ${error.code ?? error.message}`,
			"correct the path, or its rights",
		);
	});
	const config = mapping(parseText(path, text));
	const name = context ?? config["current-context"];
	if (typeof name !== "string" || name === "")
		throw unusable(path, "it has no current context", "name one with --context");
	const chosen = entry(config.contexts, name, "context");
	if (chosen === undefined)
		throw unusable(path, `it has no context ${name}`, `use one of: ${names(config.contexts)}`);
	const cluster = entry(config.clusters, chosen.cluster, "cluster");
	const user = entry(config.users, chosen.user, "user") ?? {};
	if (typeof cluster?.server !== "string")
		throw unusable(path, `context ${name} names no cluster with a server`, "correct its cluster");
	refuseUnsupported(path, cluster, user);
	const pem = (holder: Record<string, unknown>, key: string) => pemOf(path, holder, key);
	const tokenFile = user.tokenFile;
	return {
		server: cluster.server.replace(/\/+$/, ""),
		ca: await pem(cluster, "certificate-authority"),
		serverName: textOf(cluster["tls-server-name"]),
		clientCertificate: await pem(user, "client-certificate"),
		clientKey: await pem(user, "client-key"),
		token:
			textOf(user.token) ??
			(typeof tokenFile === "string" ? (await readBeside(path, tokenFile)).trim() : undefined),
	};
}

function refuseUnsupported(
	path: string,
	cluster: Record<string, unknown>,
	user: Record<string, unknown>,
): void {
	const token = "make a token for the pivot's account (docs/pivot.md) and a kubeconfig with it";
	if (cluster["insecure-skip-tls-verify"] === true)
		throw unusable(
			path,
			"insecure-skip-tls-verify is set",
			"give the cluster's certificate-authority instead",
		);
	if (cluster["proxy-url"] !== undefined)
		throw unusable(
			path,
			"proxy-url is set",
			"reach the cluster directly, or run the pivot where that is possible",
		);
	if (user.exec !== undefined) throw unusable(path, "the user logs in by a program (exec)", token);
	if (user["auth-provider"] !== undefined)
		throw unusable(path, "the user logs in by an auth-provider", token);
	if (user.username !== undefined) throw unusable(path, "the user logs in by a password", token);
}

/** Data in the file itself wins over a file's name, as in kubectl. */
async function pemOf(
	path: string,
	holder: Record<string, unknown>,
	key: string,
): Promise<string | undefined> {
	const data = textOf(holder[`${key}-data`]);
	if (data !== undefined) return Buffer.from(data, "base64").toString("utf8");
	const file = textOf(holder[key]);
	return file === undefined ? undefined : readBeside(path, file);
}

/** Names of files are relative to the kubeconfig. */
function readBeside(path: string, file: string): Promise<string> {
	return readFile(resolve(dirname(path), file), "utf8").catch((error: NodeJS.ErrnoException) => {
		throw unusable(
			path,
			`${file} cannot be read: ${error.code ?? error.message}`,
			"correct the path, or its rights",
		);
	});
}

function entry(list: unknown, name: unknown, key: string): Record<string, unknown> | undefined {
	const found = (Array.isArray(list) ? list : []).map(mapping).find((each) => each.name === name);
	return found === undefined ? undefined : mapping(found[key]);
}

function names(list: unknown): string {
	return (Array.isArray(list) ? list : []).map((each) => String(mapping(each).name)).join(", ");
}

function parseText(path: string, text: string): unknown {
	try {
		return parse(text);
	} catch {
		// the parser's message would quote the text, and there are keys in it
		throw unusable(path, "it is not YAML", "correct it, or fetch it anew");
	}
}

function mapping(value: unknown): Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value)
		? (value as Record<string, unknown>)
		: {};
}

function textOf(value: unknown): string | undefined {
	return typeof value === "string" && value !== "" ? value : undefined;
}

function unusable(path: string, seen: string, fix: string): IronstrapError {
	return new IronstrapError({
		code: "kubeconfig-unusable",
		message: `the kubeconfig ${path} cannot be used`,
		seen,
		fix,
	});
}
