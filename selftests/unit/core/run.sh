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

# shellcheck source=selftests/unit/programs.sh
. "$here/../programs.sh"

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

require
build
run_programs "$build" "${programs[@]}"
