import type { ConfigMap, Secret } from "../../resources/core.ts";
import { describe } from "../../resources/site.ts";
import { type Draft, refOf } from "../draft.ts";
import type { Finding } from "../finding.ts";
import type { SiteObject } from "../kinds.ts";
import { on } from "./site-rule.ts";

/** What an object that is named must hold. */
export type SecretUse =
	/** `username` and `password`. */
	| { readonly for: "login" }
	/** A login that becomes a line of an htpasswd file. */
	| { readonly for: "api" }
	| { readonly for: "keys"; readonly keys: readonly string[] }
	| { readonly for: "one-of"; readonly keys: readonly string[] }
	/** Whatever there is. */
	| { readonly for: "any" };

/** bcrypt looks at no more than this; the rest of a longer password would not count. */
const BCRYPT_BYTES = 72;

/** What an object lacks for its use. No message contains a value. */
export function* secretFaults(
	draft: Draft,
	object: Secret | ConfigMap,
	use: SecretUse,
	user: SiteObject,
): Iterable<Finding> {
	const purpose = `needed by ${describe(refOf(user))}`;
	if (use.for === "any") {
		if (Object.values(object.data).every((value) => value.trim() === "") && !("binaryData" in object))
			yield on(draft, object, ["metadata", "name"], "secret-empty", {
				message: `the ${object.kind} holds nothing (${purpose})`,
				fix: "add `data` or `stringData`",
			});
		return;
	}
	if (use.for === "one-of") {
		if (use.keys.some((key) => hasText(object, key))) return;
		const binary = use.keys.find((key) => isBinary(object, key));
		if (binary !== undefined) yield notText(draft, object, binary, purpose);
		else
			yield on(draft, object, keyPath(draft, object, use.keys[0] ?? ""), "secret-key-missing", {
				message: `the ${object.kind} has no text under ${use.keys.map((key) => `\`${key}\``).join(" or ")} (${purpose})`,
				fix: `add \`stringData.${use.keys[0]}\``,
			});
		return;
	}
	const keys = use.for === "keys" ? use.keys : ["username", "password"];
	for (const key of keys)
		if (isBinary(object, key)) yield notText(draft, object, key, purpose);
		else if (!hasText(object, key))
			yield on(draft, object, keyPath(draft, object, key), "secret-key-missing", {
				message: `the ${object.kind} has ${object.data[key] === undefined ? "no" : "an empty"} \`${key}\` (${purpose})`,
				fix: object.kind === "Secret" ? `give \`stringData.${key}\` a value` : `give \`data.${key}\` a value`,
			});
	if (use.for === "api") yield* apiLogin(draft, object);
}

function* apiLogin(draft: Draft, object: Secret | ConfigMap): Iterable<Finding> {
	const username = (object.data.username ?? "").trim();
	const password = (object.data.password ?? "").trim();
	if (username !== "" && !/^[A-Za-z0-9_-]+$/.test(username))
		yield on(draft, object, keyPath(draft, object, "username"), "api-username-invalid", {
			message: "the API's user name has characters other than letters, digits, `-` and `_`",
			fix: "choose another user name; the operator refuses it too",
		});
	if (Buffer.byteLength(password) > BCRYPT_BYTES)
		yield on(draft, object, keyPath(draft, object, "password"), "api-password-too-long", {
			message: `the API's password is longer than ${BCRYPT_BYTES} bytes, of which bcrypt ignores the rest`,
			fix: `choose a password of at most ${BCRYPT_BYTES} bytes`,
		});
}

function hasText(object: Secret | ConfigMap, key: string): boolean {
	return (object.data[key] ?? "").trim() !== "";
}

function isBinary(object: Secret | ConfigMap, key: string): boolean {
	return object.kind === "Secret" && object.binaryData?.[key] !== undefined;
}

/** BMO and Ironic take text: bytes would arrive changed, without a word. */
function notText(draft: Draft, object: Secret | ConfigMap, key: string, purpose: string): Finding {
	return on(draft, object, keyPath(draft, object, key), "secret-key-binary", {
		message: `\`${key}\` of the ${object.kind} is no UTF-8 text (${purpose})`,
		fix: "give text: a certificate or key as PEM, user data not compressed",
	});
}

/** Where the key stands (in `stringData` or `data`), else the object's name. */
export function keyPath(draft: Draft, object: Secret | ConfigMap, key: string): readonly string[] {
	const written = (draft.documentOf(object)?.value ?? {}) as Record<
		string,
		Record<string, unknown> | null | undefined
	>;
	const part = ["stringData", "data"].find((name) => Object.hasOwn(written[name] ?? {}, key));
	return part === undefined ? ["metadata", "name"] : [part, key];
}
