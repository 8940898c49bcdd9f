#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Print the folder that holds what tests and lint take from the kernel's source
# (Debian's linux-source-6.1), unpacked into the cache first if need be:
#   tools/testing/selftests/   kselftest.h, kselftest_harness.h, lib.mk, runner
#   scripts/                   checkpatch.pl, kernel-doc, coccinelle/
#   tools/bpf/resolve_btfids/  and what it is built from, for kmod/btf.sh
#   .clang-format
#   Documentation/userspace-api/ioctl/ioctl-number.rst

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
# shellcheck source=selftests/harness/debian.sh
. "$here/debian.sh"

# Bumped when the list of what is unpacked below changes.
edition=3

unpack() {
	local version=$1 folder=$2 temporary archive

	temporary=$(mktemp -d "$cache/ksource.XXXXXX")
	# shellcheck disable=SC2064 # expand now: the name is local
	trap "rm -rf '$temporary'" EXIT
	say "unpacking scripts and test harness of linux-source-6.1 $version"
	archive=$(source_archive "$temporary" "$version")
	mkdir "$temporary/new"
	tar -xJf "$archive" -C "$temporary/new" --strip-components=1 --wildcards \
		'linux-source-6.1/.clang-format' 'linux-source-6.1/scripts/*' \
		'linux-source-6.1/tools/testing/selftests/kselftest*' \
		'linux-source-6.1/tools/testing/selftests/lib.mk' \
		'linux-source-6.1/tools/testing/selftests/run_kselftest.sh' \
		'linux-source-6.1/tools/testing/selftests/gen_kselftest_tar.sh' \
		'linux-source-6.1/tools/bpf/resolve_btfids' linux-source-6.1/tools/lib \
		linux-source-6.1/tools/{build,include,scripts,arch/x86/include} \
		linux-source-6.1/include/uapi/linux/bpf.h \
		linux-source-6.1/Documentation/userspace-api/ioctl/ioctl-number.rst
	mv "$temporary/new" "$folder"
	rm -rf "$temporary"
	trap - EXIT
}

exec 9>"$cache/lock-ksource"
flock 9
if ! folder=$(remembered "ksource-$edition"); then
	if version=$(candidate linux-source-6.1); then
		folder=ksource-$edition-$version
		[ -d "$cache/$folder" ] || unpack "$version" "$cache/$folder"
	else
		folder=$(newest_cached "ksource-$edition") ||
			die "apt offers no linux-source-6.1 and the cache has none"
	fi
	echo "$folder" >"$cache/ksource-$edition.current"
fi
echo "$cache/$folder"
