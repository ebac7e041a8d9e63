/** The Debian releases whose engines the product is run on. */
export const rootNames = ["bookworm", "trixie", "forky"] as const;

export type RootName = (typeof rootNames)[number];

export interface RootDefinition {
	readonly name: RootName;
	/** What the release has, for titles of tests. */
	readonly engines: { readonly podman: string; readonly docker: string };
	readonly packages: readonly string[];
}

const everywhere = [
	...["systemd", "systemd-sysv", "dbus", "mount", "procps", "iproute2", "nftables", "iptables", "firewalld"],
	...["podman", "runc", "crun", "netavark", "aardvark-dns", "catatonit", "docker.io", "tini"],
	...["docker-compose", "podman-compose", "ca-certificates", "curl", "busybox-static"],
	// what a Node.js from elsewhere is linked with
	"libstdc++6",
];

/** Complete machines: an init system, a firewall manager, both engines and their Compose programs. */
export const roots: Readonly<Record<RootName, RootDefinition>> = {
	bookworm: { name: "bookworm", engines: { podman: "4.3", docker: "20.10" }, packages: everywhere },
	trixie: {
		name: "trixie",
		engines: { podman: "5.4", docker: "26.1" },
		packages: [...everywhere, "docker-cli"],
	},
	forky: {
		name: "forky",
		engines: { podman: "5.8", docker: "28.5" },
		packages: [...everywhere, "docker-cli"],
	},
};
