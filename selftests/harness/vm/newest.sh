#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# newest.sh [--pin]
#
# Show the kernels of Debian's stable suite, its backports, testing and unstable, and
# which of them is the newest. The tests' kernel "newest" is the one in the file newest:
# a suite and a version, pinned, so that tests of one commit have one kernel. --pin
# writes the newest into that file; after 'make test-kernels KERNELS=newest' has passed,
# commit it.
#
# Exit status: 0 the pinned kernel is the newest, or was just pinned; 1 another one is
# newer, or the archive does not have the pinned one any more; 2 an error.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
# shellcheck source=selftests/harness/debian.sh
. "$here/../debian.sh"

# codename_of SUITE: stable moves on to the next release, its codename does not; a mirror
# may also have the one newer than the other.
codename_of() {
	use_suite "$1"
	refresh || die "the package lists of the suite $1 cannot be read"
	# shellcheck disable=SC2016 # for apt to expand
	apt-get "${own_lists[@]}" indextargets --format '$(CODENAME)' | sed -n 1p
}

# kernel_of SUITE: the suite and the version of its kernel.
kernel_of() {
	local version

	use_suite "$1"
	version=$(candidate linux-image-amd64) ||
		die "the suite $1 offers no linux-image-amd64"
	echo "$1 $version"
}

case $#${1:-} in
0 | 1--pin) ;;
*)
	say "usage: newest.sh [--pin]"
	exit 2
	;;
esac

pinned=$(cat "$here/newest")
newest=
there=no
stable=$(codename_of stable) || exit 2
testing=$(codename_of testing) || exit 2
for name in "$stable" "$stable-backports" "$testing" sid; do
	kernel=$(kernel_of "$name") || exit 2
	echo "$kernel"
	[ "$kernel" != "$pinned" ] || there=yes
	if [ -z "$newest" ] || dpkg --compare-versions "${kernel#* }" gt "${newest#* }"; then
		newest=$kernel
	fi
done
echo "newest: $newest"
echo "pinned: $pinned"
if [ "${1:-}" = --pin ]; then
	echo "$newest" >"$here/newest"
	say "pinned $newest: run 'make test-kernels KERNELS=newest', and commit selftests/harness/vm/newest"
elif [ "$newest" != "$pinned" ]; then
	[ $there = yes ] || say "the archive has the pinned kernel no more"
	say "'selftests/harness/vm/newest.sh --pin' pins the newest"
	exit 1
fi
