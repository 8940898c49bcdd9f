#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# No complaint of shellcheck about any shell script, whatever its name.

# shellcheck source=selftests/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need shellcheck file

scripts() {
	files '*.sh'
	files '*' | grep -v '\.sh$' | while read -r file; do
		[ -f "$file" ] && head -c 64 "$file" | head -n 1 |
			grep -aqE '^#!.*\b(ba|da)?sh\b' && echo "$file"
	done
}

mapfile -t list < <(scripts)
[ ${#list[@]} -gt 0 ] || { echo "no script found"; exit 1; }
shellcheck --external-sources --format=gcc "${list[@]}"
