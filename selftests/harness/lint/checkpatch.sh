#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# checkpatch --strict over every C file. What it says wrongly is named, file
# by file and type by type, in checkpatch.exceptions, with the reason.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need perl cpio git diff

script=$(kernel_source scripts/checkpatch.pl) || exit 1
exceptions=selftests/harness/lint/checkpatch.exceptions
# Its own settings, and what it reads in addition to the files.
own=("$script" "${script%/*}/spelling.txt" "${script%/*}/const_structs.checkpatch"
	"$exceptions")
reads '*.c' '*.h' "$exceptions"
# A folder without a .checkpatch.conf.
export HOME=$scratch/home
mkdir "$HOME"

patterns=() types=()
while read -r pattern type _; do
	patterns+=("$pattern")
	types+=("$type")
done < <(grep -v '^#' "$exceptions")

# excepted FILE TYPE: is that complaint one of the exceptions?
excepted() {
	local i

	for i in "${!patterns[@]}"; do
		# A pattern is meant to match as one.
		# shellcheck disable=SC2053
		[[ $1 == ${patterns[i]} && $2 == "${types[i]}" ]] && return 0
	done
	return 1
}

# check FILE...: in one process, which learns names of types from each for those after it.
check() {
	local line type failed=0

	known "${own[@]}" "$@" && return
	# It leaves a file of names in the folder in which it runs.
	mkdir "$scratch/$BASHPID" && cd "$scratch/$BASHPID" || return
	perl "$script" --no-tree --strict --terse --show-types \
		--no-summary --no-color -f "${@/#/$top/}" >output 2>errors
	# 1 is what complaints lead to.
	[ $? -le 1 ] || { cat output errors; return 1; }
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		type=$(sed -n 's/^[^:]*:[0-9]*: [A-Z]*:\([A-Z0-9_]*\):.*/\1/p' <<<"$line")
		if [ -n "$type" ] && excepted "${line%%:*}" "$type"; then
			continue
		fi
		echo "$line"
		failed=1
	done < <(sed "s|^$top/||" output)
	[ $failed = 1 ] || keep
	return $failed
}

# Which files are in one process depends on their names alone, so that a change of one
# file has a few others checked again.
groups=32
mapfile -t list < <(files '*.c' '*.h')
[ ${#list[@]} -gt 0 ] || { echo "no C file found"; exit 1; }
printf '%s\n' "${list[@]}" | awk -v groups=$groups '
	BEGIN { letters = "abcdefghijklmnopqrstuvwxyz0123456789" }
	{
		sum = 0
		for (i = 1; i <= length($0); i++)
			sum = (sum * 31 + index(letters, substr($0, i, 1))) % groups
		print sum, $0
	}' >"$scratch/groups"

failed=0
for ((group = 0; group < groups; group++)); do
	mapfile -t list < <(sed -n "s/^$group //p" "$scratch/groups")
	[ ${#list[@]} -gt 0 ] || continue
	while [ "$(jobs -pr | wc -l)" -ge "${JOBS:-$(nproc)}" ]; do
		wait -n || failed=1
	done
	check "${list[@]}" >"$scratch/log.$group" 2>&1 &
done
while [ -n "$(jobs -p)" ]; do
	wait -n || failed=1
done
cat "$scratch"/log.*
exit "$failed"
