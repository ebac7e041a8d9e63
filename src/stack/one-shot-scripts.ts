import type { Site } from "../resources/site.ts";
import { imageServerAuthorities, trustedCertificates } from "./certificates.ts";
import { sqliteDirectory, usesSqlite } from "./database.ts";
import { imagePaths } from "./image-paths.ts";
import type { StackInputs } from "./inputs.ts";

/** The site's authorities are added to those that the image trusts, wherever its distribution keeps them. */
function authoritiesText(): string {
	return `# Who may have signed the certificates of image servers.
: >${imageServerAuthorities}.new
for bundle in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; do
	[ -e "$bundle" ] && cat "$bundle" >>${imageServerAuthorities}.new && break
done
cat /etc/ironstrap/prepare/trusted-ca.pem >>${imageServerAuthorities}.new
chmod 0644 ${imageServerAuthorities}.new
mv -f ${imageServerAuthorities}.new ${imageServerAuthorities}

`;
}

/** Fills the shared volume. What others may be reading is replaced by rename. */
export function prepareScript(site: Site, inputs: StackInputs): string {
	const paths = imagePaths(inputs.images.ironic.layout);
	const { uid, gid } = inputs.images.ironic.layout;
	const firmware = Object.entries(paths.firmware)
		.map(([name, places]) => `install_firmware ${name} ${places.join(" ")}`)
		.join("\n");
	return `#!/bin/sh
set -eu
umask 022

directory() {
	mkdir -p "$1"
	chown ${uid}:${gid} "$1"
	chmod "$2" "$1"
}
for path in /shared /shared/html /shared/html/images /shared/tftpboot; do directory "$path" 0755; done
for path in /shared/tmp /shared/master_images /shared/master_iso_images /shared/tftp_master_images; do
	directory "$path" 0755
done
directory /shared/log 0750
directory /shared/agent-certificates 0700
${usesSqlite(site) ? `directory ${sqliteDirectory} 0700\n` : ""}
install_firmware() {
	name=$1
	shift
	for source in "$@"; do
		[ -e "$source" ] || continue
		for target in /shared/html /shared/tftpboot; do
			cmp -s "$source" "$target/$name" && continue
			cp "$source" "$target/.$name.new"
			chmod 0644 "$target/.$name.new"
			mv -f "$target/.$name.new" "$target/$name"
		done
		return 0
	done
	echo "ironstrap: this image has no $name" >&2
}
${firmware}
# One block, for the health check of TFTP.
echo ok >/shared/tftpboot/health

${trustedCertificates(site) === undefined ? "" : authoritiesText()}# The deploy ramdisk: kernel and initramfs in one directory, and one link to it, so that both change at once.
images=/shared/html/images
wanted=deploy-ramdisk-${inputs.deployRamdisk.digest.replace(/[^0-9a-zA-Z]/g, "").slice(-16)}
if [ "$(readlink "$images/deploy-ramdisk" || true)" != "$wanted" ] || ! [ -e "$images/$wanted/initramfs" ]; then
	rm -rf "$images/.$wanted" "$images/$wanted"
	mkdir "$images/.$wanted"
	cp /deploy-ramdisk/kernel "$images/.$wanted/kernel"
	cp /deploy-ramdisk/initramfs "$images/.$wanted/initramfs"
	chmod 0644 "$images/.$wanted/kernel" "$images/.$wanted/initramfs"
	chown -R ${uid}:${gid} "$images/.$wanted"
	sync "$images/.$wanted/kernel" "$images/.$wanted/initramfs"
	mv "$images/.$wanted" "$images/$wanted"
	ln -sfn "$wanted" "$images/.deploy-ramdisk"
	# The link belongs to the ramdisk's owner, or httpd would not follow it.
	chown -h ${uid}:${gid} "$images/.deploy-ramdisk"
	mv -fT "$images/.deploy-ramdisk" "$images/deploy-ramdisk"
	echo "ironstrap: staged $wanted"
fi
for old in "$images"/deploy-ramdisk-*; do
	[ "$old" = "$images/$wanted" ] || rm -rf "$old"
done
`;
}
