#!/bin/sh
# Last script of every image: removes what a running container never reads, what would differ between two
# builds of the same packages, and what would tell where it was built.
set -eu
root=${1:?the tree}

# Nothing in a finished image fetches packages; the list of installed ones (var/lib/dpkg/status) stays.
rm -rf "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d/* "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*
rm -rf "$root"/var/cache/debconf/*-old "$root"/var/lib/dpkg/*-old "$root"/var/cache/ldconfig/aux-cache
rm -rf "$root"/var/log/* "$root"/tmp/* "$root"/var/tmp/* "$root"/run/*
rm -f "$root"/etc/hostname "$root"/etc/resolv.conf "$root"/etc/machine-id "$root"/var/lib/dbus/machine-id
rm -f "$root"/etc/passwd- "$root"/etc/group- "$root"/etc/shadow- "$root"/etc/gshadow- "$root"/etc/subuid- "$root"/etc/subgid-
