# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# programs.sh: run test programs that use core/tap.h, and report the tests of all with one
# plan. Sourced by the run.sh of the folders that have such programs.

shopt -s extglob
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:abort_on_error=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

# report RESULT NAME
report() {
	number=$((number + 1))
	[ "$1" = ok ] || failed=$((failed + 1))
	echo "$1 $number $2"
}

# run_program FILE NAMES: pass on what a program reports. A test that it did not reach has
# failed.
run_program() {
	local program=${1##*/test_} names name line status reported=0 late=

	mapfile -t names <<<"$2"
	while IFS= read -r line; do
		case $line in
		"ok "*|"not ok "*)
			reported=$((reported + 1))
			report "${line%%ok *}ok" "${line#*ok +([0-9]) }"
			;;
		""|"TAP version"*|1..*) ;;
		status=*)
			status=${line#status=}
			;;
		"# "*)
			echo "$line"
			;;
		*)
			echo "# $line"
			;;
		esac
	done < <(
		timeout --foreground "${TIMEOUT:-600}" "$1" 2>&1
		printf '\nstatus=%s\n' $?
	)
	# Only the time limit makes the missing tests late.
	[ "$status" != 124 ] || late=" # late"
	for name in "${names[@]:reported}"; do
		echo "# the program ended with status $status"
		report "not ok" "$name$late"
	done
	line=ok
	[ "$status" -eq 0 ] || line="not ok"
	report "$line" "$program.end: all passed, nothing leaked$late"
}

# run_programs FOLDER PROGRAM...: run FOLDER/test_PROGRAM of each. TAP on standard output;
# fails if a test failed. TIMEOUT= seconds that a program may take are 600 by default.
run_programs() {
	local folder=$1 program total=0 number=0 failed=0
	local -A tests

	shift
	for program; do
		tests[$program]=$("$folder/test_$program" -l) || {
			echo "Bail out! test_$program does not run"
			return 1
		}
		total=$((total + 1 + $(wc -l <<<"${tests[$program]}")))
	done
	echo "TAP version 13"
	echo "1..$total"
	for program; do
		run_program "$folder/test_$program" "${tests[$program]}"
	done
	echo "# Totals: pass:$((number - failed)) fail:$failed skip:0"
	[ "$failed" -eq 0 ]
}
