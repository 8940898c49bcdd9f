#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [PROGRAM...]: build the tests of the core with sanitizers and run all,
# or those named (bits, table...). TAP on standard output; exit 1 when a test
# failed. SEED= gives other random numbers, OPS= more or fewer operations of
# the models, KDIR= other kernel headers, CC= another compiler. CORE_KMOD= and
# CORE_BUILD= name other folders for the core's source and for what is built.
# SANITIZE=0 builds without sanitizers, several times as fast, for as many
# operations as one likes: SANITIZE=0 OPS=1000000000 TIMEOUT=7200 run.sh mixture.

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
kmod=${CORE_KMOD:-$top/kmod}
build=${CORE_BUILD:-$top/build/core}
[ "${SANITIZE:-1}" = 0 ] && build+=-plain
core=(bits hash permutation semisort table_params table search layout store rate rehash
	length_index)
programs=(bits hash siphash permutation semisort table table_batch value exact search fill
	fingerprint copies hostile layout rate inet rehash doubling model cover length_index mixture)
[ $# -gt 0 ] && programs=("$@")
flags=(-std=gnu11 -O2 -g -fno-omit-frame-pointer -Wall -Wextra -Werror
	"-I$here/../shim" "-I$build" "-I$top/uapi" "-I$kmod" "-I$here")
[ "${SANITIZE:-1}" = 0 ] ||
	flags+=(-fsanitize=address -fsanitize=undefined
		-fno-sanitize-recover=all)

# In `make soak` four times what is done otherwise, and more.
[ -z "${KCUCKOO_SOAK:-}" ] || export OPS=${OPS:-8000000}

export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:abort_on_error=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

die() {
	echo "core: $*" >&2
	echo "Bail out! $1"
	exit 1
}

require() {
	local packages=()

	command -v "${CC:-gcc}" >/dev/null || packages+=(gcc)
	command -v ar >/dev/null || packages+=(binutils)
	[ -e /usr/include/stdio.h ] || packages+=(libc6-dev)
	"$here/../../harness/jhash.sh" "$build" 2>/dev/null || packages+=(linux-headers-amd64)
	[ ${#packages[@]} -eq 0 ] ||
		die "packages are missing; install them and try again:" \
		    $'\n   ' "apt-get install -y ${packages[*]}"
}

# compile SOURCE OBJECT
compile() {
	"${CC:-gcc}" "${flags[@]}" -c -o "$2" "$1"
}

# link NAME: one test program
link() {
	compile "$here/test_$1.c" "$build/test_$1.o" &&
	"${CC:-gcc}" "${flags[@]}" -o "$build/test_$1" "$build/test_$1.o" \
		"$build/core.a" -lm
}

# At most as many jobs at a time as there are processors.
parallel() {
	local verb=$1 failed=0 item

	shift
	for item; do
		while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do
			wait -n || failed=1
		done
		"$verb" "$item" &
	done
	while [ -n "$(jobs -p)" ]; do
		wait -n || failed=1
	done
	return $failed
}

object() {
	[ -e "$kmod/core/$1.c" ] || return 0
	compile "$kmod/core/$1.c" "$build/$1.o"
}

# current: is everything built, and newer than what it is made of?
current() {
	local program stamp=$build/stamp

	"$here/../../harness/toolchain.sh" "$build/toolchain" "${CC:-gcc}" ar ld
	[ "$stamp" -nt "$build/toolchain" ] || return

	for program in "${programs[@]}"; do
		[ -x "$build/test_$program" ] || return 1
	done
	[ -e "$stamp" ] && [ "$(cat "$stamp")" = "${CC:-gcc} ${flags[*]}" ] &&
	[ -z "$(find -L "$here" "$here/../shim" "$kmod" "$build/linux" \
		-name '*.[ch]' -newer "$stamp" -print -quit)" ] &&
	[ ! "$here/run.sh" -nt "$stamp" ]
}

compile_all() {
	rm -f "$build"/*.o "$build"/core.a "$build"/stamp "$build"/test_*
	touch "$build/begin"
	parallel object "${core[@]}" || return
	ar rcs "$build/core.a" "$build"/*.o || return
	parallel link "${programs[@]}" || return
	echo "${CC:-gcc} ${flags[*]}" >"$build/stamp"
	touch -r "$build/begin" "$build/stamp"
}

# One at a time, where several run at once.
build() {
	exec 9>"$build/lock"
	flock 9
	current || compile_all >&2 || die "the tests do not compile"
	exec 9>&-
}

# report RESULT NAME
report() {
	number=$((number + 1))
	[ "$1" = ok ] || failed=$((failed + 1))
	echo "$1 $number $2"
}

# Passes on what a program reports; a test that it did not come to has failed.
run() {
	local program=$1 name line status reported=0 late=

	mapfile -t names <<<"${tests[$program]}"
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
		timeout --foreground "${TIMEOUT:-600}" "$build/test_$program" 2>&1
		printf '\nstatus=%s\n' $?
	)
	# A time limit, or else a failure that is no matter of time.
	[ "$status" != 124 ] || late=" # late"
	for name in "${names[@]:reported}"; do
		echo "# the program ended with status $status"
		report "not ok" "$name$late"
	done
	line=ok
	[ "$status" -eq 0 ] || line="not ok"
	report "$line" "$program.end: all passed, nothing leaked$late"
}

shopt -s extglob
require
build
declare -A tests
total=0
for program in "${programs[@]}"; do
	tests[$program]=$("$build/test_$program" -l) ||
		die "test_$program does not run"
	total=$((total + 1 + $(wc -l <<<"${tests[$program]}")))
done
number=0
failed=0
echo "TAP version 13"
echo "1..$total"
for program in "${programs[@]}"; do
	run "$program"
done
echo "# Totals: pass:$((number - failed)) fail:$failed skip:0"
[ "$failed" -eq 0 ]
