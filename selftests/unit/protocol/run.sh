#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh: check models of what writers and readers agree on, in all orders in which
# their steps can come, and that each model finds what is left out of it. TAP on
# standard output; exit 1 when a test failed.
#
# The models are of a machine that keeps the order of reads and writes; that the
# barriers make it one, they do not show.

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
build=${PROTOCOL_BUILD:-$top/build/protocol}
tests=(
	'move holds'
	'move NO_RETRY' 'move CLEAR_FIRST' 'move NO_COUNT'
	'names holds'
	'names NO_EXCHANGES' 'names NO_FILTER' 'names EXCHANGES_FIRST'
	'names HIT_UNCHECKED' 'names LOOK_LATE' 'names NO_LOCK'
	'keys holds'
	'keys NO_REFRESH' 'keys NO_HASH' 'keys NO_LOCK'
)

# check MODEL MACRO: all states; what spin's checker says goes to "output".
check() {
	local folder=$build/$1.$2

	rm -rf "$folder"
	mkdir -p "$folder" && cd "$folder" || return
	spin "-D$2" -a "$here/$1.pml" >&2 &&
		"${CC:-gcc}" -O1 -w -DSAFETY -o pan pan.c >&2 &&
		./pan -m100000 >output 2>&1
}

# verdict OUTPUT: how many errors were found, if all was looked at.
verdict() {
	grep -qE 'search depth too small|out of memory|Search not completed' "$1" &&
		! grep -q 'assertion violated' "$1" && return
	sed -n 's/^State-vector.*errors: \([0-9]*\)$/\1/p' "$1"
}

echo TAP version 13
echo "1..${#tests[@]}"
number=0 failed=0
for test in "${tests[@]}"; do
	read -r model macro <<<"$test"
	number=$((number + 1))
	if [ "$macro" = holds ]; then
		wanted=0 name="$model: holds in all orders of steps"
	else
		wanted=1 name="$model: $macro is found out"
	fi
	output=$build/$model.$macro/output
	(check "$model" "$macro")
	found=$(verdict "$output" 2>/dev/null)
	[ "$macro" != holds ] ||
		sed -n 's/^ *\([0-9]*\) states, stored.*/# \1 states/p' "$output"
	if [ "$found" = $wanted ]; then
		echo "ok $number $name"
	else
		sed 's/^/# /' "$output"
		echo "not ok $number $name"
		failed=1
	fi
done
exit $failed
