import type { SourceRef } from "../../lib/errors.ts";
import type { Finding } from "../finding.ts";
import { lintDocuments } from "../lint.ts";
import { parseDocuments } from "../parse.ts";
import { documentText } from "../yaml-text.ts";
import type { Imported, ImportedHost, ImportedIronic, Remark } from "./imported.ts";
import { assignNames, validName } from "./names.ts";

/** One file of a site. */
export interface ManifestFile {
	readonly name: "ironic.yaml" | "hosts.yaml" | "secrets.yaml";
	readonly text: string;
	/** Has passwords in it: only its owner may read it. */
	readonly secret: boolean;
}

export interface ImportedSite {
	readonly files: readonly ManifestFile[];
	readonly remarks: readonly Remark[];
	/** What the linter says about the files. */
	readonly findings: readonly Finding[];
}

/**
 * What was imported, as manifests with comments, Secrets apart, judged by the linter. Pure. `place` makes the names of
 * files those under which they will be found.
 */
export function manifestsOf(
	imported: Imported,
	namespace: string,
	place: (name: string) => string = (name) => name,
): ImportedSite {
	const remarks = [...imported.remarks];
	const names = assignNames(imported.hosts, (remark) => void remarks.push(remark));
	remarks.push(...imported.hosts.map((host, index) => takenOf(host, names[index] ?? "")));
	const hosts = imported.hosts.map((host, index) => manifestsOfHost(host, names[index] ?? "", namespace));
	const files: ManifestFile[] = [
		...fileOf("ironic.yaml", imported.ironic ? manifestsOfIronic(imported.ironic, namespace) : [], false),
		...fileOf(
			"hosts.yaml",
			hosts.map(({ manifest }) => manifest),
			false,
		),
		...fileOf(
			"secrets.yaml",
			hosts.flatMap(({ secrets }) => secrets),
			true,
		),
	];
	const parsed = files.map(({ name, text }) => parseDocuments(text, place(name)));
	const findings = lintDocuments(
		parsed.flatMap(({ documents }) => documents),
		parsed.flatMap((each) => each.findings),
	);
	return { files, remarks, findings };
}

/** What was understood of a host, in the words of the result. */
function takenOf(
	{ bmc, kept, labels, name, networkData, spec, where }: ImportedHost,
	called: string,
): Remark {
	const fields = [
		...(bmc?.address === undefined ? [] : ["bmc.address"]),
		...(["username", "password"] as const).filter((part) => bmc?.[part] !== undefined),
		...Object.keys(spec),
		...(Object.keys(labels ?? {}).length === 0 ? [] : ["labels"]),
		...(networkData === undefined ? [] : ["networkData"]),
		...Object.keys(kept ?? {}),
	];
	return {
		kind: "taken",
		where,
		host: name,
		field: "host",
		note: `as BareMetalHost ${called}: ${fields.join(", ")}`,
	};
}

function fileOf(name: ManifestFile["name"], documents: readonly string[], secret: boolean): ManifestFile[] {
	return documents.length === 0 ? [] : [{ name, text: documents.join(""), secret }];
}

function manifestsOfHost(host: ImportedHost, name: string, defaultNamespace: string) {
	const namespace = validName(host.namespace ?? "").replaceAll(".", "-") || defaultNamespace;
	const { bmc, kept, networkData, spec, where } = host;
	const origin = [`from ${placeText(where)}`];
	const secretNames = { bmc: `${name}-bmc`, networkData: `${name}-network-data`, kept: `${name}-kept` };
	const labels = Object.entries(host.labels ?? {}).length > 0 ? { labels: host.labels } : {};
	const manifest = documentText(
		{
			apiVersion: "metal3.io/v1alpha1",
			kind: "BareMetalHost",
			metadata: { name, namespace, ...labels },
			spec: {
				...spec,
				...(bmc?.address === undefined ? {} : { bmc: bmcSpec(bmc, bmc.address, secretNames.bmc) }),
				...(networkData === undefined ? {} : { networkData: { name: secretNames.networkData, namespace } }),
			},
		},
		bmc?.address === undefined
			? [...origin, "`bmc` is missing: without it the host stays unmanaged"]
			: origin,
	);
	const secret = (
		called: string,
		stringData: Readonly<Record<string, string>>,
		comments: readonly string[],
	) =>
		documentText(
			{ apiVersion: "v1", kind: "Secret", metadata: { name: called, namespace }, stringData },
			comments,
		);
	const lacking = bmc ? (["username", "password"] as const).filter((key) => bmc[key] === undefined) : [];
	const unused =
		bmc && bmc.address === undefined ? ["nothing refers to it until the host has its `bmc`"] : [];
	const hint = lacking.map((key) => `the source does not tell the ${key}: fill it in, or use \`valueFrom\``);
	return {
		manifest,
		secrets: [
			...(bmc === undefined
				? []
				: [
						secret(secretNames.bmc, { username: bmc.username ?? "", password: bmc.password ?? "" }, [
							...unused,
							...hint,
						]),
					]),
			...(networkData === undefined
				? []
				: [secret(secretNames.networkData, { networkData: JSON.stringify(networkData, undefined, 2) }, [])]),
			...(kept === undefined
				? []
				: [secret(secretNames.kept, kept, ["for you to use; nothing refers to it"])]),
		],
	};
}

function bmcSpec(bmc: NonNullable<ImportedHost["bmc"]>, address: string, credentialsName: string) {
	return {
		address,
		credentialsName,
		...(bmc.disableCertificateVerification ? { disableCertificateVerification: true } : {}),
	};
}

function manifestsOfIronic(ironic: ImportedIronic, defaultNamespace: string): string[] {
	const metadata = { name: ironic.name, namespace: ironic.namespace ?? defaultNamespace };
	const bootstrap = {
		apiVersion: "ironstrap.io/v1alpha1",
		kind: "Bootstrap",
		metadata,
		spec: { target: { ironic: ironic.target } },
	};
	return [
		documentText({ apiVersion: "ironic.metal3.io/v1alpha1", kind: "Ironic", metadata, spec: ironic.spec }, [
			"the stack on this machine",
		]),
		...(ironic.target === undefined
			? []
			: [
					documentText(bootstrap, [
						"what differs in the target; add `deployRamdisk` with the files of your ramdisk",
					]),
				]),
		...Object.entries(ironic.configMaps ?? {}).map(([name, data]) =>
			documentText(
				{ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: metadata.namespace }, data },
				[],
			),
		),
	];
}

function placeText({ column, file, line }: SourceRef): string {
	return `${file}:${line}:${column}`;
}
