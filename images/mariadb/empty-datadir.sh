#!/bin/sh
# The package's own database would be copied into every new volume, with keys that all installations share.
set -eu
root=${1:?the tree}

rm -rf "$root/var/lib/mysql"
install -d -m 0750 -o 901 -g 901 "$root/var/lib/mysql"
# Debian's start-up helpers read a maintenance account from here; the server runs without them.
rm -f "$root/etc/mysql/debian.cnf"
