#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# sparse finds nothing: address spaces, byte order, lock balance.

# shellcheck source=selftests/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need make gcc sparse cpio

headers=$(kernel_headers) || exit 1
copy_tree
make -C "$headers" M="$scratch/tree" C=2 CF=-Wsparse-error modules \
	>"$scratch/log" 2>&1
status=$?
if [ $status -ne 0 ] || grep -qE 'kmod/.*(warning|error):' "$scratch/log"; then
	grep -E '(warning|error):|\*\*\*' "$scratch/log" | head -n 100
	exit 1
fi
grep -q '^ *CHECK ' "$scratch/log" || { echo "sparse was not run"; exit 1; }
