import type { ImageLayout } from "../resources/image-layout.ts";

/** Where things are in the Ironic image, and as whom its services run. Sources: stack-lab §1, ironic-image §1. */
export interface ImagePaths {
	readonly httpd: string;
	readonly httpdModules: string;
	/** Modules that are built into Debian's binary and are files elsewhere. */
	readonly extraHttpdModules: readonly string[];
	readonly mimeTypes: string;
	readonly dnsmasq: string;
	/** Firmware: name on the boot server → places to take it from, the first that exists. */
	readonly firmware: Readonly<Record<string, readonly string[]>>;
	/** Image of an EFI system partition for virtual media. */
	readonly esp: string;
	/** Where that partition's boot loader looks for its configuration. */
	readonly grubConfigPath: string;
	/** BIOS boot of virtual media; absent where the image has no isolinux. */
	readonly isolinux?: { readonly bin: string; readonly ldlinux: string };
	readonly httpdUser: { readonly uid: number; readonly gid: number };
	/** Account that dnsmasq changes to after it has opened its sockets. */
	readonly dnsmasqUser: string;
	/** False where dnsmasq carries file capabilities, which `no-new-privileges` takes away. */
	readonly dnsmasqNoNewPrivileges: boolean;
	/** Whether an entry point in the image already is an init process. */
	readonly hasInit: boolean;
}

export function imagePaths(layout: ImageLayout): ImagePaths {
	switch (layout.kind) {
		case "debian":
			return debian;
		case "metal3":
			// Everything in the metal3 image runs as its one service user.
			return { ...metal3, httpdUser: { uid: layout.uid, gid: layout.gid } };
	}
}

const debian: ImagePaths = {
	httpd: "/usr/sbin/apache2",
	httpdModules: "/usr/lib/apache2/modules",
	extraHttpdModules: [],
	mimeTypes: "/etc/mime.types",
	dnsmasq: "/usr/sbin/dnsmasq",
	firmware: {
		"undionly.kpxe": ["/usr/lib/ipxe/undionly.kpxe"],
		"snponly-x86_64.efi": ["/usr/lib/ipxe/snponly.efi", "/usr/lib/ipxe/ipxe.efi"],
		"snponly-arm64.efi": ["/usr/lib/ipxe/snponly-arm64.efi", "/usr/lib/ipxe/ipxe-arm64.efi"],
	},
	esp: "/usr/share/ironstrap/esp-x86_64.img",
	grubConfigPath: "EFI/debian/grub.cfg",
	isolinux: { bin: "/usr/lib/ISOLINUX/isolinux.bin", ldlinux: "/usr/lib/syslinux/modules/bios/ldlinux.c32" },
	httpdUser: { uid: 903, gid: 903 },
	dnsmasqUser: "dnsmasq",
	dnsmasqNoNewPrivileges: true,
	hasInit: true,
};

const metal3: Omit<ImagePaths, "httpdUser"> = {
	httpd: "/usr/sbin/httpd",
	httpdModules: "/etc/httpd/modules",
	extraHttpdModules: ["unixd", "log_config"],
	mimeTypes: "/etc/mime.types",
	dnsmasq: "/usr/sbin/dnsmasq",
	firmware: {
		"undionly.kpxe": ["/tftpboot/undionly.kpxe"],
		"snponly-x86_64.efi": ["/tftpboot/snponly-x86_64.efi", "/tftpboot/snponly.efi"],
		"snponly-arm64.efi": ["/tftpboot/snponly-arm64.efi"],
	},
	esp: "/templates/uefi_esp_x86_64.img",
	grubConfigPath: "EFI/centos/grub.cfg",
	dnsmasqUser: "dnsmasq",
	dnsmasqNoNewPrivileges: false,
	hasInit: false,
};
