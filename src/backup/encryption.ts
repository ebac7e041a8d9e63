import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from "age-encryption";
import { IronstrapError } from "../lib/errors.ts";

/** How a backup is encrypted (https://age-encryption.org/v1), if at all. */
export type Lock =
	| { readonly kind: "none" }
	| { readonly kind: "passphrase"; readonly passphrase: string }
	/** `age1…` */
	| { readonly kind: "recipient"; readonly recipient: string };

/** What a person has to open one with. */
export interface Key {
	readonly passphrase?: string | undefined;
	/** `AGE-SECRET-KEY-1…` */
	readonly identity?: string | undefined;
}

export type ByteStream = ReadableStream<Uint8Array>;

export interface Sealed {
	/** Encrypts; without a lock what it is given comes out as it is. */
	seal(plain: ByteStream): Promise<ByteStream>;
	/** Opens what `seal` made, to prove that it can be read. */
	readonly key: Key;
}

/**
 * Only the holder of a recipient's key could read the file back, so a second key is made that can as well, and is
 * forgotten with this process. Errors: `age-recipient-invalid`.
 */
export async function sealing(lock: Lock): Promise<Sealed> {
	if (lock.kind === "none") return { seal: async (plain) => plain, key: {} };
	const encrypter = new Encrypter();
	if (lock.kind === "passphrase") {
		encrypter.setPassphrase(lock.passphrase);
		return { seal: (plain) => encrypter.encrypt(plain), key: { passphrase: lock.passphrase } };
	}
	try {
		encrypter.addRecipient(lock.recipient);
	} catch (cause) {
		throw new IronstrapError({
			code: "age-recipient-invalid",
			message: `${lock.recipient} is not a recipient of age`,
			seen: (cause as Error).message,
			fix: "give the public key that `age-keygen` prints: age1…",
			cause,
		});
	}
	const identity = await generateIdentity();
	encrypter.addRecipient(await identityToRecipient(identity));
	return { seal: (plain) => encrypter.encrypt(plain), key: { identity } };
}

/** Errors: `backup-locked`. */
export async function unseal(
	sealed: ByteStream,
	{ identity, passphrase }: Key,
	file: string,
): Promise<ByteStream> {
	const decrypter = new Decrypter();
	try {
		if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
		if (identity !== undefined) decrypter.addIdentity(identity);
		return await decrypter.decrypt(sealed);
	} catch (cause) {
		throw new IronstrapError({
			code: "backup-locked",
			message: `${file} is encrypted, and cannot be opened with what was given`,
			seen: (cause as Error).message,
			fix: "give its passphrase (--passphrase-file) or the key of its recipient (--identity-file)",
			cause,
		});
	}
}
