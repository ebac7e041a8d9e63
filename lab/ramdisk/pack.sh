#!/bin/sh
# Second hook: takes away what the agent never opens and packs the rest. ROOT OUT
# Python modules are kept as compiled files only: half the size, and no source to check at each import.
set -eu
root=${1:?the tree} out=${2:?the result}
cd "$root"
python=$(basename usr/lib/python3.*)
modules=usr/lib/python3/dist-packages

# *.pth files of packages that go would print a traceback at each start of Python.
rm -rf "$modules"/*.pth
for name in setuptools _distutils_hack pkg_resources docutils chardet pytz zope gevent testtools more_itertools \
	jaraco wheel fixtures inflect typeguard autocommand zipp msgpack tempita Tempita roman; do
	rm -rf "$modules/$name"*
done
for name in test idlelib tkinter turtledemo ensurepip pydoc_data lib2to3; do rm -rf "usr/lib/$python/$name"; done
find "usr/lib/$python" usr/lib/python3 -type d -name tests -prune -exec rm -rf {} +

chroot . python3 -m compileall -q -b -o 0 -j 2 "/usr/lib/$python" /usr/lib/python3/dist-packages >/dev/null 2>&1 || true
find "usr/lib/$python" usr/lib/python3 -type d -name __pycache__ -prune -exec rm -rf {} +
find "usr/lib/$python" usr/lib/python3 -name '*.py' | while read -r file; do
	if [ -f "${file}c" ]; then rm "$file"; fi
done

libraries=usr/lib/x86_64-linux-gnu
rm -rf usr/share/doc usr/share/man usr/share/locale usr/share/info usr/share/i18n usr/share/javascript usr/share/ieee-data \
	usr/share/bash-completion usr/share/zsh usr/share/fish usr/share/perl5 usr/share/doc-base usr/share/bug \
	usr/share/common-licenses usr/share/pixmaps usr/share/polkit-1 usr/share/dbus-1 usr/share/zoneinfo usr/share/keyrings \
	usr/share/gcc usr/share/xml usr/share/sgml* usr/share/pam usr/share/terminfo usr/share/misc/magic* \
	usr/share/misc/enterprise-numbers.txt usr/share/python-babel-localedata usr/share/docutils usr/share/paster_templates
rm -rf var/lib/apt var/lib/dpkg var/cache var/log/* usr/lib/apt usr/lib/dpkg usr/lib/file usr/lib/initramfs-tools boot \
	usr/lib/systemd/system usr/lib/systemd/systemd usr/lib/udev/hwdb.d usr/lib/udev/hwdb.bin etc/udev/hwdb.bin
rm -rf $libraries/gconv $libraries/perl-base $libraries/perl $libraries/libapt-* $libraries/libdb-5* $libraries/security \
	$libraries/libmvec* $libraries/libsepol* $libraries/libicu* $libraries/audit
rm -f usr/bin/apt* usr/bin/dpkg* usr/bin/perl* usr/bin/localedef usr/bin/gpgv usr/bin/file usr/bin/qemu-io usr/bin/qemu-nbd \
	usr/bin/qemu-storage-daemon usr/bin/elf2dmp usr/bin/openssl usr/sbin/ldconfig usr/sbin/unix_chkpwd

# cpio and zstd come from the tree itself and do not go into the archive. /dev, /proc and /sys are mounts here; the
# kernel opens /dev/console before anything can mount one.
chroot . sh -ec '
	find . -xdev \( -path ./dev -o -path ./proc -o -path ./sys -o -path ./run -o -path ./tmp \
		-o -path ./usr/bin/cpio -o -path ./usr/bin/zstd \) -prune -o -print0 | LC_ALL=C sort -z >/tmp/list
	printf "./dev\0./dev/console\0./dev/null\0./proc\0./sys\0./run\0./tmp\0" >>/tmp/list
	cpio --null -o -H newc --quiet -R 0:0 </tmp/list | zstd -q -3 -T0
' >"$out/initramfs"
