#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# checkpatch --strict over every C file. What it says wrongly is named, file
# by file and type by type, in checkpatch.exceptions, with the reason.

# shellcheck source=selftests/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need perl

script=$(kernel_source scripts/checkpatch.pl) || exit 1

# excepted FILE TYPE: is that complaint one of the exceptions?
excepted() {
	local pattern type

	while read -r pattern type _; do
		# A pattern is meant to match as one.
		# shellcheck disable=SC2053
		[[ $1 == $pattern && $2 == "$type" ]] && return 0
	done < <(grep -v '^#' "$top/selftests/lint/checkpatch.exceptions")
	return 1
}

mapfile -t list < <(files '*.c' '*.h')
[ ${#list[@]} -gt 0 ] || { echo "no C file found"; exit 1; }
# It leaves a file of names in the folder in which it runs.
(cd "$scratch" && perl "$script" --no-tree --strict --terse --show-types \
	--no-summary --no-color -f "${list[@]/#/$top/}" 2>/dev/null) |
	sed "s|^$top/||" >"$scratch/log"

failed=0
while IFS= read -r line; do
	[ -n "$line" ] || continue
	type=$(sed -n 's/^[^:]*:[0-9]*: [A-Z]*:\([A-Z0-9_]*\):.*/\1/p' <<<"$line")
	if [ -n "$type" ] && excepted "${line%%:*}" "$type"; then
		continue
	fi
	echo "$line"
	failed=1
done <"$scratch/log"
exit "$failed"
