import { IronstrapError } from "../lib/errors.ts";
import type { Site } from "../resources/site.ts";

/**
 * Kernel parameters of the deploy ramdisk. They are written into iPXE scripts and GRUB configuration by Ironic without
 * any quoting, so characters that mean something there are refused.
 */
export function ramdiskKernelParams(site: Site): string {
	const { extraKernelParams, sshKey } = site.ironic.spec.deployRamdisk;
	const params = ["nofb", "nomodeset", "vga=normal", "ipa-insecure=1"];
	const [ntp] = site.bootstrap.spec.ntpServers;
	if (ntp !== undefined) params.push(`ipa-ntp-server=${ntp}`);
	if (extraKernelParams !== undefined)
		params.push(checked(site, "extraKernelParams", extraKernelParams.trim()));
	// The kernel takes a parameter with spaces in double quotes.
	if (sshKey !== undefined)
		params.push(`sshkey="${checked(site, "sshKey", sshKey.trim().replaceAll('"', ""))}"`);
	return params.filter((param) => param !== "").join(" ");
}

/** `ipa-…` parameters for inspection only; empty when the site leaves them to Ironic. */
export function inspectionKernelParams(site: Site): string {
	const { collectors, vlanInterfaces } = site.ironic.spec.inspection;
	return [
		listParam(site, "ipa-inspection-collectors", "collectors", collectors),
		listParam(site, "ipa-enable-vlan-interfaces", "vlanInterfaces", vlanInterfaces),
	]
		.filter((param) => param !== "")
		.join(" ");
}

function listParam(site: Site, name: string, field: string, values: readonly string[] | undefined): string {
	if (values === undefined || values.length === 0) return "";
	const bad = values.find((value) => !/^[A-Za-z0-9_.:@-]+$/.test(value));
	if (bad !== undefined) throw refusal(site, ["inspection", field, values.indexOf(bad)], bad);
	return `${name}=${values.join(",")}`;
}

function checked(site: Site, field: string, value: string): string {
	if (!/^[A-Za-z0-9 _.,:;=+/@%"^~?!()*#-]*$/.test(value) || value.includes(";"))
		throw refusal(site, ["deployRamdisk", field], value);
	return value;
}

function refusal(site: Site, path: readonly (string | number)[], value: string): IronstrapError {
	const { metadata } = site.ironic;
	const bad = [...value].filter((character) => !/[A-Za-z0-9 _.,:=+/@%"^~?!()*#-]/.test(character));
	return new IronstrapError({
		code: "kernel-parameter-characters",
		message: `Ironic.spec.${path.join(".")} has characters that iPXE or GRUB would interpret`,
		where: site.locate({ kind: "Ironic", namespace: metadata.namespace, name: metadata.name }, [
			"spec",
			...path,
		]),
		subject: `Ironic ${metadata.namespace}/${metadata.name}`,
		seen: [...new Set(bad)].map((character) => JSON.stringify(character)).join(" "),
		fix: "leave out line breaks and the characters $ ; & | < > { } \\ ` '",
	});
}
