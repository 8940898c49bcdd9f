#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [--all | TARGET...]: build the fuzz targets of the table below that run on
# this machine, or all, or those named; replay their committed corpus, then fuzz.
# Without TIME= each target runs the number of inputs in the table, from a fixed
# seed: neither the host's speed nor chance decides the result. TIME= shares that many
# seconds among the targets (0 only replays); the seed is then random and printed.
# SEED= sets it. TAP on standard output, a test for each target; exit 1 when one
# failed. JOBS= processes at a time, by default as many as there are processors.
# FUZZ_SOURCE= and FUZZ_BUILD= name other folders for the sources that are fuzzed
# and for what is built.
#
# What a target finds is kept below the build folder: new inputs in
# corpus/TARGET, inputs that it fails on in crashes/. To make the committed corpus
# of all that is known: run.sh --merge [TARGET...].

here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../../.." && pwd -P)
source=${FUZZ_SOURCE:-$top}
build=${FUZZ_BUILD:-$top/build/fuzz}

# A target, its kind, the longest input, its parts of the time, the inputs that it runs
# without TIME=, and its subject; the target with the most parts comes first. Each kind
# has two functions, build_KIND and fuzz_KIND. A guest always runs for a time.
targets() {
	cat <<'TABLE'
ioctl    guest 768  3 -     calls of the device, in a kernel with checks
core     core 1024  1 5000  any filter, any operations, against an exact model
snapshot user 4096  1 10000 hostile files, with and without right checksums
list     user 2048  1 10000 lists, packed or not, and numbers
json     user 2048  1 10000 lists in JSON
config   user 2048  1 10000 files of a configuration, and the plan for it
TABLE
}

# What a process may take: memory, and seconds for one input, the host's pauses included.
megabytes=1024
seconds=120

# The device: how many calls there have to be with the time that `make fuzz` gives it, and
# with another one how many a second, a third of what a kernel makes where a processor is
# free. Both go on until there are as many.
calls=5000000
calls_time=600
declare -A rate=([uml-debug]=2800 [debug]=200)

