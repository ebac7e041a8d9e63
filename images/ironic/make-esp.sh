#!/bin/sh
# The EFI system partition image that Ironic puts into its virtual media ISOs ([conductor]bootloader_by_arch):
# Debian's signed shim and grub, so that Secure Boot works. grubx64.efi.signed has the prefix /EFI/debian built
# in, which is why [DEFAULT]grub_config_path must be EFI/debian/grub.cfg.
set -eu
root=${1:?the tree}
out=/usr/share/ironstrap/esp-x86_64.img

install -d "$root/usr/share/ironstrap"
rm -f "$root$out"
# A fixed volume id and fixed times: the same packages give the same image.
chroot "$root" mkfs.msdos -F 12 -n ESP_IMAGE -i 49524f4e --invariant -C "$out" 9216 >/dev/null
chroot "$root" mmd -i "$out" ::EFI ::EFI/BOOT
chroot "$root" mcopy -m -i "$out" /usr/lib/shim/shimx64.efi.signed ::EFI/BOOT/BOOTX64.EFI
chroot "$root" mcopy -m -i "$out" /usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed ::EFI/BOOT/grubx64.efi
chroot "$root" mcopy -m -i "$out" /usr/lib/shim/mmx64.efi.signed ::EFI/BOOT/mmx64.efi
chmod 0644 "$root$out"
chroot "$root" mdir -b -i "$out" ::EFI/BOOT | grep -qi grubx64.efi
