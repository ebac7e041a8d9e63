import type { Sandbox } from "./sandbox.ts";

/** The image in the metal3 layout, as a sandbox's engine has it. */
export const METAL3_LAYOUT_IMAGE = "localhost/lab/metal3-layout:latest";

/**
 * Our image's programs where metal3's has them, for its user and without an init process or entry point: what
 * https://github.com/metal3-io/ironic-image (prepare-image.sh, prepare-ipxe.sh, prepare-efi.sh) leaves in /usr/sbin,
 * /etc/httpd, /tftpboot and /templates, and the file capabilities that it gives dnsmasq.
 */
const rearrange = `
sed -i 's/^ironic:x:902:902:/ironic:x:997:994:/' /etc/passwd
sed -i 's/^ironic:x:902:/ironic:x:994:/' /etc/group
mkdir -p /etc/httpd /tftpboot /templates
mv /usr/lib/apache2/modules /etc/httpd/modules
mv /usr/sbin/apache2 /usr/sbin/httpd
mv /usr/lib/ipxe/undionly.kpxe /tftpboot/
mv /usr/lib/ipxe/snponly.efi /tftpboot/snponly-x86_64.efi
mv /usr/share/ironstrap/esp-x86_64.img /templates/uefi_esp_x86_64.img
rm -rf /usr/lib/ipxe /usr/share/ironstrap /usr/lib/ISOLINUX /usr/bin/tini
python3 - <<'END'
import os, struct
# cap_net_bind_service, cap_net_admin, cap_net_raw, permitted and inheritable; effective
wanted = 1 << 10 | 1 << 12 | 1 << 13
os.setxattr("/usr/sbin/dnsmasq", "security.capability", struct.pack("<5I", 0x02000001, wanted, wanted, 0, 0))
END
`;

/** Makes the image out of ours, in the sandbox's Podman. */
export async function makeMetal3Layout(sandbox: Sandbox): Promise<void> {
	const name = "metal3-layout";
	const run = ["run", "--name", name, "--network", "none", "--entrypoint", "/bin/sh"];
	await sandbox.run("podman", [...run, "localhost/ironstrap/ironic:latest", "-ec", rearrange]);
	const changes = ["--change", "ENTRYPOINT []", "--change", "CMD []", "--change", "LABEL io.ironstrap.key="];
	await sandbox.run("podman", [
		"commit",
		"--quiet",
		"--format",
		"docker",
		...changes,
		name,
		METAL3_LAYOUT_IMAGE,
	]);
	await sandbox.run("podman", ["rm", name]);
}
