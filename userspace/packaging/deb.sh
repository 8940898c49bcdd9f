#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# deb.sh: build the Debian packages of the last commit, for the suite of this machine, into
# build/deb/. If the variable DEB_ARCH is set, build them for this architecture of Debian.

set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd -P)
build=$top/build/deb

die() {
	echo "deb.sh: $*" >&2
	exit 1
}

# setting NAME: a setting of the committed userspace/Makefile.
setting() {
	git -C "$top" show HEAD:userspace/Makefile | sed -n "s/^$1[[:space:]]*:= *//p"
}

native=$(dpkg --print-architecture)
arch=${DEB_ARCH:-$native}

# cross_packages: install the compiler and the libraries of the other architecture, in the
# folder of the source.
cross_packages() {
	if ! dpkg --print-foreign-architectures | grep -qx "$arch"; then
		die "dpkg does not have the architecture $arch. As root, run:" \
			"dpkg --add-architecture $arch && apt-get update"
	fi
	if dpkg-query -W "crossbuild-essential-$arch" >/dev/null 2>&1 &&
		dpkg-checkbuilddeps -a "$arch" -P cross,nocheck 2>/dev/null; then
		return
	fi
	[ "$(id -u)" = 0 ] || die "packages are missing. As root, run: make deb DEB_ARCH=$arch"
	apt-get -y --no-install-recommends install "crossbuild-essential-$arch"
	apt-get -y --no-install-recommends -a "$arch" -P cross,nocheck build-dep ./
}

git -C "$top" rev-parse -q --verify HEAD >/dev/null ||
	die "packages are built from a commit, and $top is no clone of the repository"
[ -z "$(git -C "$top" status --porcelain)" ] ||
	echo "note: the packages are without the changes that are not committed" >&2

# A package of a newer suite has the higher version, so that an upgrade of Debian replaces it.
suite=$(sh -c '. /etc/os-release && echo "$ID${VERSION_ID:-$VERSION_CODENAME}"')
version=$(setting VERSION)+$suite
soversion=$(setting SOVERSION)
maintainer=$(git -C "$top" log -1 --format='%an <%ae>')
SOURCE_DATE_EPOCH=$(git -C "$top" log -1 --format=%ct)
export SOURCE_DATE_EPOCH

tree=$build/kcuckoo-$(setting VERSION)
rm -rf "$build"
mkdir -p "$tree"
git -C "$top" archive HEAD | tar -x -C "$tree"
cp -r "$tree/userspace/packaging/debian" "$tree/debian"
cd "$tree/debian"

for file in libkcuckoo.*; do
	mv "$file" "libkcuckoo$soversion${file#libkcuckoo}"
done
sed -i "s/@soversion@/$soversion/g" control.in "libkcuckoo$soversion.symbols"
sed "s/@maintainer@/$maintainer/" control.in >control
cat >changelog <<END
kcuckoo ($version) unstable; urgency=medium

  * Packages of commit $(git -C "$top" rev-parse --short=12 HEAD).

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END

cd "$tree"
profiles=nocheck
if [ "$arch" != "$native" ]; then
	cross_packages >&2
	profiles=cross,nocheck
fi
DEB_BUILD_OPTIONS="noautodbgsym nocheck parallel=$(nproc)" \
	dpkg-buildpackage --host-arch="$arch" --build-profiles="$profiles" -b -us -uc \
	>"$build/log" 2>&1 || { tail -n 30 "$build/log" >&2; die "the build failed: $build/log"; }
lintian --fail-on error,warning "$build"/*.changes || die "lintian finds the above"
rm -rf "$tree"
(cd "$build" && sha256sum ./*.deb)
