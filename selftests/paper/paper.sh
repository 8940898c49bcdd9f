#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# paper.sh [JOB...]: measure again what both papers on cuckoo filters show, and
# write paper.md and its plots. Names of jobs, as --list prints them, or the
# beginnings of such names, measure these alone; results of others are kept. A name
# that no job has is refused: exit 2.
#
# QUICK=1     small tables and few runs: about 3 minutes in place of 3 hours
# RUNS=N      another number of runs than 10
# RESUME=1    keep the results that are there, measure what is missing
# JOBS=N      so many at a time, and not as many as there are processors
# HUGE=0      leave out the tables of 2^28 and 2^30 buckets
# REPORT=1    measure nothing, write the report of what is there
# CORE_KMOD=  another folder of the core's source

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../.." && pwd -P)
selftests=$top/selftests
kmod=${CORE_KMOD:-$top/kmod}
build=$top/build/paper
mode=full
[ -z "${QUICK:-}" ] || mode=quick
data=$build/$mode
runs=${RUNS:-10}
[ $mode = full ] || runs=${RUNS:-3}
huge=${HUGE:-1}
core=(hash permutation semisort table_params table search layout store rate rehash)
others=(baselines bloom counting blocked quotient dleft)
subjects=(cuckoo cuckoo-batch semisort semisort-batch bloom blocked counting
	quotient dleft4 dleft8)
flags=(-std=gnu11 -O2 -Wall -Wextra -Werror "-I$selftests/unit/shim" "-I$build"
	"-I$top/uapi" "-I$kmod" "-I$selftests/unit/core" "-I$here"
	"-I$here/baselines" "-I$selftests/bench")

# shellcheck source=selftests/bench/names.sh
. "$selftests/bench/names.sh"

say() {
	echo "paper: $*" >&2
}

