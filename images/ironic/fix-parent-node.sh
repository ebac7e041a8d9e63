#!/bin/sh
# Debian's Ironic 1:29.0.5-0+deb13u3 and -u4 (and 35.0.1-8 to -10) carries a backport of CVE-2026-44918 that makes every
# PATCH of a node set parent_node to the node's own UUID. Such a node disappears from GET /v1/nodes, waits for
# its own lock when it is powered off, and cannot be repaired through the API. 39.0.0-6 assigns only when the
# parent is another node: the same condition is put in here.
set -eu
root=${1:?the tree}
module=usr/lib/python3/dist-packages/ironic/api/controllers/v1/node.py
file=$root/$module

bad="^            corrected_values\['parent_node'\] = parent_node.uuid\$"
good='            if parent_node.uuid != rpc_node.uuid:'

count() { grep -c -- "$1" "$file" || true; }

if [ "$(count "^$good\$")" -gt 0 ]; then
	echo "parent_node: this version is not affected"
	exit 0
fi
if [ "$(count "corrected_values\['parent_node'\]")" -eq 0 ]; then
	echo "parent_node: this version does not carry the backport"
	exit 0
fi
if [ "$(count "$bad")" -ne 1 ]; then
	echo "parent_node: $module looks neither broken nor corrected; the correction must be reviewed" >&2
	exit 1
fi

sed -i "s/$bad/$good\n                corrected_values['parent_node'] = parent_node.uuid/" "$file"

[ "$(count "^$good\$")" -eq 1 ] || { echo "parent_node: the correction did not take" >&2; exit 1; }
# Compiled again, or the interpreter would parse the file at each start of a read-only container.
chroot "$root" python3 -m py_compile "/$module"
echo "parent_node: corrected"
