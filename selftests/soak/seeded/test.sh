#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# test.sh: what evidence.awk takes for a bug that was found. TAP.

here=$(cd "$(dirname "$0")" && pwd -P)
passed=$(mktemp)
trap 'rm -f "$passed"' EXIT
cat >"$passed" <<'END'
ok 1 build: kselftests
ok 2 some/program: first
ok 3 some/program: second
ok 4 some/machine: no splat, no leak
ok 5 bits.mask: some bits
ok 6 bits.end: all passed, nothing leaked
END

number=0
failures=0

# shows STATUS NAME TEST COMPLAINT [LINE...]: a log with these lines shows a bug (0) or
# nothing (1).
shows() {
	local wanted=$1 name=$2 test=$3 complaint=$4 status=0 output

	shift 4
	number=$((number + 1))
	output=$(printf '%s\n' "$@" | awk -v passed="$passed" -v test="$test" \
		-v complaint="$complaint" -f "$here/evidence.awk") || status=$?
	if [ $status = "$wanted" ] && { [ $status != 0 ] || [ -n "$output" ]; }; then
		echo "ok $number $name"
	else
		echo "not ok $number $name"
		printf '%s\n' "$output" | sed 's/^/# /'
		failures=$((failures + 1))
	fi
}

kasan='KASAN: use-after-free'
build='not ok 1 build: kselftests'
broken='not ok 3 some/machine: the machine'\''s exit status is'

echo TAP version 13
shows 0 "a result that was another one before" some:program '' \
	'ok 2 some/program: first' 'not ok 3 some/program: second'
shows 1 "all results as before" some:program '' \
	'ok 2 some/program: first' 'ok 3 some/program: second'
shows 1 "a result that was none before" some:program '' 'not ok 2 some/program: third'
shows 1 "a result of another program" some:other '' 'not ok 2 some/program: first'
shows 1 "tests that do not compile" some:program '' "$build"
shows 1 "a module that does not compile, or a machine that does not start" some:program '' \
	'ok 1 build: kselftests' '# vm: error: expected ; before return' "$broken 125"
shows 1 "a machine whose time is over" some:program '' \
	'ok 2 some/program: first' "not ok 3 some/program: no plan (exit status unknown)" \
	"$broken 124"
shows 1 "a program whose time is over" some:program '' '# timeout after 60 s' \
	"not ok 3 some/program: 1 results of 2 planned (exit status 124)"
shows 1 "a test whose time is over" some:program '' \
	'# some.second: Test terminated by timeout' 'not ok 3 some/program: second'
shows 0 "a result behind that of a test whose time is over" some:program '' \
	'# some.first: Test terminated by timeout' 'not ok 2 some/program: first' \
	'not ok 3 some/program: second'
shows 1 "a lane that breaks off" some:program '' 'not ok 2 some/end: the lane broke off'
shows 1 "a skip" some:program '' \
	'not ok 2 some/program: first (skipped unexpectedly:  SKIP so)'
shows 1 "a complaint that nobody asked for" some:program '' \
	'# vm: | [ 5.1] BUG: KASAN: use-after-free in some_function' "$broken 125"
shows 0 "a complaint" some:program "$kasan" \
	'# vm: | [ 5.1] BUG: KASAN: use-after-free in some_function' "$broken 125"
shows 1 "another complaint" some:program "$kasan" \
	'# vm: | [ 99.1] watchdog: BUG: soft lockup - CPU#1 stuck' "$broken 125"
shows 1 "a result where there has to be a complaint" some:program "$kasan" \
	'not ok 3 some/program: second'
shows 0 "a result of the core" bits '' 'not ok 1 bits.mask: some bits'
shows 1 "a program of the core that ends early" bits '' \
	'# the program ended with status 1' 'not ok 1 bits.mask: some bits' \
	'not ok 2 bits.end: all passed, nothing leaked'
shows 1 "a core that does not compile" bits '' 'Bail out! the tests do not compile'
echo "1..$number"
[ $failures = 0 ]
