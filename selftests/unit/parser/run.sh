#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [PROGRAM...]: build the tests of the command's parsers with sanitizers
# and run all, or those named (prefix, range, line, columns, keyset, input, packed, number,
# byteset, snapshot). TAP on standard output; exit 1 when a test failed. SEED= gives other
# random numbers, CC= another compiler.

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
build=${PARSER_BUILD:-$top/build/parser}
programs=(prefix range line columns keyset input packed number byteset snapshot)
[ $# -gt 0 ] && programs=("$@")
# What the tests are about; the rest of the command is of no use to them.
parts=(cli/{message,progress,keywords,number,duration,tempfile}.c
	cli/input/{input,line,key,field,columns,source,unpack,format,utf16,extract,unarchive}.c
	cli/keys/{range,keyset,byteset}.c
	lib/{error,filter,handle,prefix,snapshot}.c)
flags=(-std=gnu11 -O2 -g -fno-omit-frame-pointer -Wall -Wextra -Werror
	"-fsanitize=address,undefined" -fno-sanitize-recover=all
	-D__SANE_USERSPACE_TYPES__ '-DVERSION="test"' '-DARCHIVE_UNPACKED=(16ULL << 20)' "-I$here/../shim"
	"-I$top/uapi" "-I$top/userspace/include" "-I$top/userspace/cli"
	"-I$top/userspace/lib" "-I$here/../core" -MMD)

export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:abort_on_error=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

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
			-larchive -lz -lzstd -lm -ldl -pthread >&2 || return
	done
}

# report RESULT NAME
report() {
	number=$((number + 1))
	[ "$1" = ok ] || failed=$((failed + 1))
	echo "$1 $number - $2"
}

# Pass on what a program reports; a test that it did not come to has failed.
run() {
	local program=$1 names line status reported=0 result late=

	mapfile -t names < <("$build/test_$program" -l)
	while IFS= read -r line; do
		case $line in
		"ok "* | "not ok "*)
			result=ok
			[ "${line#not }" = "$line" ] || result="not ok"
			report "$result" "${names[reported]}"
			reported=$((reported + 1))
			;;
		"TAP version"* | 1..*) ;;
		status=*) status=${line#status=} ;;
		*) echo "# ${line#\# }" ;;
		esac
	done < <(
		timeout --foreground "${TIMEOUT:-300}" "$build/test_$program" 2>&1
		echo "status=$?"
	)
	# A time limit, or else a failure that is no matter of time.
	[ "$status" != 124 ] || late=" # late"
	for line in "${names[@]:reported}"; do
		echo "# the program ended with status $status"
		report "not ok" "$line$late"
	done
	# 1 is what a failed test leads to; anything else is a leak or worse.
	if [ "$status" -le 1 ]; then
		report ok "$program.end: nothing leaked"
	else
		echo "# the program ended with status $status"
		report "not ok" "$program.end: nothing leaked$late"
	fi
}

build_all || bail_out "the tests do not compile"
total=0
for program in "${programs[@]}"; do
	total=$((total + 1 + $("$build/test_$program" -l | wc -l)))
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
