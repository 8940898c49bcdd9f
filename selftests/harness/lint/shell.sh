#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# No complaint of shellcheck about any shell script, whatever its name.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need shellcheck awk cpio git

reads '*'

scripts() {
	files '*.sh'
	files '*' | grep -v '\.sh$' | tr '\n' '\0' | xargs -0 awk '
		FNR == 1 && /^#!.*[^a-z](ba|da)?sh([^a-z]|$)/ { print FILENAME }'
}

mapfile -t list < <(scripts)
[ ${#list[@]} -gt 0 ] || { echo "no script found"; exit 1; }
# What a script takes from another one is in the list, too.
known "${list[@]}" && exit
printf '%s\0' "${list[@]}" | xargs -0 -n 8 -P "${JOBS:-$(nproc)}" \
	shellcheck --norc --external-sources --format=gcc || exit 1
keep
