#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every kernel-doc comment parses, describes every parameter and no other.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need perl

headers=$(kernel_headers) || exit 1
script=$headers/scripts/kernel-doc
[ -e "$script" ] || script=$(realpath "$headers/../source")/scripts/kernel-doc
[ -e "$script" ] || script=$(kernel_source scripts/kernel-doc) || exit 1

mapfile -t list < <(files 'kmod/*.c' 'kmod/*.h' 'uapi/linux/*.h' \
		    'userspace/include/*.h')
[ ${#list[@]} -gt 0 ] || { echo "no file found"; exit 1; }
perl "$script" -none -Werror "${list[@]}"
