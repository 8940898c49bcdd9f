#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# suite.sh [--kernel stock|debug] [LANE...]
#
# Run the lanes, all unless some are named, and print one flat TAP stream whose
# last line counts: N passed, N failed, N skipped. On a kernel other than stock
# only the kselftest folders run. Lanes: core, parser, protocol, lint, vm and every
# folder below that builds on the kernel's lib.mk.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)

# Called from a makefile or not: what is made below is the same.
unset MAKEFLAGS MFLAGS MAKELEVEL

kernel=stock
if [ "${1:-}" = --kernel ]; then
	kernel=${2:?--kernel wants a name}
	shift 2
fi

# Lanes of the host: the folder's name and the program that prints TAP.
host_lanes='
core   core/run.sh
parser parser/run.sh
protocol protocol/run.sh
lint   lint/run.sh
vm     vm/test.sh
'

# Seconds for one folder's machine; a folder with more to do says so in its
# settings: "machine=N".
machine_limit() {
	local seconds

	seconds=$(sed -n 's/^machine=//p' "$here/$1/settings" 2>/dev/null || :)
	seconds=${seconds:-300}
	[ "$kernel" = stock ] || seconds=$((seconds * 4))
	echo "$seconds"
}

# chosen FOLDER: of the programs on stdin those that run on this kernel. Starting a
# process takes the debug kernel 20 times as long, so a folder of shell scripts may
# name the programs that are worth it there: "debug=PROGRAM..." in its settings.
chosen() {
	local programs

	programs=$(sed -n 's/^debug=//p' "$here/$1/settings" 2>/dev/null || :)
	if [ "$kernel" = stock ] || [ -z "$programs" ]; then
		cat
	else
		grep -xF -f <(tr ' ' '\n' <<<"$programs" | sed "/./s/^/$1:/; /^$/d")
	fi
}

run_host_lane() {
	local lane=$1 program=$2 status=0 start=$SECONDS

	echo "# >>> $lane"
	"$here/$program" </dev/null || status=$?
	echo
	echo "# <<< $lane $status"
	echo "# $lane took $((SECONDS - start)) s"
}

# A machine per folder: a splat or a leak then tells whose it is.
run_folder() {
	local folder=$1 status=0 start=$SECONDS

	shift
	"$here/vm/run.sh" --kernel "$kernel" --timeout "$(machine_limit "$folder")" \
		-- "$here/kselftest.sh" "$kernel" "$@" || status=$?
	echo "# >>> $folder/machine"
	echo 1..1
	if [ $status = 0 ]; then
		echo "ok 1 no splat, no leak"
	else
		echo "not ok 1 the machine's exit status is $status"
	fi
	echo "# <<< $folder/machine $status"
	echo "# $folder took $((SECONDS - start)) s"
}

wanted() {
	local lane=$1

	shift
	[ $# = 0 ] && return
	case " $* " in *" $lane "*) return 0 ;; esac
	return 1
}

run_lanes() {
	local lane program folder tests built=0

	if [ "$kernel" = stock ]; then
		while read -r lane program; do
			if [ -n "$lane" ] && wanted "$lane" "$@"; then
				run_host_lane "$lane" "$program"
			fi
		done <<<"$host_lanes"
	fi

	echo "# >>> build"
	echo 1..1
	# What builds in spite of an error elsewhere still runs.
	make -s -k -C "$here" all >&2 || built=$?
	if [ $built = 0 ]; then
		echo "ok 1 kselftests"
	else
		echo "not ok 1 kselftests"
	fi
	echo "# <<< build $built"

	for folder in $(make -s --no-print-directory -C "$here" targets); do
		wanted "$folder" "$@" || continue
		tests=$(make -s --no-print-directory -C "$here" list TARGETS="$folder" |
			chosen "$folder")
		# shellcheck disable=SC2086 # a list of names
		run_folder "$folder" $tests
	done
}

# Debian's awk holds back what it reads and writes, unless asked not to.
interactive=()
if awk -W version 2>/dev/null </dev/null | grep -q mawk; then
	interactive=(-W interactive)
fi
run_lanes "$@" | awk "${interactive[@]}" -v kernel="$kernel" -v skips="$here/skips" -f "$here/collect.awk"
