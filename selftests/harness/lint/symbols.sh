#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The static library takes no name from programs: what it defines for the linker
# begins with kcuckoo_, functions of its own files among themselves included. The symbols
# file of the Debian package has exactly the functions of the shared library.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need make gcc nm pkg-config

library=$scratch/build/libkcuckoo.a
make -s -C userspace O="$scratch/build" "$library" || exit 1
nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }' >"$scratch/symbols"
[ -s "$scratch/symbols" ] || { echo "libkcuckoo.a has no symbols"; exit 1; }
! grep -v '^kcuckoo_' "$scratch/symbols" || exit 1

sed -n 's/^[[:space:]]*\(kcuckoo_[a-z0-9_]*\);$/\1/p' userspace/lib/libkcuckoo.map |
	sort >"$scratch/map"
sed -n 's/^ \(kcuckoo_[a-z0-9_]*\)@.*/\1/p' userspace/packaging/debian/libkcuckoo.symbols |
	sort >"$scratch/package"
[ -s "$scratch/map" ] || { echo "libkcuckoo.map has no functions"; exit 1; }
diff -u --label libkcuckoo.map --label debian/libkcuckoo.symbols "$scratch/map" "$scratch/package"
