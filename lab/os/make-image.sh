#!/bin/sh
# Hook: makes the disk image with the tools of the tree itself, so that this machine needs none. ROOT OUT SOURCE
# GPT with a BIOS boot partition and an EFI system partition, which carries everything. No loop devices, no mounts.
set -eu
root=${1:?the tree} out=${2:?the result} source=${3:?our own files}
export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG
work=$root/build
mkdir -p "$work/debs" "$work/initrd/bin" "$work/initrd/lib" "$work/initrd/dev"
cp "$source"/* "$work"

# The kernel's package is unpacked, not installed: it would build an initramfs of its own.
cd "$work/debs"
kernel=$(apt-cache --no-all-versions show linux-image-cloud-amd64 | sed -n 's/^Depends: \(linux-image-[^ ,]*\).*/\1/p' | head -n 1)
apt-get download "$kernel"
dpkg-deb --extract ./*.deb "$work/kernel"
ln -s usr/lib "$work/kernel/lib" # kmod was built for one of the two paths

cat >"$work/inside.sh" <<'INSIDE'
set -eu
cd /build
version=$(basename kernel/usr/lib/modules/*)
depmod -b /build/kernel "$version"
for module in $(cat modules); do modprobe -d /build/kernel -S "$version" --show-depends "$module"; done |
	sed -n 's|^insmod \([^ ]*\).*|\1|p' | awk '!seen[$0]++' | while read -r file; do
	xz -dc "$file" >"initrd/lib/$(basename "$file" .xz)"
	basename "$file" .xz >>initrd/lib/modules.order
done
cp /usr/bin/busybox initrd/bin/busybox
install -m 0755 init initrd/init
install -m 0755 dhcp-event initrd/bin/dhcp-event
install -D -m 0755 power-button initrd/etc/acpi/PWRF/00000080
mknod initrd/dev/console c 5 1
(cd initrd && find . | LC_ALL=C sort | cpio -o -H newc --quiet -R 0:0) | zstd -q -19 >initrd.img

image=os.raw size_mib=96 esp_first=4096
truncate -s ${size_mib}M $image
sgdisk --disk-guid=1f0e5d0a-6c1a-4b6e-9a55-49524f4e0001 -n 1:2048:4095 -t 1:ef02 -c 1:bios \
	-n 2:$esp_first:0 -t 2:ef00 -c 2:esp $image >/dev/null
last=$(sgdisk -i 2 $image | sed -n 's/^Last sector: \([0-9]*\).*/\1/p')
mkfs.vfat -F 32 -n IRONSTRAP -i 49524f4e --offset $esp_first $image $(((last - esp_first + 1) / 2)) >/dev/null

drive=$image@@$((esp_first * 512))
shim=/usr/lib/shim/shimx64.efi.signed grub=/usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed
mmd -i $drive ::EFI ::EFI/BOOT ::EFI/debian ::boot ::boot/grub
# the removable path, and the vendor path that the deploying agent makes a boot entry of (it reads the CSV file)
mcopy -i $drive $shim ::EFI/BOOT/BOOTX64.EFI
mcopy -i $drive $grub ::EFI/BOOT/grubx64.efi
mcopy -i $drive $shim ::EFI/debian/shimx64.efi
mcopy -i $drive $grub ::EFI/debian/grubx64.efi
python3 -c 'open("csv", "wb").write("\ufeffshimx64.efi,ironstrap test,,The deployed system\n".encode("utf-16-le"))'
mcopy -i $drive csv ::EFI/debian/BOOTX64.CSV
mcopy -i $drive grub.cfg ::EFI/debian/grub.cfg
mcopy -i $drive grub.cfg ::boot/grub/grub.cfg
mcopy -i $drive kernel/boot/vmlinuz-* ::vmlinuz
mcopy -i $drive initrd.img ::initrd
python3 bios-boot.py $image 2048
qemu-img convert -O qcow2 -c $image os.qcow2
INSIDE
chroot "$root" sh /build/inside.sh
cp "$work/os.qcow2" "$out/os.qcow2"
cd "$out"
sha256sum os.qcow2 >os.qcow2.sha256
