import { isDeepStrictEqual } from "node:util";
import { type IronicSpec, ironicSpecSchema } from "../resources/ironic.ts";
import { mergePatch } from "../resources/merge-patch.ts";
import type { Site } from "../resources/site.ts";
import { reservation } from "../stack/dnsmasq-conf.ts";
import type { KeptAddress } from "../state/host-store.ts";
import { isObject, withoutDefaults } from "./plain.ts";
import { RUN_LABEL } from "./target-host.ts";

/** Names of the Secrets that the target's Ironic refers to; equal to the site's where it names them itself. */
export interface IronicSecretNames {
	readonly credentials: string;
	readonly certificate: string;
}

export function ironicSecretNames({ ironic }: Site): IronicSecretNames {
	return {
		credentials: ironic.spec.apiCredentialsName ?? `${ironic.metadata.name}-api-credentials`,
		certificate: ironic.spec.tls.certificateName ?? `${ironic.metadata.name}-tls`,
	};
}

/**
 * The target's `Ironic`: the site's, with `Bootstrap.spec.target.ironic` over it, the same credentials and
 * certificate, the addresses that servers were leased without end, if it serves DHCP, and without enforcement of
 * remembered power states until the hosts have settled. Values that are the CRD's defaults are left out: an older
 * operator may not know the field.
 */
export function targetIronic(site: Site, runId: string, kept: readonly KeptAddress[]): object {
	const names = ironicSecretNames(site);
	const given = {
		...site.ironic.spec,
		apiCredentialsName: names.credentials,
		tls: { ...site.ironic.spec.tls, certificateName: names.certificate },
	};
	const merged = mergePatch(given, site.bootstrap.spec.target.ironic) as Partial<IronicSpec>;
	const spec = {
		...(withoutDefaults(withReservations(merged, kept), ironicSpecSchema.parse({})) as object),
		extraConfig: withPassivePower(merged.extraConfig),
	};
	const { name, namespace, labels } = site.ironic.metadata;
	return {
		apiVersion: "ironic.metal3.io/v1alpha1",
		kind: "Ironic",
		metadata: { name, namespace, labels: { ...labels, [RUN_LABEL]: runId } },
		spec,
	};
}

/** A value that the target's Ironic has and the site's has not, or otherwise. */
export interface Difference {
	/** `spec.networking.interface`. */
	readonly path: string;
	/** `undefined`: not set. */
	readonly here: unknown;
	readonly target: unknown;
}

/** What a person must know before the target's Ironic is applied: where it is not the one that runs here. */
export function ironicDifferences(site: Site, kept: readonly KeptAddress[]): readonly Difference[] {
	const here = withoutDefaults(site.ironic.spec, ironicSpecSchema.parse({}));
	return differences(here, (targetIronic(site, "", kept) as { spec: unknown }).spec, "spec");
}

function differences(here: unknown, target: unknown, path: string): readonly Difference[] {
	if (isObject(here) && isObject(target))
		return [...new Set([...Object.keys(here), ...Object.keys(target)])]
			.sort()
			.flatMap((key) => differences(here[key], target[key], `${path}.${key}`));
	return isDeepStrictEqual(here, target) ? [] : [{ path, here, target }];
}

function withReservations(spec: Partial<IronicSpec>, kept: readonly KeptAddress[]): Partial<IronicSpec> {
	const { networking } = spec;
	if (networking?.dhcp === undefined || kept.length === 0) return spec;
	const { hosts = [] } = networking.dhcp;
	const missing = kept.filter(({ mac }) => !hosts.some((entry) => entry.toLowerCase().includes(mac)));
	const all = [...hosts, ...missing.map(({ address, mac }) => reservation(mac, address))];
	return { ...spec, networking: { ...networking, dhcp: { ...networking.dhcp, hosts: all } } };
}

const POWER = { group: "conductor", name: "force_power_state_during_sync", value: "false" };

function withPassivePower(extraConfig: IronicSpec["extraConfig"]): IronicSpec["extraConfig"] {
	const others = (extraConfig ?? []).filter(
		({ group, name }) => group !== POWER.group || name !== POWER.name,
	);
	return [...others, POWER];
}
