#!/bin/sh
# Hook: kube-apiserver, etcd and kubectl from Debian bookworm's packages, the last release whose source has the API server.
# ROOT OUT. Nothing is installed but a compiler: etcd-server's package would start a service.
set -eux
exec >&2
root=${1:?the tree} out=${2:?the result}
export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG
build=$root/build
mkdir -p "$build/debs" "$build/source"
sed -n 's/^deb /deb-src /p' "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d/*.list 2>/dev/null >"$build/sources.list" || :
cp "$build/sources.list" "$root/etc/apt/sources.list.d/9000sources.list"
apt-get -qq update
(cd "$build/debs" && apt-get -qq download etcd-server kubernetes-client)
(cd "$build/source" && apt-get -qq source --download-only kubernetes)
for package in "$build"/debs/*.deb; do dpkg-deb --extract "$package" "$build/unpacked"; done
install -m 0755 "$build/unpacked/usr/bin/etcd" "$build/unpacked/usr/bin/kubectl" "$out"

cat >"$build/inside.sh" <<'INSIDE'
set -eux
export GOPATH=/build/go GO111MODULE=off CGO_ENABLED=0 GOCACHE=/build/cache HOME=/build PATH=/usr/lib/go-1.19/bin:$PATH
kubernetes=$GOPATH/src/k8s.io/kubernetes
mkdir -p "$GOPATH/src/k8s.io"
# apt has checked the hashes
dpkg-source --no-check -x /build/source/kubernetes_*.dsc "$kubernetes" >/dev/null
cd "$kubernetes"

# with Go 1.19 the vendored reflect2 1.0.1 crashes on a later request; 1.0.2 does not
rm -rf vendor/github.com/modern-go/reflect2
cp -r /usr/share/gocode/src/github.com/modern-go/reflect2 vendor/github.com/modern-go/reflect2

# with Go 1.19 every empty string would fail a schema's validation
validate=vendor/k8s.io/kube-openapi/pkg/validation/validate/type.go
sed -i 's/data == nil || reflect\.DeepEqual(.*) {$/data == nil {/' "$validate"
grep -q 'if data == nil {' "$validate"
! grep -q 'data == nil || reflect.DeepEqual' "$validate"
grep -q 'reflect\.[A-Z]' "$validate" || sed -i '/^\t"reflect"$/d' "$validate"

# the source package leaves out a generated file
go build -o /build/openapi-gen k8s.io/kubernetes/vendor/k8s.io/kube-openapi/cmd/openapi-gen
packages=$(grep -rl --include='*.go' '^// +k8s:openapi-gen=true' pkg vendor/k8s.io staging/src/k8s.io |
	xargs -n1 dirname | sed 's|^staging/src/|vendor/|' | sort -u |
	grep -v -e /code-generator/ -e /sample-apiserver/ -e /kube-openapi/ | sed 's|^|k8s.io/kubernetes/|' | paste -sd,)
/build/openapi-gen --logtostderr --output-base "$GOPATH/src" --go-header-file vendor/k8s.io/code-generator/hack/boilerplate.go.txt \
	--output-file-base zz_generated.openapi --output-package k8s.io/kubernetes/pkg/generated/openapi \
	--input-dirs "$packages" --report-filename /build/violations

version=v1.20.2
flags=
for package in component-base/version client-go/pkg/version; do
	at=k8s.io/kubernetes/vendor/k8s.io/$package
	flags="$flags -X $at.gitVersion=$version -X $at.gitMajor=1 -X $at.gitMinor=20 -X $at.gitTreeState=clean -X $at.buildDate=2021-01-13T00:00:00Z"
done
go build -trimpath -tags providerless -ldflags "-s -w $flags" -o /build/kube-apiserver k8s.io/kubernetes/cmd/kube-apiserver
INSIDE
chroot "$root" sh /build/inside.sh
install -m 0755 "$build/kube-apiserver" "$out"
