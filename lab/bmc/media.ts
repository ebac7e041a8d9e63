import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { get as getHttp, type IncomingMessage } from "node:http";
import { get as getHttps } from "node:https";
import { pipeline } from "node:stream/promises";

export interface Download {
	readonly url: string;
	/** false: any certificate will do, which is what BMCs do unless told otherwise. */
	readonly verifyCertificate: boolean;
	readonly username?: string | undefined;
	readonly password?: string | undefined;
}

const REDIRECTS = 5;
const IDLE_MS = 30_000;

/** Fetches a virtual medium to a file; the file appears complete or not at all. Throws a plain Error saying why. */
export async function downloadMedium(download: Download, file: string): Promise<void> {
	const response = await follow(download, new URL(download.url), REDIRECTS);
	const temporary = `${file}.part`;
	try {
		await pipeline(response, createWriteStream(temporary));
		await rename(temporary, file);
	} catch (error) {
		await rm(temporary, { force: true });
		throw error;
	}
}

async function follow(download: Download, url: URL, redirects: number): Promise<IncomingMessage> {
	const response = await request(download, url);
	const { statusCode = 0, headers } = response;
	if (statusCode === 200) return response;
	response.resume();
	if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined && redirects > 0) {
		return follow(download, new URL(headers.location, url), redirects - 1);
	}
	throw new Error(`${url.protocol}//${url.host}${url.pathname} answered ${statusCode}`);
}

function request({ verifyCertificate, username, password }: Download, url: URL): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		const auth = username ? { auth: `${username}:${password ?? ""}` } : {};
		const get = (use: (response: IncomingMessage) => void) => {
			if (url.protocol === "http:") return getHttp(url, auth, use);
			if (url.protocol === "https:")
				return getHttps(url, { ...auth, rejectUnauthorized: verifyCertificate }, use);
			throw new Error(`${url.protocol} is not a transfer protocol of this BMC`);
		};
		const call = get(resolve);
		call.setTimeout(IDLE_MS, () => call.destroy(new Error("no data for 30 s")));
		call.on("error", reject);
	});
}