# objects FOLDER FLAG...: the core, the other filters, and what fills them
objects() {
	local folder=$1 name

	shift
	mkdir -p "$folder"
	for name in "${core[@]}"; do
		[ -e "$kmod/core/$name.c" ] || continue
		gcc "${flags[@]}" "$@" -c -o "$folder/$name.o" "$kmod/core/$name.c"
	done
	for name in "${others[@]}"; do
		gcc "${flags[@]}" "$@" -c -o "$folder/other_$name.o" \
			"$here/baselines/$name.c"
	done
	gcc "${flags[@]}" "$@" -c -o "$folder/filling.o" "$selftests/bench/filling.c"
	gcc "${flags[@]}" "$@" -c -o "$folder/subject.o" "$here/subject.c"
	rm -f "$folder/all.a"
	ar rcs "$folder/all.a" "$folder"/*.o
}

compile() {
	local name

	"$selftests/harness/jhash.sh" "$build"
	objects "$build/plain"
	# Instrumented, to count what memory is touched; see lines.c.
	objects "$build/counted" -fsanitize=thread
	for name in fill speed size inet doubling; do
		gcc "${flags[@]}" -o "$build/$name" "$here/$name.c" \
			"$build/plain/all.a" -lm
	done
	gcc "${flags[@]}" -o "$build/lines" "$here/lines.c" \
		"$build/counted/all.a" -lm
	gcc "${flags[@]}" -static -o "$build/kernel" "$here/kernel.c" -lm
}

# job NAME PROGRAM ARGUMENT...: a line of the list
job() {
	echo "$*"
}

# A seed for a job, by its name: no two jobs draw the same numbers.
seed() {
	cksum <<<"$1" | cut -d ' ' -f 1
}

# Look-ups that meet some 2,000 false positives: b, f
lookups() {
	local count=$((2000 * (1 << $2) / (2 * $1)))

	count=$((count < 1000000 ? 1000000 : count))
	count=$((count > 20000000 ? 20000000 : count))
	[ $mode = full ] || count=$((count / 5))
	echo $count
}

# Table 2 of ;login:, and the large tables that the figures are about.
large_jobs() {
	local m=$((1 << 25)) queries run f rule
	[ $mode = full ] || m=$((1 << 18))

	for run in $(seq "$runs"); do
		for f in 12 6 8 16 4 2; do
			for rule in kicks search; do
				queries=0
				[ $rule$f != search12 ] || queries=100000000
				[ $mode = full ] || queries=$((queries / 50))
				job table2.$rule.$f."$run" fill -r $rule -f $f \
					-m $m -q $queries -x "$run"
			done
		done
		for f in 2 4; do
			job table2.kicks0.$f."$run" fill -r kicks0 -f $f -m $m \
				-x "$run"
		done
		[ "$run" -le 3 ] || continue
		queries=$([ $mode = full ] && echo 100000000 || echo 2000000)
		job sorted."$run" fill -f 13 -s -m $m -q "$queries" -x "$run"
		job eight."$run" fill -b 8 -f 12 -m $m -q "$queries" -x "$run"
	done
}

# load RULE B F LOG2M RUNS: points of Figure 2
load() {
	local name=load.$1.$2.$3.$4

	job "$name" fill -r "$1" -b "$2" -f "$3" -m $((1 << $4)) -n "$5" \
		-x "$(seed "$name")"
}

# rate HASH LOG2M: false positives of a table filled to 95 %
rate() {
	local name=rate.$1.$2 count=$(($2 < 16 ? 20 : $2 < 22 ? 5 : 1)) queries

	queries=$([ $mode = full ] && echo 40000000 || echo 8000000)
	job "$name" fill -k "$1" -m $((1 << $2)) -l 95 -n $count \
		-q $((queries / count)) -x "$(seed "$name")"
}

# Figure 2.
load_jobs() {
	local small='15 20' f b m rule
	[ $mode = full ] || small='10 15'

	for m in $small; do
		for f in $(seq 20); do
			for b in 4 8; do
				for rule in kicks search; do
					load $rule $b "$f" "$m" "$runs"
				done
			done
		done
	done
	if [ $mode = quick ]; then
		for f in 1 2 3 4 6 8 12; do
			load search 8 $f 18 1
		done
		return
	fi
	for f in 1 3 5 7 10 20; do
		load search 4 $f 25 1
		load kicks 4 $f 25 1
	done
	for f in 1 2 3 4 5 6 8 16; do
		load search 8 $f 25 1
	done
}

# What takes longest comes first: tables of 2^28 and 2^30 buckets.
huge_jobs() {
	local f

	[ "$huge" = 1 ] && [ $mode = full ] || return 0
	for f in 6 4 3 2 1; do
		load search 4 $f 30 1
	done
	rate jhash 28
	rate siphash 28
}

# Figures 3 and 4: memory and rate by b and f.
space_jobs() {
	local places=$((1 << 22)) b f name
	[ $mode = full ] || places=$((1 << 18))

	for f in $(seq 4 18); do
		for b in 2 4 8; do
			name=space.$b.$f
			job "$name" fill -b $b -f "$f" -m $((places / b)) -n "$runs" \
				-q "$(lookups $b "$f")" -x "$(seed "$name")"
		done
		[ "$f" -ge 5 ] || continue
		name=space.sorted.$f
		job "$name" fill -s -f "$f" -m $((places / 4)) -n "$runs" \
			-q "$(lookups 4 "$f")" -x "$(seed "$name")"
	done
}

# The rate does not depend on the table's size, nor on the hash.
rate_jobs() {
	local most=26 m k
	[ $mode = full ] || most=18

	for m in $(seq 10 2 $most); do
		for k in jhash siphash; do
			rate $k "$m"
		done
	done
}

# twin B F [-s]: what the kernel is compared with
twin() {
	local name=twin.$1.$2

	job "$name" fill -b "$1" -f "$2" "${@:3}" -m 16384 -n $((2 * runs)) \
		-q 1000000 -x "$(seed "$name")"
}

other_jobs() {
	local kind count run

	for run in $(seq $((runs < 3 ? runs : 3))); do
		if [ $mode = full ]; then
			job doubling.22."$run" doubling 16 $((1 << 22)) "$run"
			job doubling.24."$run" doubling 16 $((1 << 24)) "$run"
		else
			job doubling.18."$run" doubling 16 $((1 << 18)) "$run"
		fi
	done
	twin 4 12
	twin 4 13 -s
	twin 2 11
	twin 8 12
	twin 4 6
	job lines lines cuckoo semisort bloom blocked counting quotient dleft4 dleft8
	if [ $mode = full ]; then
		job size size 1 20 100000 10000000
	else
		job size size 1 20 100000 1000000
	fi
	for count in 16000000 100000000; do
		for kind in uniform clustered; do
			[ $mode = full ] || [ $count = 16000000 ] || continue
			job inet.$kind.$count inet $kind $count 1
		done
	done
}

# Table 3 and Figures 5 to 8.
speed_jobs() {
	local megabytes=192 count=$runs subject run
	[ $mode = full ] || { megabytes=6 count=1; }

	for run in $(seq "$count"); do
		for subject in "${subjects[@]}"; do
			job speed."$subject"."$run" speed "$subject" $megabytes "$run"
		done
	done
}

# Throughput is measured by one program at a time.
alone() {
	speed_jobs
	job kernel kernel.sh
}

together() {
	huge_jobs
	large_jobs
	space_jobs
	other_jobs
	rate_jobs
	load_jobs
}

all_jobs() {
	alone
	together
}

# Bytes of memory that a fill takes, and some more; 0 for the others.
memory_of() {
	awk '{ b = 4; f = 12; m = 0
		for (i = 3; i < NF; i++) {
			if ($i == "-b") b = $(i + 1)
			if ($i == "-f") f = $(i + 1)
			if ($i == "-m") m = $(i + 1)
		}
		printf "%.0f\n", m * b * f / 8 * 1.1 }' <<<"$*"
}

fits() {
	local available

	available=$(awk '/^MemAvailable/ { printf "%.0f", $2 * 1024 }' /proc/meminfo)
	[ "$(memory_of "$@")" -lt "$available" ]
}

# measure NAME PROGRAM ARGUMENT...: the result appears when it is complete.
measure() {
	local name=$1 program=$2

	if ! fits "$@"; then
		say "$name is left out: not enough memory"
		return 0
	fi
	shift 2
	if [ "$program" = kernel.sh ]; then
		(cd "$here" && "$selftests/harness/vm/run.sh" --timeout 1800 ./kernel.sh \
			"$build/kernel" $mode) >"$data/.$name"
	else
		"$build/$program" "$@" >"$data/.$name"
	fi || { say "$name failed"; return 1; }
	# Results of several days may come together; each says what it is of.
	printf 'source\t%s\n' "$commit" >>"$data/.$name"
	mv "$data/.$name" "$data/$name"
}

# wanted NAME: is the job asked for, and its result missing?
wanted() {
	[ -z "${RESUME:-}" ] || [ ! -e "$data/$1" ] || return 1
	[ ${#patterns[@]} -eq 0 ] || named "$1"
}

# run_jobs LIST AT-A-TIME
run_jobs() {
	local failed=0 name rest

	while read -r name rest; do
		wanted "$name" || continue
		while [ "$(jobs -pr | wc -l)" -ge "$2" ]; do
			wait -n || failed=1
		done
		# shellcheck disable=SC2086 # a list of words
		measure "$name" $rest </dev/null &
	done < <("$1")
	while [ -n "$(jobs -p)" ]; do
		wait -n || failed=1
	done
	return $failed
}

# The commit by which the core was changed last.
source_of_core() {
	local changed='' name file files=(core/{bits,limits,bucket_stream,bucket_pair,table_batch}.h)

	for name in "${core[@]}"; do
		for file in "$kmod/core/$name".[ch]; do
			[ ! -e "$file" ] || files+=("core/${file##*/}")
		done
	done
	git -C "$kmod" diff --quiet HEAD -- "${files[@]}" 2>/dev/null ||
		changed=', changed'
	echo "$(git -C "$kmod" log -1 --format=%h -- "${files[@]}" \
		2>/dev/null)$changed"
}

