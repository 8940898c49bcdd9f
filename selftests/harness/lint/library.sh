#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# libkcuckoo(3) names each function of <kcuckoo.h>, and no other; libkcuckoo exports them.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need gcc

header=userspace/include/kcuckoo.h
page=userspace/man/libkcuckoo.3
map=userspace/lib/libkcuckoo.map

gcc -E -P -Iuapi "$header" | grep -o '\bkcuckoo_[a-z0-9_]*(' | tr -d '(' | sort -u >"$scratch/header"
[ -s "$scratch/header" ] || { echo "$header declares no function"; exit 1; }
grep '^\.\(It \)\?Fn ' "$page" | grep -o 'kcuckoo_[a-z0-9_]*' | sort -u >"$scratch/page"
grep -o '\bkcuckoo_[a-z0-9_]*' "$map" | sort -u >"$scratch/map"

# same FILE NAME: the file has the functions of the header
same() {
	diff "$scratch/header" "$scratch/$1" >"$scratch/diff" && return
	sed -n "s|^< |$2 lacks |p; s|^> |$header lacks what $2 has: |p" "$scratch/diff"
	failed=1
}

failed=0
same page "$page"
same map "$map"
exit $failed