# The core but what mixture.h has inside already.
# shellcheck disable=SC2034 # used by name
{
	core_parts=(kmod/core/{hash,permutation,semisort,table_params,table,search,layout,store}.c)
	core_flags=("-I$build" "-I$source/kmod" "-I$here/../../unit/core")
	user_parts=(userspace/cli/{limit,message,progress,keywords,number,duration,tempfile,parameters}.c
		userspace/cli/rules/log.c
		userspace/cli/conf/{config,fields,ini,plan,report,texts,uses,values,values_rule,verify}.c
		userspace/cli/keys/{range,keyset,record,byteset}.c
		userspace/lib/{error,filter,handle,prefix,rule,snapshot}.c)
	user_flags=(-D__SANE_USERSPACE_TYPES__ '-DVERSION="fuzz"' '-DFEEDS_FOLDER="/nonexistent"'
		"-I$source/userspace/include" "-I$source/userspace/cli"
		"-I$source/userspace/lib" "-I$here/../../unit/core")
}
# shellcheck disable=SC2034 # used by name
mapfile -t -O "${#user_parts[@]}" user_parts < <(cd "$source" && ls userspace/cli/input/*.c)
flags=(-std=gnu11 -O2 -g -fno-omit-frame-pointer -Wall -Wextra -Werror
	"-fsanitize=address,undefined" -fno-sanitize-recover=all
	"-I$here/../../unit/shim" "-I$source/uapi")

# Large blocks that come and go with every input are not kept long.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:quarantine_size_mb=16}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

bail_out() {
	echo "Bail out! $*"
	exit 1
}

# field TARGET NUMBER: of its line in the table
field() {
	targets | awk -v target="$1" -v number="$2" '$1 == target { print $number }'
}

# build_parts KIND: what its targets are linked with
build_parts() {
	local part objects=$build/$1.o
	local -n parts=$1_parts options=$1_flags

	rm -rf "$objects"
	mkdir -p "$objects" || return
	for part in "${parts[@]}"; do
		"${CC:-clang}" "${flags[@]}" "${options[@]}" \
			-fsanitize=fuzzer-no-link -c "$source/$part" \
			-o "$objects/$(basename "$part" .c).o" || return
	done
}

# build_library TARGET KIND: with libFuzzer
build_library() {
	local -n options=$2_flags

	"${CC:-clang}" "${flags[@]}" "${options[@]}" -fsanitize=fuzzer \
		-o "$build/$1" "$here/$1.c" "$build/$2.o"/*.o \
		-linih -ljansson -lz -lzstd -lm -ldl -pthread
}

build_core() {
	"$here/../../harness/jhash.sh" "$build" || return
	build_parts core && build_library "$1" core
}

build_user() {
	[ -e "$build/user.o" ] || build_parts user || return
	build_library "$1" user
}

build_guest() {
	make -s -C "$here" KSOURCE="$("$here/../../harness/ksource.sh")" OUTPUT="$here" \
		"$here/$1"
}

# Whatever was built before may be of other sources.
build_all() {
	local target

	rm -rf "$build"/{core,user}.o
	for target; do
		"build_$(field "$target" 2)" "$target" || return
	done
}

# library TARGET ARGUMENT...: run it. Words of the command are not of interest.
library() {
	local target=$1

	shift
	(cd "$build" && "./$target" -close_fd_mask=2 -timeout=$seconds \
		-rss_limit_mb=$megabytes -max_len="$(field "$target" 3)" \
		-artifact_prefix="$build/crashes/$target-" -seed="$seed" \
		-print_final_stats=1 "$@")
}

# fuzz_library TARGET TIME: replay the corpus, then mutate it. Without TIME= the run
# starts from the committed corpus alone, whatever an earlier run found.
fuzz_library() {
	local target=$1 found=$build/corpus/$1 committed=$here/corpus/$1

	[ -n "${TIME:-}" ] || found=$build/counted/$1
	[ -n "${TIME:-}" ] || rm -rf "$found"
	mkdir -p "$found" "$committed" || return
	library "$target" -runs=0 "$committed" || return
	if [ -z "${TIME:-}" ]; then
		library "$target" -runs="$(field "$target" 5)" -reload=0 "$found" \
			"$committed"
	elif [ "$2" -gt 0 ]; then
		library "$target" -max_total_time="$2" "$found" "$committed"
	fi
}

fuzz_core() {
	fuzz_library "$@"
}

fuzz_user() {
	fuzz_library "$@"
}

# least_calls TIME: how many calls of the device there have to be.
least_calls() {
	local least=$(($1 * ${rate[$kernel]}))

	if [ "$kernel" = uml-debug ] && [ "$1" -ge $calls_time ] && [ $least -lt $calls ]; then
		least=$calls
	fi
	echo $least
}

# guest TARGET TIME: in a machine, which a complaint of its kernel ends. The last 64
# inputs before that are kept. 600 seconds are for its start and the search for leaks;
# the calls may take twice as long as they should.
guest() {
	local target=$1 found=$build/corpus/$1 status=0 kept="$build/crashes/$1-$seed"

	mkdir -p "$found" "$here/corpus/$target" || return
	(cd "$here" && "$here/../../harness/vm/run.sh" --kernel "$kernel" --parallel \
		--timeout $((2 * $2 + 600)) --save "$kept" -- env \
		"FUZZ_SECONDS=$2" "FUZZ_CALLS=1000000000" "FUZZ_SEED=$seed" \
		"FUZZ_LEAST=$(least_calls "$2")" \
		"FUZZ_CORPUS=$here/corpus/$target $found" FUZZ_KEEP=1 FUZZ_PLACES=1 \
		FUZZ_RECORD=/dev/saved "./$target") || status=$?
	if [ $status = 0 ]; then
		rm -f "$kept"
	else
		tail -c $((64 * 800)) "$kept" >"$kept.tail"
		mv "$kept.tail" "$kept"
	fi
	return $status
}

# What a run found worth keeping becomes files, named by what is in them.
fuzz_guest() {
	local found=$build/corpus/$1 bytes file=$build/$1.input

	guest "$@" || return
	rm -rf "$found"
	mkdir -p "$found" || return
	sed -n 's/^# keep //p' "$build/$1.log" | sed 's/../\\x&/g' | while read -r bytes; do
		# shellcheck disable=SC2059 # escaped ones
		printf "$bytes" >"$file"
		mv "$file" "$found/$(sha1sum <"$file" | cut -d' ' -f1)"
	done
	missed "$1" >"$build/$1.missed"
	late "$1" >"$build/$1.late"
}

module() {
	echo "$top/build/$(basename "$("$here/../../harness/vm/kernel.sh" "$kernel")")/module/kcuckoo.ko"
}

# late TARGET: the places that no committed input reaches, in the order in which they were
# reached: after how many calls, at most, where the module has them, in which function
late() {
	local new=$build/$1.new

	sed -n 's/^# new place \(.*\) after \(.*\) calls$/\2 \1/p' "$build/$1.log" >"$new"
	cut -d' ' -f2 "$new" | addr2line -fj .text -e "$(module)" | sed 'n;d' |
		paste -d' ' "$new" -
	rm -f "$new"
}

# missed TARGET: of each function of the module, how many of the places that tell
# that they are reached were not, and how many there are
missed() {
	objdump -dr "$(module)" | awk -f "$here/missed.awk" "$build/$1.log" - |
		sort -rn
}

# What the log of a target says: how much was done, and what it reached.
summary() {
	grep -aE '^(Done |.*DONE +cov:|stat::(average|peak|new_units))' "$1" |
		sed 's/^/# /'
	grep -aE '^# ([0-9]+ (s: |injected|calls)|results: |last new )' "$1" | tail -n 6
	grep -aE 'not true:|ERROR:|SUMMARY:|runtime error|Test unit written' "$1" |
		sed 's/^/# /'
	return 0
}

# one TARGET TIME: its test, as a line of TAP without a number
one() {
	local target=$1 status=0

	"fuzz_$(field "$target" 2)" "$target" "$2" >"$build/$target.log" 2>&1 ||
		status=$?
	{
		echo "# $target: $(find "$here/corpus/$target" -type f | wc -l) inputs" \
			"committed, seed $seed"
		summary "$build/$target.log"
		if [ $status = 0 ]; then
			echo "ok"
		else
			tail -n 40 "$build/$target.log" | sed 's/^/# /'
			echo "# exit status $status; all of it: $build/$target.log"
			echo "not ok"
		fi
	} >"$build/$target.tap"
}

merge_library() {
	library "$1" -merge=1 -use_counters=0 "$2" "$here/corpus/$1" \
		"$build/corpus/$1" >"$build/$1.log" 2>&1
}

merge_core() {
	merge_library "$@"
}

merge_user() {
	merge_library "$@"
}

# A run keeps no more than that.
merge_guest() {
	[ -z "$(ls "$build/corpus/$1")" ] && return 1
	cp "$build/corpus/$1"/* "$2"
}

# merge TARGET: few inputs that reach all that is reached, however often
merge() {
	local target=$1 merged=$build/merged/$1

	rm -rf "$merged"
	mkdir -p "$merged" "$build/corpus/$target" "$here/corpus/$target"
	"merge_$(field "$target" 2)" "$target" "$merged" || return
	rm -rf "${here:?}/corpus/$target"
	mv "$merged" "$here/corpus/$target"
	echo "$target: $(find "$here/corpus/$target" -type f | wc -l) inputs"
}

# fuzz TIME TARGET...: JOBS at a time, each for its share of the time
fuzz() {
	local jobs=${JOBS:-$(nproc)} time=$1 parts=0 target

	shift
	for target; do
		parts=$((parts + $(field "$target" 4)))
	done
	for target; do
		while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do
			wait -n
		done
		one "$target" $((time * $(field "$target" 4) / parts)) &
	done
	wait
}

main() {
	local verb=fuzz number=0 failed=0 target result

	if [ "${1:-}" = --merge ]; then
		verb=merge
		shift
	fi
	case ${1:-} in
	--all) mapfile -t chosen < <(targets | awk '{ print $1 }') ;;
	'') mapfile -t chosen < <(targets | awk '$2 != "guest" { print $1 }') ;;
	*) chosen=("$@") ;;
	esac
	for target in "${chosen[@]}"; do
		[ -n "$(field "$target" 2)" ] || bail_out "no target '$target'"
	done
	mkdir -p "$build/crashes" || bail_out "no build folder"
	build_all "${chosen[@]}" >&2 || bail_out "the targets do not compile"
	if [ $verb = merge ]; then
		for target in "${chosen[@]}"; do
			merge "$target" || bail_out "$target cannot be merged"
		done
		return 0
	fi
	echo "TAP version 13"
	echo "1..${#chosen[@]}"
	fuzz "${TIME:-30}" "${chosen[@]}"
	for target in "${chosen[@]}"; do
		number=$((number + 1))
		result=$(tail -n 1 "$build/$target.tap")
		sed '$d' "$build/$target.tap"
		[ "$result" = ok ] || failed=$((failed + 1))
		echo "${result:-not ok} $number fuzz.$target"
	done
	echo "# New inputs are in $build/corpus: $0 --merge takes them up."
	echo "# Totals: pass:$((number - failed)) fail:$failed skip:0"
	[ $failed = 0 ]
}

kernel=${KERNEL:-uml-debug}
if [ -z "${TIME:-}" ]; then
	seed=${SEED:-1}
else
	seed=${SEED:-$((RANDOM << 15 | RANDOM | 1))}
fi
main "$@"
