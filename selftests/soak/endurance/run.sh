#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [TEST...]: what has to hold for a very long time, all of it or the tests of
# the table below that are named. TAP on standard output; exit 1 when one failed.
# Each count is a variable, and SHARE= divides those that are not given: SHARE=10
# does a tenth of all. READERS= threads look up in userspace (as many as there are
# processors). What the tests said is in build/endurance.

set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../../.." && pwd -P)
build=$top/build/endurance
share=${SHARE:-1}

# Seconds that one test may take, and megabytes of its machine.
patience=36000
memory=2048

# A test, the variable of its count, the count, and what it is about.
tests() {
	cat <<'TABLE'
operations OPERATIONS 1000000000  operations of the core, each answer that of an exact model
secret     WORDS      4294967296  words to search for the secret of jhash, which is found and used
process    LOOKUPS    10000000000 look-ups of permanent members in a process, none missed
machine    VM_LOOKUPS 100000000   look-ups of the same through the device, none missed
filters    FILTERS    100000      filters come and go, memory comes back
reloads    RELOADS    200         reloads of the module, memory comes back
namespaces NAMESPACES 1000        namespaces come and go under traffic, memory comes back
stalls     STALL_KEYS 16777216    keys in a batch, filters of 1 GiB, and nobody is kept waiting
exchanges  EXCHANGES  1000        exchanges by apply under a flood, with bans from elsewhere
kills      KILLS      200         kills at random moments, and one before each change of a file
snapshots  SNAPSHOTS  1000        damaged snapshots at boot
images     IMAGES     200         copies of a file system, each after a power cut
TABLE
}

# field TEST NUMBER: of its line in the table
field() {
	tests | awk -v test="$1" -v number="$2" '$1 == test {
		for (i = 1; i < number; i++)
			sub(/^[^ ]+ +/, "")
		if (number < 4)
			sub(/ .*/, "")
		print
	}'
}

# count TEST: how often
count() {
	local variable number

	variable=$(field "$1" 2)
	number=$(field "$1" 3)
	echo "${!variable:-$(((number + share - 1) / share))}"
}

test_operations() {
	SANITIZE=0 OPS=$1 TIMEOUT=$patience "$top/selftests/unit/core/run.sh" mixture
}

# build PROGRAM: one that has the module's filters in a process
build() {
	local list sources

	list=$("$top/selftests/harness/filters.sh" "$build") || return
	mapfile -t sources <<<"$list"
	# The kernel does not ask for the warnings that are left out either.
	"${CC:-gcc}" -std=gnu11 -O2 -g -Wall -Wextra -Werror -Wno-sign-compare \
		-Wno-unused-parameter -Wno-maybe-uninitialized \
		"-I$top/selftests/unit/shim" "-I$build" "-I$top/uapi" "-I$top/kmod" \
		-include "$here/kernel.h" -o "$build/$1" "$here/$1.c" \
		"${sources[@]}" -lm -pthread
}

test_process() {
	build lookup && "$build/lookup" "$1" "${READERS:-$(nproc)}"
}

test_secret() {
	build secret && WORDS=$1 "$build/secret"
}

# machine FOLDER:PROGRAM [VARIABLE=VALUE...]: a program in the virtual machine, with as
# many processors, in turns or not, as the folder's settings say.
machine() {
	local name=${1%:*} program=${1#*:} options=(--mem "$memory") folder cpus

	make -s -C "$top/selftests" "$name" || return
	folder=$top/selftests/$(make -s --no-print-directory -C "$top/selftests" targets |
		sed -n "s/^$name //p")
	! grep -q '^parallel=' "$folder/settings" || options+=(--parallel)
	cpus=$(sed -n 's/^cpus=//p' "$folder/settings")
	options+=(--cpus "${CPUS:-${cpus:-2}}")
	"$top/selftests/harness/vm/run.sh" --timeout "$patience" "${options[@]}" -- \
		env "${@:2}" sh -c "cd '$folder' && ./$program"
}

# The program's tests share them.
test_machine() {
	local tests

	tests=$(grep -c '^TEST_F' "$top/selftests/kernel/concurrency/lookup.c")
	machine concurrency:lookup "KCUCKOO_LOOKUPS=$((($1 + tests - 1) / tests))"
}

test_filters() {
	machine device:churn "KCUCKOO_FILTERS=$1"
}

test_reloads() {
	machine reload:unload "KCUCKOO_RELOADS=$1"
}

test_namespaces() {
	machine namespace:exit "KCUCKOO_NAMESPACES=$1"
}

# An emulated machine takes up to a second to get or give back the pages of 1 GiB, and
# who is killed meanwhile ends after that.
test_stalls() {
	local memory=8192 program failed=0
	local settings=("KCUCKOO_STALL_KEYS=$1" KCUCKOO_STALL_BYTES=1073741824
		KCUCKOO_STALL_KILLED_TABLES=1000)

	for program in latency kill; do
		machine "stall:$program" "${settings[@]}" || failed=1
	done
	return $failed
}

test_exchanges() {
	machine cli:apply_flood.sh "EXCHANGES=$1"
}

test_kills() {
	machine cli:killed.sh "KILLS=$1" "STRIDE=$share"
}

test_snapshots() {
	machine cli:damaged.sh "SNAPSHOTS=$1"
}

test_images() {
	machine cli:images.sh "IMAGES=$1"
}

main() {
	local chosen number=0 failed=0 test begin name

	mapfile -t chosen < <(tests | cut -d' ' -f1)
	for name; do
		[ -n "$(field "$name" 1)" ] || {
			echo "endurance: no test '$name' (${chosen[*]})" >&2
			exit 2
		}
	done
	[ $# -eq 0 ] || chosen=("$@")
	mkdir -p "$build"
	echo "TAP version 13"
	echo "1..${#chosen[@]}"
	for test in "${chosen[@]}"; do
		number=$((number + 1))
		begin=$SECONDS
		name="$test: $(count "$test") $(field "$test" 4)"
		if "test_$test" "$(count "$test")" >"$build/$test.log" 2>&1; then
			grep -E '^# .*[0-9]' "$build/$test.log"
			echo "# $((SECONDS - begin)) s"
			echo "ok $number $name"
		else
			failed=$((failed + 1))
			tail -n 100 "$build/$test.log" | sed 's/^/# /'
			echo "not ok $number $name"
		fi
	done
	echo "$((number - failed)) passed, $failed failed"
	[ $failed = 0 ]
}

main "$@"
