import { Agent, request } from "undici";

/** An object as an API server stores it, as far as the models look. */
export interface Stored {
	readonly apiVersion: string;
	readonly kind: string;
	readonly metadata: {
		readonly name: string;
		readonly namespace: string;
		readonly resourceVersion: string;
		readonly generation?: number;
		readonly annotations?: Readonly<Record<string, string>>;
		readonly labels?: Readonly<Record<string, string>>;
		readonly finalizers?: readonly string[];
		readonly deletionTimestamp?: string;
	};
	readonly spec: HostSpec;
	readonly status?: HostStatus;
}

export interface HostSpec {
	readonly bmc: {
		readonly address: string;
		readonly credentialsName: string;
		readonly disableCertificateVerification?: boolean;
	};
	readonly bootMACAddress?: string;
	readonly externallyProvisioned?: boolean;
	readonly image?: { readonly url: string };
	readonly online?: boolean;
}

export interface HostStatus {
	readonly conditions?: readonly Condition[];
	readonly errorCount?: number;
	readonly errorMessage?: string;
	readonly errorType?: string;
	readonly goodCredentials?: {
		readonly credentials?: { readonly name?: string; readonly namespace?: string };
		readonly credentialsVersion?: string;
	};
	readonly lastUpdated?: string;
	readonly operationalStatus?: string;
	readonly poweredOn?: boolean;
	readonly provisioning?: {
		readonly state?: string;
		readonly ID?: string;
		readonly image?: { readonly url: string } | undefined;
	};
}

interface Condition {
	readonly type: string;
	readonly status: string;
	readonly reason: string;
	readonly message: string;
	readonly observedGeneration: number | undefined;
	readonly lastTransitionTime: string;
}

/** The lab's own access to the cluster, as an operator has it; shares nothing with the product's. */
export interface ClusterApi {
	list(path: string): Promise<readonly Stored[]>;
	get(path: string): Promise<Stored | undefined>;
	/** PUT; fails when the object has changed meanwhile. */
	replace(object: Stored): Promise<Stored>;
	replaceStatus(object: Stored): Promise<Stored>;
}

export function clusterApi(access: {
	readonly server: string;
	readonly token: string;
	readonly ca: string;
}): ClusterApi {
	const agent = new Agent({ connect: { ca: access.ca } });
	async function call(method: "GET" | "PUT", path: string, body?: object): Promise<Stored> {
		const reply = await request(access.server + path, {
			method,
			dispatcher: agent,
			headers: { authorization: `Bearer ${access.token}`, "content-type": "application/json" },
			body: body === undefined ? null : JSON.stringify(body),
		});
		const text = await reply.body.text();
		if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`);
		return JSON.parse(text) as Stored;
	}
	return {
		list: async (path) => {
			const page = (await call("GET", path)) as unknown as {
				apiVersion: string;
				kind: string;
				items: Stored[];
			};
			const kind = page.kind.replace(/List$/, "");
			return page.items.map((item) => ({ ...item, apiVersion: page.apiVersion, kind }));
		},
		get: (path) =>
			call("GET", path).catch((error: Error) => {
				if (/: 404 /.test(error.message)) return undefined;
				throw error;
			}),
		replace: (object) => call("PUT", pathOf(object), object),
		replaceStatus: (object) => call("PUT", `${pathOf(object)}/status`, object),
	};
}

function pathOf({ apiVersion, kind, metadata }: Stored): string {
	const plural = { BareMetalHost: "baremetalhosts", Ironic: "ironics" }[kind] ?? kind;
	return `/apis/${apiVersion}/namespaces/${metadata.namespace}/${plural}/${metadata.name}`;
}
