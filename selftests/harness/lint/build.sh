#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module builds with W=1 and every warning as an error, and sparse finds
# nothing on the way: address spaces, byte order, lock balance.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need make gcc sparse cpio git

headers=$(kernel_headers) || exit 1
reads Kbuild 'kmod/*' 'uapi/*'
mapfile -t list < <(files '*'; header_files "$headers")
known "${list[@]}" && exit

make -j"${JOBS:-$(nproc)}" -C "$headers" M="$top" W=1e C=2 CF=-Wsparse-error \
	modules >"$scratch/log" 2>&1
status=$?
if [ $status -ne 0 ] ||
	grep -qE '^(WARNING|ERROR)|kmod/.*(warning|error):' "$scratch/log"; then
	grep -vE '^(make|  (CC|LD|MODPOST|BTF|CHECK))' "$scratch/log" | head -n 100
	exit 1
fi
grep -q '^ *CHECK ' "$scratch/log" || { echo "sparse was not run"; exit 1; }
keep