# What the report says about where it was measured.
facts() {
	printf 'fact\tmode\t%s\n' $mode
	printf 'fact\tprocessor\t%s, %s of them\n' \
		"$(sed -n '/^model name[^:]*: / { s///p; q }' /proc/cpuinfo)" \
		"$(nproc)"
	printf 'fact\tmemory\t%s GB\n' \
		"$(awk '/^MemTotal/ { printf "%.0f", $2 / 1048576 }' /proc/meminfo)"
	printf 'fact\tcache\t%s\n' "$(lscpu | sed -n 's/^L3 cache: *//p')"
	printf 'fact\tsystem\t%s, Linux %s\n' \
		"$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release)" \
		"$(uname -r | sed 's/-.*//')"
	printf 'fact\tcompiler\t%s\n' "$(gcc --version | sed -n 1p)"
	printf 'fact\tpages\t%s\n' "$(sed 's/.*\[\(.*\)\].*/\1/' \
		/sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)"
}

# How many jobs of each kind there are, and how many have a result.
plan() {
	local name

	all_jobs | while read -r name _; do
		[ ! -e "$data/$name" ] || echo "${name%%.*} 1"
		echo "${name%%.*} 0"
	done | awk '{ jobs[$1] += !$2; done[$1] += $2 }
		END { for (kind in jobs)
			printf "plan\t%s\t%d\t%d\n", kind, jobs[kind], done[kind] }' |
		sort
}

report() {
	local plots=$build/plots

	mkdir -p "$plots"
	rm -f "$plots"/*.dat
	{
		cat "$data/.facts"
		plan
		find "$data" -type f ! -name '.*' -exec cat {} +
	} >"$build/results"
	LC_ALL=C awk -v plots="$plots" -f "$here/results.awk" \
		-f "$here/tables.awk" -f "$here/figures.awk" \
		-f "$here/report.awk" "$build/results" >"$build/paper.md"
	cp "$build/paper.md" "$here/paper.md"
	# A size that was not measured has a column without numbers.
	(cd "$here" && LC_ALL=C gnuplot -e "data='$plots/'" plots.gp 2>&1) |
		{ grep -v 'no valid points$' >&2 || :; }
	say "selftests/paper/paper.md is written"
}

patterns=("$@")
if [ "${1:-}" = --list ]; then
	all_jobs
	exit
fi
check_names
"$selftests/harness/packages.sh" paper
mkdir -p "$data"
if [ "${REPORT:-}" != 1 ]; then
	compile
	if [ $# = 0 ] && [ -z "${RESUME:-}" ]; then
		rm -f "$data"/* "$data"/.[a-z]*
	fi
	facts >"$data/.facts"
	commit=$(source_of_core)
	status=0
	run_jobs alone 1 || status=1
	run_jobs together "${JOBS:-$(nproc)}" || status=1
	[ $status = 0 ] || say "some jobs failed; the report lacks their numbers"
fi
report
exit "${status:-0}"
