#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module builds with W=1 and every warning as an error.

# shellcheck source=selftests/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need make gcc cpio

headers=$(kernel_headers) || exit 1
copy_tree
make -C "$headers" M="$scratch/tree" W=1e modules >"$scratch/log" 2>&1
status=$?
if [ $status -ne 0 ] || grep -qE '^(WARNING|ERROR)|kmod/.*warning:' "$scratch/log"; then
	grep -vE '^(make|  (CC|LD|MODPOST|BTF))' "$scratch/log" | head -n 100
	exit 1
fi
