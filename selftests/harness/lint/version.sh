#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The command, the library, both modules and what the module says in
# KCUCKOO_IOC_STATS have one version. The module and the library have the same version of
# the format of snapshots.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"

version=$(sed -n 's/^VERSION[[:space:]]*:= *//p' userspace/Makefile)
[ -n "$version" ] || { echo "userspace/Makefile: no VERSION"; exit 1; }
mapfile -t lines < <(files 'kmod/*.c' | xargs grep -H '^MODULE_VERSION')
[ ${#lines[@]} = 2 ] || { echo "kmod: ${#lines[@]} modules with a version, not 2"; exit 1; }
failed=0
for line in "${lines[@]}"; do
	[[ $line == *"(\"$version\");" ]] && continue
	echo "$line: userspace/Makefile has $version"
	failed=1
done
number="KCUCKOO_VERSION(${version//./, })"
grep -rqF -- "stats->version = $number;" kmod/ ||
	{ echo "kmod: no stats->version = $number, the version of userspace/Makefile"; failed=1; }
# format FILE NAME: the number that a header defines
format() {
	sed -nE "s/^#define $2[[:space:]]+([0-9]+)$/\1/p" "$1"
}

image=$(format kmod/filter/snapshot.h KCUCKOO_IMAGE_VERSION)
file=$(format userspace/lib/snapshot.h SNAPSHOT_VERSION)
if [ -z "$image" ] || [ "$image" != "$file" ]; then
	echo "snapshots: version '$image' in the module, '$file' in the library"
	failed=1
fi
exit "$failed"
