#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# seeded.sh [NUMBER...]: do the tests find bugs?
#
# Each NN-name.patch here breaks one thing in a copy of this tree, and names the test
# that has to fail then: "Caught-by: core PROGRAM" or "Caught-by: KERNEL
# FOLDER:PROGRAM". That test has to pass before. Where no test can see the bug but the
# kernel or a sanitizer, "Complaint: REGEX" is what that has to say. Prints a line for
# each, and last "N/M caught"; fails if one was not. What the tests said is in
# build/seeded; evidence.awk knows what of that counts.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../../.." && pwd -P)
result=$top/build/seeded
tree=$result/tree
# What races do is found by who has time for it.
export KCUCKOO_SOAK=yes

# What is edited and not committed is tested, too. Files that did not change stay, so
# that only what a patch touches is built again.
copy_tree() {
	local list=$result/list

	mkdir -p "$tree"
	(cd "$top" && git ls-files -z --cached --others --exclude-standard | sort -zu |
		comm -z -23 - <(git ls-files -z --deleted | sort -zu)) >"$list"
	comm -23 <(sums "$top" | sort) <(sums "$tree" 2>/dev/null | sort) |
		cut -d' ' -f3- | (cd "$top" && xargs -rd '\n' cp --parents -t "$tree")
}

# sums FOLDER: of the tree's files, as they are there.
sums() {
	cd "$1" && xargs -0 sha1sum <"$result/list"
}

# run LOG KERNEL TEST...: do the tests pass?
run() {
	if [ "$2" = core ]; then
		"$tree/selftests/unit/core/run.sh" "${@:3}" >"$1" 2>&1
	else
		"$tree/selftests/harness/suite.sh" --kernel "${@:2}" >"$1" 2>&1
	fi
}

# passed KERNEL TEST: where its results in the unbroken tree are.
passed() {
	echo "$result/$1-${2/:/-}.passed"
}

# passes KERNEL TEST: does it, in the unbroken tree? It is asked once.
passes() {
	local results log

	results=$(passed "$@")
	log=${results%.passed}.log
	[ -e "$results" ] || { run "$log" "$@" && cp "$log" "$results"; }
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
			cp "$result/$kernel.log" "$(passed "$kernel" "$test")"
		done
	done
}

# field NAME PATCH...
field() {
	sed -n "s/^$1: //p" "${@:2}"
}

# evidence PATCH LOG: what shows that the bug was found.
evidence() {
	local kernel test

	read -r kernel test <<<"$(field Caught-by "$1")"
	awk -v passed="$(passed "$kernel" "$test")" -v test="$test" \
		-v complaint="$(field Complaint "$1")" -f "$here/evidence.awk" "$2"
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
	elif evidence "$1" "$log" >"$log.why"; then
		echo "caught: $name ($kernel $test): $(cut -c1-100 "$log.why")"
		caught=0
	else
		echo "not caught: $name ($kernel $test) fails for another reason: $log"
	fi
	patch -s -R -d "$tree" -p1 <"$1"
	return $caught
}

main() {
	local patch number patches=() caught=0

	"$here/../../harness/packages.sh" debug
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
