import type { ImageLayout } from "../resources/image-layout.ts";
import type { ComposeProject } from "./project.ts";

/** What rendering a stack needs besides the site; all of it decided or read beforehand, so that rendering is pure. */
export interface StackInputs {
	/** The base text, `compose/compose.yaml`. */
	readonly baseText: string;
	/** The site's run directory, `/run/ironstrap/SITE`: configuration is mounted from here. */
	readonly runDirectory: string;
	readonly images: {
		readonly ironic: { readonly reference: string; readonly id: string; readonly layout: ImageLayout };
		/** Absent with SQLite. */
		readonly mariadb?:
			| { readonly reference: string; readonly id: string; readonly layout: ImageLayout }
			| undefined;
	};
	readonly provisioning: {
		/** The machine's address on the provisioning network and the interface that carries it. */
		readonly address: string;
		readonly interface: string;
		readonly cidr: string;
		/**
		 * An IPv6 address of the same interface, e.g. `fd00:1abc::1/64`. With it dnsmasq announces the prefix (and no
		 * router), which saves each iPXE boot about 15 s of waiting for IPv6.
		 */
		readonly ipv6Cidr?: string | undefined;
		/**
		 * BMC → the address of this machine by which it is reached, for those that fetch virtual media: a machine with a
		 * second leg in their network serves them there.
		 */
		readonly media?: Readonly<Record<string, string>> | undefined;
	};
	/**
	 * Addresses of this machine. `externalIP` is published only if it is one of them: it may as well belong to a
	 * device in front that translates addresses.
	 */
	readonly localAddresses?: readonly string[] | undefined;
	/** Subnet of the stack's private bridge, e.g. `10.89.77.0/24`; a free one was chosen. */
	readonly bridgeSubnet: string;
	readonly credentials: {
		readonly api: { readonly username: string; readonly password: string };
		/** bcrypt, one line `user:$2y$…`. */
		readonly htpasswd: string;
		readonly databasePassword: string;
	};
	/** PEM texts of the API and virtual-media listener. */
	readonly tls: { readonly certificate: string; readonly key: string; readonly ca: string };
	/** Absolute paths on this machine of the deploy ramdisk. */
	readonly deployRamdisk: { readonly kernel: string; readonly initramfs: string; readonly digest: string };
	/** Servers that get addresses though no manifest names them. */
	readonly moreMacs?: readonly string[] | undefined;
	/** Addresses that servers keep without end: a provisioned server must not lose its address with us. */
	readonly reservations?: readonly { readonly mac: string; readonly address: string }[] | undefined;
}

/** A file that a container mounts; written below the run directory before the container is created. */
export interface ConfigFile {
	/** Relative to the run directory: `ironic/ironic.conf`. */
	readonly path: string;
	readonly content: string;
	readonly mode: number;
	readonly uid: number;
	readonly gid: number;
	/** Never printed, never hashed into anything public without a key. */
	readonly secret: boolean;
	/** The service re-reads it by itself: a change must not replace the container. */
	readonly live: boolean;
}

/** A directory that a container mounts; made, with this owner and mode, before the container is created. */
export interface ConfigDirectory {
	/** Relative to the run directory: `sockets/ironic`. */
	readonly path: string;
	readonly mode: number;
	readonly uid: number;
	readonly gid: number;
}

export interface Stack {
	readonly project: ComposeProject;
	/** Everything `files` and sockets lie in, parents first. */
	readonly directories: readonly ConfigDirectory[];
	readonly files: readonly ConfigFile[];
	readonly runDirectory: string;
	/** Image reference → image id, for each image that the project names. */
	readonly imageIds: Readonly<Record<string, string>>;
}
