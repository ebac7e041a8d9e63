import { z } from "zod";

/**
 * Metadata of any object. Fields that only a server sets are taken (a manifest may come from `kubectl get -o yaml`).
 * The namespace defaults to `default`, as kubectl does without a context.
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/
 */
export const objectMetaSchema = z.strictObject({
	name: z
		.string()
		.max(253)
		.regex(
			/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
			"must be lower-case letters, digits, `-` and `.`, and start and end with a letter or digit",
		),
	namespace: z
		.string()
		.max(63)
		.regex(
			/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
			"must be lower-case letters, digits and `-`, and start and end with a letter or digit",
		)
		.default("default"),
	labels: z.record(z.string(), z.string()).optional(),
	annotations: z.record(z.string(), z.string()).optional(),
	uid: z.string().optional(),
	resourceVersion: z.string().optional(),
	generation: z.int().optional(),
	generateName: z.string().optional(),
	creationTimestamp: z.string().optional(),
	deletionTimestamp: z.string().optional(),
	deletionGracePeriodSeconds: z.int().optional(),
	selfLink: z.string().optional(),
	finalizers: z.array(z.string()).optional(),
	ownerReferences: z
		.array(
			z.strictObject({
				apiVersion: z.string(),
				kind: z.string(),
				name: z.string(),
				uid: z.string(),
				controller: z.boolean().optional(),
				blockOwnerDeletion: z.boolean().optional(),
			}),
		)
		.optional(),
	managedFields: z.array(z.unknown()).optional(),
});

export type ObjectMeta = z.output<typeof objectMetaSchema>;

/** `metav1.Condition`, as all Metal3 resources carry it. */
export const conditionSchema = z.strictObject({
	type: z
		.string()
		.max(316)
		.regex(
			/^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/,
		),
	status: z.enum(["True", "False", "Unknown"]),
	reason: z
		.string()
		.min(1)
		.max(1024)
		.regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/),
	message: z.string().max(32768),
	lastTransitionTime: z.iso.datetime({ offset: true }),
	observedGeneration: z.int().min(0).optional(),
});

export type Condition = z.output<typeof conditionSchema>;

/** `corev1.SecretReference`; BMO takes references within the host's own namespace only. */
export const secretReferenceSchema = z.strictObject({
	name: z.string().optional(),
	namespace: z.string().optional(),
});

export type SecretReference = z.output<typeof secretReferenceSchema>;

/** Base64; line ends within do not matter, as to the API server. */
const base64 = z
	.string()
	.transform((text) => text.replace(/[\r\n]/g, ""))
	.refine((text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text), {
		message: "must be base64",
	});

const secretText = z.strictObject({
	apiVersion: z.literal("v1"),
	kind: z.literal("Secret"),
	metadata: objectMetaSchema,
	type: z.string().optional(),
	immutable: z.boolean().optional(),
	data: z.record(z.string(), base64).optional(),
	stringData: z.record(z.string(), z.string()).optional(),
});

/**
 * A Secret with its values decoded: `data` with `stringData` laid over it, as the API server does. What is no UTF-8 is
 * in `binaryData`, in base64: nothing that Metal3 reads is binary, but a key store beside a certificate is handed over.
 */
export const secretSchema = secretText.transform(({ data = {}, stringData = {}, ...rest }) => {
	const values = Object.entries(data).map(([key, packed]) => {
		const text = decodeUtf8(Buffer.from(packed, "base64"));
		return { key, packed, text };
	});
	const texts = values.flatMap(({ key, text }) => (text === undefined ? [] : [[key, text] as const]));
	const bytes = values.filter(({ key, text }) => text === undefined && !Object.hasOwn(stringData, key));
	return {
		...rest,
		data: { ...Object.fromEntries(texts), ...stringData },
		...(bytes.length === 0
			? {}
			: { binaryData: Object.fromEntries(bytes.map(({ key, packed }) => [key, packed])) }),
	};
});

export type Secret = z.output<typeof secretSchema>;

export const configMapSchema = z.strictObject({
	apiVersion: z.literal("v1"),
	kind: z.literal("ConfigMap"),
	metadata: objectMetaSchema,
	immutable: z.boolean().optional(),
	data: z.record(z.string(), z.string()).default({}),
	/** Base64; nothing that Metal3 reads is binary, so it is kept as it is. */
	binaryData: z.record(z.string(), z.base64()).optional(),
});

export type ConfigMap = z.output<typeof configMapSchema>;

/** `undefined` if the bytes are no UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
	try {
		// The byte order mark is kept: a value must come back as it was.
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}
