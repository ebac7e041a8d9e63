#!/bin/sh
# Prepares this machine and this checkout, then becomes the program that was asked for:
#
#   sh tools/setup.sh test|demo|bench|exhaustive|prepare [ARGUMENT...]
#
# For Debian 12 or newer, as root. It may be run again at any time and does only what is missing. What it does is said on
# stderr; stdout belongs to the program. It dies with the process that started it: npm leaves its children behind when it
# is ended by a signal, so the kernel tells this one (setpriv --pdeathsig).
set -eu

# Programs and files only. Engines' and servers' daemons (docker.io, apache2, mariadb-server, dnsmasq, firewalld) are
# installed in images and sandboxes, never on this machine.
packages="aardvark-dns busybox-static catatonit conmon cpio curl debian-archive-keyring dosfstools gdisk genisoimage
grub-efi-amd64-signed grub-pc-bin ipxe-qemu iproute2 iptables mmdebstrap mtools netavark nftables nmap openssl ovmf podman procps
python3-ironicclient qemu-system-x86 qemu-utils runc seabios shim-signed tmux util-linux xz-utils zstd"

policy=/usr/sbin/policy-rc.d

say() {
	printf 'setup: %s\n' "$*" >&2
}

# Ends the set-up with what is wrong and what to do. A test run always ends with its count.
die() {
	say "$*"
	[ "${entry:-}" != test ] || echo "0 passed, 1 failed"
	exit 2
}

# Commands run in the background, because a shell acts on a signal only between commands, but at once in `wait`.
child=
stopped=

stop() {
	stopped=$1
	if [ -n "${protected:-}" ]; then
		say "stopping as soon as the packages are installed"
	elif [ -n "$child" ]; then
		kill -TERM "$child" 2>/dev/null || :
	fi
}

end_if_stopped() {
	[ -n "$stopped" ] || return 0
	say "stopped"
	[ "$entry" != test ] || echo "0 passed, 1 failed"
	exit "$stopped"
}

run() {
	end_if_stopped
	if [ -n "${log:-}" ]; then
		"$@" </dev/null >"$log" 2>&1 &
	else
		"$@" </dev/null >&2 &
	fi
	child=$!
	while :; do
		status=0
		wait "$child" || status=$?
		kill -0 "$child" 2>/dev/null || break # a signal ends `wait`, too
	done
	child=
	end_if_stopped
	return "$status"
}

# Runs to its end whatever happens, out of reach of Ctrl-C: dpkg must not be cut short. Its output is shown if it fails.
run_protected() {
	log=$(mktemp)
	protected=yes
	outcome=done
	run setsid "$@" || outcome=failed
	protected=
	[ "$outcome" = done ] || cat "$log" >&2
	rm -f "$log"
	log=
	[ "$outcome" = done ]
}

parent_of_this() {
	awk '/^PPid:/ { print $2 }' "/proc/$$/status"
}

check_machine() {
	command -v node >/dev/null || die "node is not installed: Node.js 20.19 or newer is needed"
	node -e 'var v = process.versions.node.split("."); process.exit(v[0] > 20 || (v[0] == 20 && v[1] >= 19) ? 0 : 1)' ||
		die "Node.js 20.19 or newer is needed; this is $(node --version)"
	[ "$(id -u)" -eq 0 ] || die "run this as root: packages are installed and sandboxes (namespaces) are created"
}

missing_packages() {
	for package in $packages; do
		status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) || status=
		[ "$status" = installed ] || printf '%s ' "$package"
	done
}

# Nothing that is installed here gets started. The file refuses only while this process lives, so that a stale one
# (after kill -9) does no harm.
forbid_starts() {
	if [ -e "$policy" ] && ! grep -q 'ironstrap set-up' "$policy"; then
		say "$policy exists already and decides whether services start"
		return
	fi
	printf '#!/bin/sh\n# ironstrap set-up: nothing is started while it installs packages\n' >"$policy.ironstrap"
	printf 'grep -qs setup.sh /proc/%s/cmdline && exit 101\nexit 0\n' "$$" >>"$policy.ironstrap"
	chmod 755 "$policy.ironstrap"
	mv "$policy.ironstrap" "$policy"
}

allow_starts() {
	rm -f "$policy.ironstrap"
	! grep -qs 'ironstrap set-up' "$policy" || rm -f "$policy"
}

install_packages() {
	missing=$(missing_packages)
	[ -n "$missing" ] || return 0
	command -v apt-get >/dev/null || die "not a Debian machine; install by hand: $missing"
	say "installing packages: $missing"
	export DEBIAN_FRONTEND=noninteractive
	set -- apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0
	run "$@" update || say "apt-get update failed; trying with the lists that are there"
	# shellcheck disable=SC2086
	run "$@" install --yes --no-install-recommends --download-only $missing || die "apt-get could not fetch the packages"
	forbid_starts
	installed=yes
	# shellcheck disable=SC2086
	run_protected "$@" install --yes --no-install-recommends --no-download $missing || installed=
	allow_starts
	[ -n "$installed" ] || die "apt-get failed: see above"
}

install_node_modules() {
	stamp=node_modules/.ironstrap-installed
	wanted="$(sha256sum package-lock.json) $(node --version)"
	[ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || return 0
	say "npm ci"
	rm -f "$stamp"
	run npm ci --no-audit --no-fund --loglevel=error || die "npm ci failed: see above"
	printf '%s\n' "$wanted" >"$stamp"
}

build() {
	run node tools/build.mjs || die "the build failed: see above"
}

entry=${1:-}
case $entry in
test) program=tools/test.mjs ;;
demo) program=dist/lab/demo/main.js ;;
bench | exhaustive) program="tools/measure.mjs $entry" ;;
prepare) program= ;;
*) die "usage: sh tools/setup.sh test|demo|bench|exhaustive|prepare [ARGUMENT...]" ;;
esac

cd "$(dirname "$0")/.."
command -v setpriv >/dev/null || die "setpriv (package util-linux) is missing"
if [ -z "${IRONSTRAP_SETUP_PARENT:-}" ]; then
	exec env IRONSTRAP_SETUP_PARENT="$PPID" setpriv --pdeathsig TERM sh tools/setup.sh "$@"
fi
parent=$IRONSTRAP_SETUP_PARENT
unset IRONSTRAP_SETUP_PARENT
shift

trap 'stop 129' HUP
trap 'stop 130' INT
trap 'stop 143' TERM
trap allow_starts EXIT
[ "$(parent_of_this)" = "$parent" ] || die "the process that started this has ended"

check_machine
# One set-up of this checkout at a time. Children hold the lock, too: npm may outlive this process after kill -9.
exec 9<package-lock.json
flock --nonblock 9 || {
	say "waiting for another set-up of this checkout"
	run flock --timeout 1800 package-lock.json true || die "the other set-up does not end"
	flock 9
}
install_packages
install_node_modules
build
exec 9<&-

[ -n "$program" ] || exit 0
end_if_stopped
[ "$(parent_of_this)" = "$parent" ] || die "the process that started this has ended"
trap - EXIT
# shellcheck disable=SC2086
exec setpriv --pdeathsig TERM node $program "$@"
