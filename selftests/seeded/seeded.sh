#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# seeded.sh [NUMBER...]: do the tests find bugs?
#
# Each NN-name.patch here breaks one thing in a copy of this tree, and names the test
# that has to fail then: "Caught-by: core PROGRAM" or "Caught-by: KERNEL
# FOLDER:PROGRAM". That test has to pass before. Prints a line for each, and last
# "N/M caught"; fails if one was not. What the tests said is in build/seeded.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../.." && pwd -P)
result=$top/build/seeded
tree=$result/tree

# What is edited and not committed is tested, too. Files that did not change stay, so
# that only what a patch touches is built again.
copy_tree() {
	mkdir -p "$tree"
	(cd "$top" && git ls-files -z --cached --others --exclude-standard | sort -zu |
		comm -z -23 - <(git ls-files -z --deleted | sort -zu) |
		xargs -0 cp -u --parents -t "$tree")
}

# run LOG KERNEL TEST...: do the tests pass?
run() {
	if [ "$2" = core ]; then
		"$tree/selftests/core/run.sh" "${@:3}" >"$1" 2>&1
	else
		"$tree/selftests/suite.sh" --kernel "${@:2}" >"$1" 2>&1
	fi
}

# passes KERNEL TEST: does it, in the unbroken tree? It is asked once.
passes() {
	local passed=$result/$1-${2/:/-}

	[ -e "$passed.passed" ] || { run "$passed.log" "$1" "$2" && touch "$passed.passed"; }
}

# pass_all PATCH...: their tests, in as few machines as they fit in. Where one fails,
# each is asked alone when it is its turn.
pass_all() {
	local kernel tests test

	for kernel in $(field Caught-by "$@" | cut -d' ' -f1 | sort -u); do
		tests=$(field Caught-by "$@" | sed -n "s/^$kernel //p" | sort -u)
		# shellcheck disable=SC2086 # a list of names
		run "$result/$kernel.log" "$kernel" $tests || continue
		for test in $tests; do
			touch "$result/$kernel-${test/:/-}.passed"
		done
	done
}

# field NAME PATCH...
field() {
	sed -n "s/^$1: //p" "${@:2}"
}

# evidence LOG: the test's own failure, not that it could not run at all.
evidence() {
	grep -m 1 -E '^not ok|^# .*the kernel complained|^vm: the kernel complained' "$1"
}

# seed PATCH: returns 0 if the bug was caught.
seed() {
	local name log kernel test caught=1

	name=$(basename "$1" .patch)
	log=$result/$name.log
	read -r kernel test <<<"$(field Caught-by "$1")"
	if ! passes "$kernel" "$test"; then
		echo "not caught: $name ($kernel $test fails without it, too)"
		return 1
	fi
	patch -s -d "$tree" -p1 <"$1"
	if run "$log" "$kernel" "$test"; then
		echo "not caught: $name ($kernel $test)"
	elif evidence "$log" >"$log.why"; then
		echo "caught: $name ($kernel $test): $(cut -c1-100 "$log.why")"
		caught=0
	else
		echo "not caught: $name ($kernel $test) broke off: $log"
	fi
	patch -s -R -d "$tree" -p1 <"$1"
	return $caught
}

main() {
	local patch number patches=() caught=0

	"$here/../packages.sh" debug
	mkdir -p "$result"
	rm -f "$result"/*.passed
	copy_tree
	for patch in "$here"/*.patch; do
		number=$(basename "$patch")
		number=${number%%-*}
		[ $# -eq 0 ] || [[ " $* " = *" $number "* ]] || continue
		patches+=("$patch")
	done
	if [ ${#patches[@]} = 0 ]; then
		echo "seeded: there is no patch $*; they have two digits" >&2
		return 2
	fi
	pass_all "${patches[@]}"
	for patch in "${patches[@]}"; do
		if seed "$patch"; then
			caught=$((caught + 1))
		fi
	done
	echo "$caught/${#patches[@]} caught"
	[ $caught = ${#patches[@]} ]
}

main "$@"
