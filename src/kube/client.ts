import type { KubeObject, KubeRef } from "./objects.ts";
import { pathOf, refText, resourceOf } from "./objects.ts";
import { createKubeTransport, type KubeOptions } from "./transport.ts";

/** Who writes, in `metadata.managedFields`. */
export const FIELD_MANAGER = "ironstrap";

export type KubeVerb = "get" | "list" | "create" | "patch" | "delete";

/** A right that somebody has or lacks, as a role would grant it. */
export interface KubeRight {
	readonly kind: string;
	readonly verb: KubeVerb;
	readonly subresource?: "status" | undefined;
	/** Absent: in all namespaces, or for a kind without one. */
	readonly namespace?: string | undefined;
}

export interface CallOptions {
	readonly signal?: AbortSignal | undefined;
}

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatch =
	| { readonly op: "test" | "add" | "replace"; readonly path: string; readonly value: unknown }
	| { readonly op: "remove"; readonly path: string };

/** One cluster's API. A look-up answers `undefined` when there is no such object. Errors: api-error.ts. */
export interface KubeClient {
	readonly server: string;
	/** `v1.31.2`. */
	version(options?: CallOptions): Promise<string>;
	get(ref: KubeRef, options?: CallOptions): Promise<KubeObject | undefined>;
	/** All of a kind, in one namespace or in all. */
	list(kind: string, namespace?: string, options?: CallOptions): Promise<readonly KubeObject[]>;
	/**
	 * Server-side apply under our own field manager and never by force: a field that somebody else owns and that has
	 * another value is a conflict. `dryRun`: admission and schema without writing.
	 */
	apply(object: KubeObject, options?: CallOptions & { readonly dryRun?: boolean }): Promise<KubeObject>;
	/** Lays `status` over the object's status (JSON merge patch of the subresource). */
	writeStatus(ref: KubeRef, status: object, options?: CallOptions): Promise<KubeObject>;
	/** All operations or none; a `test` that fails is a `kube-refused`. */
	patch(ref: KubeRef, operations: readonly JsonPatch[], options?: CallOptions): Promise<KubeObject>;
	/** Only the object with this uid: another one of the same name stays. Already gone is fine. */
	remove(ref: KubeRef, uid: string, options?: CallOptions): Promise<void>;
	mayI(right: KubeRight, options?: CallOptions): Promise<boolean>;
	close(): Promise<void>;
}

export function createKubeClient(options: KubeOptions): KubeClient {
	const transport = createKubeTransport(options);
	const url = ({ kind, name, namespace }: KubeRef) => pathOf(kind, namespace, name);

	return {
		server: options.access.server,
		close: transport.close,
		async version({ signal } = {}) {
			const found = await transport.send({ method: "GET", path: "/version", what: "GET /version", signal });
			return String((found as { gitVersion?: string } | undefined)?.gitVersion ?? "unknown");
		},
		async get(ref, { signal } = {}) {
			const what = `GET ${refText(ref)}`;
			return (await transport.send({ method: "GET", path: url(ref), what, signal })) as
				| KubeObject
				| undefined;
		},
		async list(kind, namespace, { signal } = {}) {
			const { group, version } = resourceOf(kind);
			const items: KubeObject[] = [];
			for (let next: string | undefined; ; ) {
				const query = new URLSearchParams({
					limit: "500",
					...(next === undefined ? {} : { continue: next }),
				});
				const page = (await transport.send({
					method: "GET",
					path: `${pathOf(kind, namespace)}?${query}`,
					what: `LIST ${kind}`,
					signal,
				})) as { items?: KubeObject[]; metadata?: { continue?: string } } | undefined;
				const apiVersion = group === "" ? version : `${group}/${version}`;
				// items of a list leave out what the list says for all
				items.push(...(page?.items ?? []).map((item) => ({ ...item, apiVersion, kind })));
				next = page?.metadata?.continue || undefined;
				if (next === undefined) return items;
			}
		},
		async apply(object, { dryRun = false, signal } = {}) {
			const { kind, metadata } = object;
			const query = new URLSearchParams({
				fieldManager: FIELD_MANAGER,
				force: "false",
				...(dryRun ? { dryRun: "All" } : {}),
			});
			return (await transport.send({
				method: "PATCH",
				path: `${pathOf(kind, metadata.namespace, metadata.name)}?${query}`,
				body: object,
				contentType: "application/apply-patch+yaml",
				what: `${dryRun ? "try" : "apply"} ${refText({ kind, ...metadata })}`,
				signal,
			})) as KubeObject;
		},
		async writeStatus(ref, status, { signal } = {}) {
			return (await transport.send({
				method: "PATCH",
				path: `${url(ref)}/status?fieldManager=${FIELD_MANAGER}`,
				body: { status },
				contentType: "application/merge-patch+json",
				what: `write the status of ${refText(ref)}`,
				signal,
			})) as KubeObject;
		},
		async patch(ref, operations, { signal } = {}) {
			return (await transport.send({
				method: "PATCH",
				path: `${url(ref)}?fieldManager=${FIELD_MANAGER}`,
				body: operations,
				contentType: "application/json-patch+json",
				what: `patch ${refText(ref)}`,
				signal,
			})) as KubeObject;
		},
		async remove(ref, uid, { signal } = {}) {
			await transport.send({
				method: "DELETE",
				path: url(ref),
				body: { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid } },
				what: `delete ${refText(ref)}`,
				signal,
			});
		},
		async mayI({ kind, namespace, subresource, verb }, { signal } = {}) {
			const { group, plural } = resourceOf(kind);
			const answer = (await transport.send({
				method: "POST",
				path: pathOf("SelfSubjectAccessReview"),
				body: {
					apiVersion: "authorization.k8s.io/v1",
					kind: "SelfSubjectAccessReview",
					spec: { resourceAttributes: { group, resource: plural, verb, subresource, namespace } },
				},
				what: `ask whether ${verb} of ${plural} is allowed`,
				signal,
			})) as { status?: { allowed?: boolean } };
			return answer.status?.allowed === true;
		},
	};
}
