import type { ImageLayout, ImagePaths } from "../resources/image-layout.ts";
import type { ComposeService } from "./project.ts";

/** Where things are in an Ironic image of this layout. */
export function imagePaths(layout: ImageLayout): ImagePaths {
	if (layout.kind === "debian") return debian;
	if (layout.paths === undefined) throw new TypeError("a database image was given in place of Ironic's");
	return layout.paths;
}

/** PID 1 of a container: our images bring an init process as entry point; entry points of others are not run. */
export function initOf(layout: ImageLayout): Pick<ComposeService, "entrypoint" | "init"> {
	if (layout.kind === "debian") return {};
	return layout.init === undefined ? { init: true, entrypoint: [] } : { entrypoint: [layout.init, "--"] };
}

const debian: ImagePaths = {
	python: "python3",
	httpd: "/usr/sbin/apache2",
	httpdModules: "/usr/lib/apache2/modules",
	builtInModules: ["log_config", "logio", "unixd", "version", "watchdog"],
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
};
