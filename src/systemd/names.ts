/** The services of a site that have units, whether or not it has them now. */
const services = ["mariadb", "schema", "prepare", "ironic", "httpd", "dnsmasq"] as const;

/** Files that Quadlet makes units of. https://docs.podman.io/en/stable/markdown/podman-systemd.unit.5.html */
export const quadletDirectory = "/etc/containers/systemd";

/** Units of the machine's administrator. */
export const unitDirectory = "/etc/systemd/system";

/** Started and stopped as a whole: `systemctl stop ironstrap-stack@metal3.target`. */
export function stackTarget(site: string): string {
	return `ironstrap-stack@${site}.target`;
}

/** Writes the configuration and puts up the fence before the first container, takes it down after the last. */
export function fenceService(site: string): string {
	return `ironstrap-fence@${site}.service`;
}

export function containerService(site: string, service: string): string {
	return `ironstrap-${site}-${service}.service`;
}

export function quadletFile(site: string, service: string): string {
	return `ironstrap-${site}-${service}.container`;
}

/** Every unit that a site may have, the target first. */
export function unitsOfSite(site: string): readonly string[] {
	return [
		stackTarget(site),
		...services.map((service) => containerService(site, service)),
		fenceService(site),
	];
}

/** Every file that a site's units may lie in. */
export function unitPaths(site: string): readonly string[] {
	return [
		...unitsOfSite(site).map((unit) => `${unitDirectory}/${unit}`),
		...services.map((service) => `${quadletDirectory}/${quadletFile(site, service)}`),
	];
}
