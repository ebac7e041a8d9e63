#!/bin/sh
# Runs when the essential packages are unpacked and nothing else is: ROOT NAME:ID:HOME ...
# Written by hand because useradd (package passwd) may not be there yet.
set -eu
root=${1:?the tree}
shift
for user in "$@"; do
	name=${user%%:*}
	rest=${user#*:}
	id=${rest%%:*}
	home=${rest#*:}
	echo "$name:x:$id:" >>"$root/etc/group"
	echo "$name:x:$id:$id::$home:/usr/sbin/nologin" >>"$root/etc/passwd"
	# pwconv (postinst of passwd) makes these from the files above when they do not exist yet
	if [ -e "$root/etc/shadow" ]; then echo "$name:!:::::::" >>"$root/etc/shadow"; fi
	if [ -e "$root/etc/gshadow" ]; then echo "$name:!::" >>"$root/etc/gshadow"; fi
done
