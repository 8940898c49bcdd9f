#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [PROGRAM...]: build the tests of the command's parsers and sets with sanitizers,
# and run all, or those named: test_NAME.c is the program NAME. TAP on standard output; exit 1
# when a test failed. SEED= gives other random numbers, CC= another compiler.

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
build=${PARSER_BUILD:-$top/build/parser}
programs=(prefix range line columns keyset input json database packed number byteset snapshot
	config plan spec csv words flags peer hosts ipset difference exclude guard delayed changes age
	canonical files inbox decision)
[ $# -gt 0 ] && programs=("$@")
# What the tests are about; the rest of the command is of no use to them.
parts=(cli/{limit,message,progress,keywords,number,duration,tempfile,parameters,delayed}.c
	cli/rules/{changes,log}.c
	cli/conf/{config,fields,ini,report,texts,uses,values,values_rule,verify,plan}.c
	cli/keys/{range,keyset,byteset,record,difference,exclude,aggregate,guard}.c
	cli/fetch/{age,canonical,digest,files}.c
	lib/{error,filter,handle,prefix,rule,snapshot}.c daemons/{inbox,decision}.c)
mapfile -t -O "${#parts[@]}" parts < <(cd "$top/userspace" && ls cli/input/*.c)
flags=(-std=gnu11 -O2 -g -fno-omit-frame-pointer -Wall -Wextra -Werror
	"-fsanitize=address,undefined" -fno-sanitize-recover=all
	-D__SANE_USERSPACE_TYPES__ '-DVERSION="test"' '-DARCHIVE_UNPACKED=(16ULL << 20)'
	'-DDOCUMENT_MAX=(1u << 20)' '-DDOCUMENT_MEMORY=(16u << 20)'
	"-DFEEDS_FOLDER=\"$top/userspace/feeds\"" "-I$here/../shim"
	"-I$top/uapi" "-I$top/userspace/include" "-I$top/userspace/cli" "-I$top/userspace"
	"-I$top/userspace/lib" "-I$here/../core" -MMD)

# shellcheck source=selftests/unit/programs.sh
. "$here/../programs.sh"

bail_out() {
	echo "Bail out! $*"
	exit 1
}

# current OBJECT: is it newer than all it was made of?
current() {
	local source sources

	[ -e "${1%.o}.d" ] && [ "$1" -nt "$here/run.sh" ] && [ "$1" -nt "$build/toolchain" ] ||
		return 1
	read -ra sources < <(sed -e 's/^[^:]*://' -e 's/\\$//' "${1%.o}.d" |
		tr -d '\n')
	for source in "${sources[@]}"; do
		[ "$1" -nt "$source" ] || return 1
	done
}

# compile SOURCE OBJECT
compile() {
	current "$2" && return
	"${CC:-gcc}" "${flags[@]}" -c -o "$2" "$1" >&2
}

build_all() {
	local part program objects=()

	"$here/../../harness/toolchain.sh" "$build/toolchain" "${CC:-gcc}" ld pkg:zlib pkg:libzstd || return
	for part in "${parts[@]}"; do
		objects+=("$build/$(basename "$part" .c).o")
		while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do
			wait -n || return
		done
		compile "$top/userspace/$part" "${objects[-1]}" &
	done
	for program in "${programs[@]}"; do
		compile "$here/test_$program.c" "$build/test_$program.o" || return
	done
	while [ -n "$(jobs -p)" ]; do
		wait -n || return
	done
	for program in "${programs[@]}"; do
		"${CC:-gcc}" "${flags[@]}" -o "$build/test_$program" \
			"$build/test_$program.o" "${objects[@]}" \
			-larchive -ljansson -lz -lzstd -linih -lnettle -lm -ldl -pthread >&2 || return
	done
}

build_all || bail_out "the tests do not compile"
run_programs "$build" "${programs[@]}"
