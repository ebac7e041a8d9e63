#!/bin/sh
# First hook: puts the agent, the kernel's modules and our own files into the tree. ROOT OUT SOURCE
set -eu
root=${1:?the tree} out=${2:?the result} source=${3:?our own files}
export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG
debs=$root/tmp/debs
mkdir -p "$debs"
cd "$debs"

# The agent's package depends on libguestfs, libvirt, fio, stress-ng and more, which deploying a server never calls.
# The kernel's would build an initramfs of its own. Both are therefore unpacked and not installed.
kernel=$(apt-cache --no-all-versions show linux-image-cloud-amd64 | sed -n 's/^Depends: \(linux-image-[^ ,]*\).*/\1/p' | head -n 1)
apt-get download ironic-python-agent "$kernel"
for deb in ./*.deb; do dpkg-deb --extract "$deb" "$debs/tree"; done
mv "$debs"/tree/boot/vmlinuz-* "$out/kernel"

cp -a "$debs/tree/etc/." "$root/etc"
cp -a "$debs/tree/usr/bin/." "$root/usr/bin"
cp -a "$debs/tree/usr/lib/python3/." "$root/usr/lib/python3"

# The agent imports tooz for a network burn-in that nobody runs; the real one brings grpc, kazoo and redis.
mkdir -p "$root/usr/lib/python3/dist-packages/tooz"
: >"$root/usr/lib/python3/dist-packages/tooz/__init__.py"
: >"$root/usr/lib/python3/dist-packages/tooz/coordination.py"

# Only the modules that are named, and what these need; already uncompressed, which saves time at each boot.
version=$(basename "$debs"/tree/usr/lib/modules/*)
from=$debs/tree/usr/lib/modules/$version
to=$root/usr/lib/modules/$version
mkdir -p "$to"
cp "$from/modules.builtin" "$from/modules.builtin.modinfo" "$from/modules.order" "$to"
ln -s usr/lib "$debs/tree/lib" # kmod was built for one of the two paths
chroot "$root" depmod -b /tmp/debs/tree "$version"
for module in $(cat "$source/modules") efivarfs; do
	chroot "$root" modprobe -d /tmp/debs/tree -S "$version" --show-depends "$module"
done | sed -n 's|^insmod .*/lib/modules/\([^ ]*\).*|\1|p' | sort -u | while read -r file; do
	mkdir -p "$(dirname "$root/usr/lib/modules/$file")"
	cp "$debs/tree/usr/lib/modules/$file" "$root/usr/lib/modules/$file"
	case $file in *.xz) chroot "$root" unxz "/usr/lib/modules/$file" ;; esac
done
chroot "$root" depmod "$version"

install -m 0755 "$source/init" "$root/init"
install -d "$root/usr/lib/ironstrap" "$root/etc/ironstrap"
install -m 0755 "$source/dhcp-event" "$source/find-medium" "$root/usr/lib/ironstrap"
install -m 0644 "$source/network_data.py" "$root/usr/lib/ironstrap"
install -m 0644 "$source/modules" "$root/etc/ironstrap"
printf '[DEFAULT]\n' >"$root/etc/ironic-python-agent/ironic-python-agent.conf"

# The agent calls these by name; init is not systemd.
for action in poweroff reboot; do
	rm -f "$root/usr/sbin/$action"
	printf '#!/bin/busybox sh\n/bin/busybox sync\nexec /bin/busybox %s -f\n' $action >"$root/usr/sbin/$action"
	chmod 0755 "$root/usr/sbin/$action"
done
rm -rf "$debs"
