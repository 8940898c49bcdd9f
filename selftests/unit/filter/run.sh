#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [PROGRAM...]: build the tests of filters in a process with sanitizers and run
# all, or those named (sweep, section, snapshot, model). TAP on standard output; exit 1 when
# a test failed. SEED= gives other random numbers, ROUNDS= more or fewer filters of the
# model, CC= another compiler.

set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
build=$top/build/filter
programs=(sweep section snapshot model)
[ $# -gt 0 ] && programs=("$@")
# The kernel does not ask for the warnings that are left out either.
flags=(-std=gnu11 -O1 -g -fno-omit-frame-pointer -Wall -Wextra -Werror
	-Wno-sign-compare -Wno-unused-parameter -Wno-maybe-uninitialized
	-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all
	"-I$top/selftests/unit/shim" "-I$build" "-I$top/uapi" "-I$top/kmod"
	"-I$top/selftests/unit/core" -include "$here/kernel.h")

# shellcheck source=selftests/unit/programs.sh
. "$here/../programs.sh"

# compile SOURCE: as many at a time as there are processors.
compile() {
	while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do
		wait -n || return
	done
	"${CC:-gcc}" "${flags[@]}" -c -o "$build/$(basename "$1" .c).o" "$1" &
}

build_all() {
	local list sources source program objects

	list=$("$top/selftests/harness/filters.sh" "$build" merge snapshot_save snapshot_restore) || return
	mapfile -t sources <<<"$list"
	objects=("${sources[@]##*/}")
	objects=("${objects[@]/%.c/.o}")
	for program in "${programs[@]}"; do
		sources+=("$here/test_$program.c")
	done
	for source in "${sources[@]}"; do
		compile "$source" || return
	done
	while [ -n "$(jobs -p)" ]; do
		wait -n || return
	done
	for program in "${programs[@]}"; do
		"${CC:-gcc}" "${flags[@]}" -o "$build/test_$program" \
			"$build/test_$program.o" "${objects[@]/#/$build/}" \
			-lm -pthread || return
	done
}

build_all >&2 || { echo "Bail out! the tests do not compile"; exit 1; }
run_programs "$build" "${programs[@]}"
