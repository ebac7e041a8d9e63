import type { SourceDocument } from "../document.ts";
import type { Draft } from "../draft.ts";

interface CertificateManifest {
	readonly kind?: unknown;
	readonly apiVersion?: unknown;
	readonly metadata?: { readonly namespace?: unknown } | null;
	readonly spec?: { readonly secretName?: unknown } | null;
}

/** The cert-manager `Certificate` among the manifests whose issued Secret would have this name. */
export function certManagerCertificate(
	draft: Draft,
	namespace: string,
	name: string,
): SourceDocument | undefined {
	return draft.documents.find(({ value }) => {
		const manifest = (value ?? {}) as CertificateManifest;
		return (
			manifest.kind === "Certificate" &&
			String(manifest.apiVersion).startsWith("cert-manager.io/") &&
			(manifest.metadata?.namespace ?? "default") === namespace &&
			manifest.spec?.secretName === name
		);
	});
}
