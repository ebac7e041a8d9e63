import { dhcpModeOf } from "../resources/dhcp-mode.ts";
import type { Site } from "../resources/site.ts";
import { planBridge } from "./addresses.ts";
import { type BaseProject, parseBase } from "./base.ts";
import { configDirectories, configFiles } from "./config-files.ts";
import { databaseImage, usesSqlite, withSqlite } from "./database.ts";
import { endpointsOf } from "./endpoints.ts";
import { imagePaths, initOf } from "./image-paths.ts";
import type { Stack, StackInputs } from "./inputs.ts";
import { bridgeInterfaceName, projectName } from "./names.ts";
import type { ComposeMount, ComposeProject, ComposeService } from "./project.ts";
import { proxyEnvironment } from "./proxy.ts";

/**
 * A site as a Compose project with its configuration files. The base text says what runs and how it is fenced in;
 * only what depends on the site is changed here. Throws `IronstrapError` for values that a file cannot hold.
 */
export function renderStack(site: Site, inputs: StackInputs): Stack {
	const project = siteProject(site, inputs, parseBase(inputs.baseText));
	const { ironic, mariadb } = inputs.images;
	return {
		project,
		directories: configDirectories(site, inputs),
		files: configFiles(site, inputs),
		runDirectory: inputs.runDirectory,
		imageIds: Object.fromEntries(
			[ironic, mariadb].flatMap((image) => (image === undefined ? [] : [[image.reference, image.id]])),
		),
	};
}

function siteProject(site: Site, inputs: StackInputs, base: BaseProject): ComposeProject {
	const name = projectName(site.name);
	const bridge = planBridge(inputs.bridgeSubnet);
	const paths = imagePaths(inputs.images.ironic.layout);
	const ironicUser = userOf(inputs.images.ironic);
	const common = (
		service: ComposeService,
		user: string,
		image: StackInputs["images"]["ironic"] = inputs.images.ironic,
	): ComposeService => ({
		...service,
		image: image.reference,
		user,
		volumes: (service.volumes ?? []).map((mount) => siteMount(mount, base, inputs)),
		labels: { ...service.labels, "io.ironstrap.site": site.name },
		...(service.healthcheck === undefined
			? {}
			: {
					healthcheck: { ...service.healthcheck, test: withPython(service.healthcheck.test, paths.python) },
				}),
		...initOf(image.layout),
	});
	const { mariadb, schema, prepare, ironic, httpd, dnsmasq } = base.services;
	const sqlite = usesSqlite(site);
	const stored = (service: ComposeService) => (sqlite ? withSqlite(service) : service);
	const services: Record<string, ComposeService> = {
		...(sqlite ? {} : { mariadb: common(mariadb, userOf(databaseImage(inputs)), databaseImage(inputs)) }),
		schema: { ...common(stored(schema), ironicUser), command: withPython(schema.command, paths.python) },
		prepare: common(stored(prepare), "0:0"),
		ironic: {
			...common(stored(ironic), ironicUser),
			environment: { ...ironic.environment, ...proxyEnvironment(site, inputs) },
			networks: member(bridge.ironic),
		},
		httpd: {
			...common(httpd, `${paths.httpdUser.uid}:${paths.httpdUser.gid}`),
			command: [paths.httpd, ...httpd.command.slice(1)],
			networks: member(bridge.httpd),
			ports: endpointsOf(site, inputs).ports,
		},
	};
	if (dhcpModeOf(site) !== "off") {
		const { security_opt, ...rest } = common(dnsmasq, "0:0");
		services.dnsmasq = {
			...rest,
			command: [paths.dnsmasq, ...dnsmasq.command.slice(1)],
			...(paths.dnsmasqNoNewPrivileges && security_opt !== undefined ? { security_opt } : {}),
		};
	}
	const used = new Set(
		Object.values(services).flatMap((service) => (service.volumes ?? []).map(({ source }) => source)),
	);
	return {
		name,
		services,
		networks: {
			private: {
				...base.networks.private,
				name: `${name}_private`,
				driver_opts: { "com.docker.network.bridge.name": bridgeInterfaceName(site.name) },
				ipam: { config: [{ subnet: bridge.subnet, gateway: bridge.gateway }] },
			},
		},
		volumes: Object.fromEntries(
			Object.entries(base.volumes)
				.filter(([volume]) => used.has(volume))
				.map(([volume, spec]) => [volume, { ...spec, name: `${name}_${volume}` }]),
		),
	};
}

function userOf({ layout }: StackInputs["images"]["ironic"]): string {
	return `${layout.uid}:${layout.gid}`;
}

/** The base text's `python3` by its name in the image. */
function withPython(words: readonly string[], python: string): readonly string[] {
	return words.map((word) => (word === "python3" ? python : word));
}

function member({ address, mac }: { readonly address: string; readonly mac: string }) {
	return { private: { ipv4_address: address, mac_address: mac } };
}

/** Where the base text binds something: our run directory, or one of the deploy ramdisk's files. */
function siteMount(mount: ComposeMount, base: BaseProject, inputs: StackInputs): ComposeMount {
	if (mount.type !== "bind") return mount;
	const baseRun = `/run/ironstrap/${base.name.replace(/^ironstrap-/, "")}/`;
	if (mount.source.startsWith(baseRun))
		return { ...mount, source: `${inputs.runDirectory}/${mount.source.slice(baseRun.length)}` };
	if (mount.target === "/deploy-ramdisk/kernel") return { ...mount, source: inputs.deployRamdisk.kernel };
	if (mount.target === "/deploy-ramdisk/initramfs")
		return { ...mount, source: inputs.deployRamdisk.initramfs };
	return mount;
}
