import { compare, hash } from "bcryptjs";
import { IronstrapError } from "../lib/errors.ts";

/** bcrypt reads 72 bytes and ignores the rest, so that two long passwords would be equal. */
const bcryptBytes = 72;
const cost = 10;

/**
 * One line of an htpasswd file as Ironic's `http_basic` takes it (bcrypt only). Users are limited as IrSO limits
 * them: letters, digits, `-` and `_`.
 */
export async function htpasswdLine(username: string, password: string): Promise<string> {
	if (!/^[A-Za-z0-9_-]+$/.test(username))
		throw new IronstrapError({
			code: "api-username-characters",
			message: "the API's user name has characters that Ironic's password file cannot hold",
			fix: "use letters, digits, `-` and `_`",
		});
	if (Buffer.byteLength(password) > bcryptBytes)
		throw new IronstrapError({
			code: "api-password-too-long",
			message: `the API's password is longer than bcrypt can tell apart (${bcryptBytes} bytes)`,
			fix: "shorten it",
		});
	return `${username}:${await hash(password, cost)}`;
}

/** Whether a line of an htpasswd file is this user's with this password. */
export async function matchesHtpasswd(line: string, username: string, password: string): Promise<boolean> {
	const separator = line.indexOf(":");
	return line.slice(0, separator) === username && (await compare(password, line.slice(separator + 1).trim()));
}
