#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# suite.sh [--kernel NAME] [LANE...]
#
# Run the lanes, all unless some are named (FOLDER:PROGRAM is one program of a
# folder), and print one flat TAP stream whose last line counts: N passed, N failed,
# N skipped. On a kernel other than stock (see vm/run.sh --help) only the kselftest
# folders run. Lanes: core, parser, filter, fetch, protocol, fuzz, lint, proof, vm, collect,
# seeded, endurance and every folder of selftests/ that builds on the kernel's lib.mk (fuzz
# is one there, too), by the last part of its path.
# A name of which nothing runs on that kernel is refused: exit 2.
#
# Only a failure of time is tried again (collect.awk has which these are; a machine's
# time limit and a failure of the emulator are, too), if nothing else failed in the same
# lane: alone, after all other lanes, at most twice in all. What passes then is named
# before the count, in a line "unstable: NAME" each.
#
# JOBS= lanes run at a time, by default as many as there are processors, and
# machines that fit in memory. What a lane prints is passed on whole when it ends;
# what begins and ends is told on stderr. CPUS= processors has each machine, whatever
# the folders' settings say. With KCUCKOO_SOAK=yes the tests in the machine repeat what they
# do as often as `make soak` wants it.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
selftests=$(dirname "$here")

# Called from a makefile or not: what is made below is the same.
unset MAKEFLAGS MFLAGS MAKELEVEL

kernel=stock
if [ "${1:-}" = --kernel ]; then
	kernel=${2:?--kernel wants a name}
	shift 2
fi
chosen_lanes=("$@")

# Kernels with checks are many times slower than those that Debian ships.
case $kernel in
stock | rt | 5.10 | 6.12 | newest | gcov) slow=false ;;
*) slow=true ;;
esac

# Lanes of the host: the name, the program below selftests/ that prints TAP, and how many
# seconds it takes.
host_lanes='
lint harness/lint/run.sh 300
proof harness/lint/proof.sh 40
core unit/core/run.sh 90
parser unit/parser/run.sh 90
filter unit/filter/run.sh 60
fetch unit/fetch/run.sh 120
protocol unit/protocol/run.sh 35
fuzz soak/fuzz/run.sh 80
collect harness/collect.sh 30
seeded soak/seeded/test.sh 1
endurance soak/endurance/brief.sh 5
vm harness/vm/test.sh 250
'

# Gibibytes of memory that a lane's machine may take.
machine_memory=2

kselftests=		# name and path of each of their folders, a line each
work=			# what lanes print, a file each
collector=		# the process that counts
declare -A running=()	# lanes, by their processes

tries=2			# how many there are left for what was late
late=()			# the names of what was late and may be tried again
trying=			# the one that is

say() {
	echo "suite: $*" >&2
}

# folder_of NAME: the path of a folder of kselftests, below selftests/.
folder_of() {
	awk -v name="$1" '$1 == name { print $2 }' <<<"$kselftests"
}

# setting FOLDER NAME: what the folder's settings say, nothing where they do not.
setting() {
	sed -n "s/^$2=//p" "$selftests/$(folder_of "$1")/settings" 2>/dev/null || :
}

# Seconds for one folder's machine; a folder with more to do says so in its
# settings: "machine=N".
machine_limit() {
	local seconds

	seconds=$(setting "$1" machine)
	seconds=${seconds:-300}
	! $slow || seconds=$((seconds * 4))
	echo "$seconds"
}

# runs_here FOLDER: is this kernel one that the folder's tests can do something on?
# One that wants what only others have says which: "kernel=NAME..." in its settings.
runs_here() {
	local wants

	wants=$(setting "$1" kernel)
	[[ " ${wants:-$kernel} " = *" $kernel "* ]]
}

# worthwhile FOLDER: of the programs on stdin those that run on this kernel. Starting
# a process takes a slow kernel 20 times as long, so a folder of shell scripts may
# name the programs that are worth it there: "debug=PROGRAM..." in its settings.
worthwhile() {
	local programs

	programs=$(setting "$1" debug)
	if ! $slow || [ -z "$programs" ]; then
		cat
	else
		grep -xF -f <(tr ' ' '\n' <<<"$programs" | sed "/./s/^/$1:/; /^$/d")
	fi
}

# programs FOLDER: all that it has, each as FOLDER:PROGRAM.
programs() {
	make -s --no-print-directory -C "$selftests" list TARGETS="$1"
}

# folder_lanes FOLDER: its lanes: one, unless all programs of a large folder run.
folder_lanes() {
	local machines

	machines=$(setting "$1" machines)
	if $slow || [ "${machines:-1}" = 1 ] || [[ " ${chosen_lanes[*]}" = *" $1:"* ]]; then
		echo "$1"
	else
		seq -f "$1.%g" "$machines"
	fi
}

# by_length FOLDER...: the lanes that are wanted, of the host and of these folders, each
# with its program, or "-" for a folder. The longest lane comes first, so that the
# processors are busy to the end; the settings of a folder have the length of its lanes:
# "seconds=N", or "debug_seconds=N" for a slow kernel.
by_length() {
	local folder lane program seconds name=seconds

	! $slow || name=debug_seconds
	{
		for folder; do
			runs_here "$folder" || continue
			seconds=$(setting "$folder" "$name")
			folder_lanes "$folder" | sed "s/.*/${seconds:-0} & -/"
		done
		[ "$kernel" = stock ] || return 0
		while read -r lane program seconds; do
			[ -z "$lane" ] || ! wanted "$lane" || echo "$seconds $lane $program"
		done <<<"$host_lanes"
	} | sort -rn | cut -d' ' -f2-
}

# build FOLDER...
build() {
	local status=0

	echo "# >>> build"
	echo 1..1
	# What builds in spite of an error elsewhere still runs.
	make -s -k -j"$(nproc)" -C "$selftests" all TARGETS="$*" || status=$?
	if [ $status = 0 ]; then
		echo "ok 1 kselftests"
	else
		echo "not ok 1 kselftests"
	fi
	echo "# <<< build $status"
}

# host_lane NAME PROGRAM
host_lane() {
	local status=0

	echo "# >>> $1"
	"$selftests/$2" || status=$?
	echo
	echo "# <<< $1 $status"
}

# share LANE: of the programs on stdin those of this lane. The programs of a large folder
# are dealt out to several lanes, FOLDER.1, FOLDER.2 and so on: "machines=N" in its settings.
share() {
	local machines

	machines=$(setting "${1%.*}" machines)
	awk -v number="${1##*.}" -v machines="${machines:-1}" '
		number !~ /^[0-9]+$/ || NR % machines == number % machines'
}

# folder_machine LANE FOLDER: run the folder's programs, or the share of this lane, in a
# machine. Returns its status.
folder_machine() {
	local lane=$1 tests cpus parallel='' save=''

	shift

	# "parallel=yes" in the settings of what is about races, and perhaps "cpus=N".
	[ -z "$(setting "$1" parallel)" ] || parallel=--parallel
	cpus=$(setting "$1" cpus)
	cpus=${CPUS:-${cpus:-2}}
	[ -z "${KCUCKOO_SAVE:-}" ] || save="--save $KCUCKOO_SAVE/$lane${trying:+.$tries}.tar"
	tests=$(programs "$1" | worthwhile "$1" | chosen "$1" | share "$lane" |
		sed "s,^$1:,$(folder_of "$1"):,") || return
	# shellcheck disable=SC2086 # a list of names, and perhaps options
	"$here/vm/run.sh" --kernel "$kernel" --timeout "$(machine_limit "$1")" \
		--cpus "$cpus" $parallel $save -- \
		${KCUCKOO_SOAK:+env KCUCKOO_SOAK=yes} "$here/kselftest.sh" "$kernel" $tests
}

# What run.sh returns when the emulator failed, and after a timeout: that says nothing
# about what ran in the machine.
emulator_failed=123
timed_out=124

# folder_lane LANE: in a machine of its own, so that a splat or a leak is attributed to it.
folder_lane() {
	local status=0 mark=''

	folder_machine "$1" "${1%.[0-9]}" || status=$?
	case $status in "$emulator_failed" | "$timed_out") mark=" # late" ;; esac
	echo "# >>> $1/machine"
	echo 1..1
	if [ $status = 0 ]; then
		echo "ok 1 no splat, no leak"
	else
		echo "not ok 1 the machine's exit status is $status$mark"
	fi
	echo "# <<< $1/machine $status"
}

# lane NAME COMMAND...: its last line is the evidence that it came to its end.
lane() {
	local start=$SECONDS

	# Asked to end, a lane waits for its command, which was asked as well.
	trap : INT TERM HUP
	"${@:2}"
	echo "# $1 took $((SECONDS - start)) s"
}

# verdicts LANE: the verdict on each program in what the lane printed.
verdicts() {
	awk -v kernel="$kernel" -v skips="$here/skips" -v verdicts=1 \
		-f "$here/collect.awk" "$work/$1"
}

# late_programs LANE: the names of what was late, if nothing else failed. A machine that
# was late counts for all its programs.
late_programs() {
	local all

	all=$(verdicts "$1")
	if grep -q '^failed ' <<<"$all"; then
		return
	elif has "late $1/machine" "$all"; then
		echo "$1/machine"
	elif ! grep -q '^open ' <<<"$all"; then
		sed -n 's/^late //p' <<<"$all"
	fi
}

# withheld NAME: the file that keeps what a late program printed.
withheld() {
	echo "$work/late.${1//\//.}"
}

# withhold LANE NAME: take what the program printed out of the lane's output; all, where
# that is the whole lane, its machine, or what a program printed when it was tried again.
withhold() {
	local rest=$work/$1.rest

	if [ -n "$trying" ] || [ "$2" = "$1" ] || [ "$2" = "$1/machine" ]; then
		cp "$work/$1" "$(withheld "$2")"
		: >"$rest"
	else
		awk -v name="$2" -v late="$(withheld "$2")" -v rest="$rest" '
			BEGIN { printf "" >rest }
			$1 == "#" && $2 == ">>>" { inside = $3 == name }
			{ print >(inside ? late : rest) }
			$1 == "#" && $2 == "<<<" { inside = 0 }' "$work/$1"
	fi
	mv "$rest" "$work/$1"
}

# uncount_machine LANE: where a program alone is tried again, that a further machine had
# no splat is nothing to count.
uncount_machine() {
	[ "$trying" != "$1/machine" ] && grep -qx "# <<< $1/machine 0" "$work/$1" || return 0
	sed -i "\\,^# >>> $1/machine\$,,\\,^# <<< $1/machine 0\$,s/^/# /" "$work/$1"
}

# settle LANE: pass on what it printed, but for what was late: that is decided later.
settle() {
	local names name

	mapfile -t names < <(late_programs "$1")
	if [ -n "$trying" ]; then
		uncount_machine "$1"
		# It keeps its name, whichever part of it is late this time.
		[ ${#names[@]} = 0 ] || names=("$trying")
	fi
	for name in "${names[@]}"; do
		withhold "$1" "$name"
		late+=("$name")
	done
	cat "$work/$1"
	if [ -n "$trying" ] && [ ${#names[@]} = 0 ] && ! verdicts "$1" | grep -qv '^ok '; then
		echo "# unstable: $trying"
	fi
}

# ended PROCESS: pass on what the lane printed; if it broke off, that is a failure.
ended() {
	local lane=${running[$1]} took

	unset "running[$1]"
	took=$(tail -n 1 "$work/$lane" |
		sed -n "s/^# \($lane took [0-9]* s\)$/\1/p") || :
	if [ -n "$took" ]; then
		settle "$lane"
	else
		cat "$work/$lane" || :
		kill -TERM -- "-$1" 2>/dev/null || :
		printf '\n%s\n' "# >>> $lane/end" 1..1 "not ok 1 the lane broke off" \
			"# <<< $lane/end 1"
	fi
	say "${took:-$lane broke off}"
}

# Until at least one of the lanes that are running has ended.
await_one() {
	local process before=${#running[@]}

	while [ ${#running[@]} = "$before" ]; do
		wait -n "${!running[@]}" || :
		for process in "${!running[@]}"; do
			kill -0 "$process" 2>/dev/null || ended "$process"
		done
	done
}

# begin LANE COMMAND...: when there is room, in the background.
begin() {
	while [ ${#running[@]} -ge "$jobs" ]; do
		await_one
	done
	say "$1 begins"
	# In a process group of its own: a signal to that ends all of it.
	set -m
	lane "$@" </dev/null >"$work/$1" 2>&1 &
	set +m
	running[$!]=$1
}

# most_jobs: how many lanes there may be at a time.
most_jobs() {
	awk -v processors="$(nproc)" -v gibibytes=$machine_memory '
		/^MemAvailable:/ { machines = int($2 / 1024 / 1024 / gibibytes) }
		END { print machines < 1 ? 1 : machines < processors ? machines : processors }
	' /proc/meminfo
}

wanted() {
	local lane

	[ ${#chosen_lanes[@]} -gt 0 ] || return 0
	for lane in "${chosen_lanes[@]}"; do
		[ "${lane%%:*}" != "$1" ] || return 0
	done
	return 1
}

# chosen FOLDER: of its programs on stdin those that were asked for: all, unless some
# were named.
chosen() {
	local lane programs=()

	for lane in "${chosen_lanes[@]}"; do
		[[ $lane != "$1:"* ]] || programs+=(-e "$lane")
	done
	[ ${#programs[@]} -gt 0 ] || programs=(-e "$1:.*")
	grep -x "${programs[@]}"
}

refuse() {
	say "$*"
	exit 2
}

# has LINE LINES: is it one of them?
has() {
	grep -qxFe "$1" <<<"$2"
}

# check_lane LANE HOSTS FOLDERS: refuse a name of which nothing runs. If it were the only
# one, the build would pass for it.
# shellcheck disable=SC2086 # lists of names
check_lane() {
	local folder=${1%%:*} all some

	if has "$folder" "$3"; then
		all=$(programs "$folder")
		[ "$1" = "$folder" ] || has "$1" "$all" ||
			refuse "no program '$1'; there are" $all
		some=$(worthwhile "$folder" <<<"$all") || :
		[ "$1" = "$folder" ] || some=$(grep -xFe "$1" <<<"$some") || :
		! runs_here "$folder" || [ -z "$some" ] || return 0
	elif ! has "$1" "$2"; then
		refuse "no lane '$1'; there are" $2 $3
	fi
	if [ "$kernel" != stock ] || ! has "$1" "$2"; then
		refuse "nothing of '$1' runs on kernel $kernel"
	fi
}

check_lanes() {
	local lane hosts folders

	[ ${#chosen_lanes[@]} -gt 0 ] || return 0
	hosts=$(awk 'NF { print $1 }' <<<"$host_lanes")
	folders=$(cut -d' ' -f1 <<<"$kselftests")
	for lane in "${chosen_lanes[@]}"; do
		check_lane "$lane" "$hosts" "$folders"
	done
}

# wanted_folders: all, unless some are named.
wanted_folders() {
	local folder

	while read -r folder _; do
		! wanted "$folder" || echo "$folder"
	done <<<"$kselftests"
}

run_lanes() {
	local lane program folders

	folders=$(wanted_folders)
	# Alone: it uses all processors by itself.
	# shellcheck disable=SC2086 # a list of names
	[ -z "$folders" ] || begin build build $folders
	while [ ${#running[@]} -gt 0 ]; do
		await_one
	done
	# shellcheck disable=SC2086 # a list of names
	while read -r lane program; do
		if [ "$program" != - ]; then
			begin "$lane" host_lane "$lane" "$program"
		else
			begin "$lane" folder_lane "$lane"
		fi
	done < <(by_length $folders)
	while [ ${#running[@]} -gt 0 ]; do
		await_one
	done
}

# host_program LANE: its program, nothing if that is no lane of the host.
host_program() {
	awk -v lane="$1" '$1 == lane { print $2 }' <<<"$host_lanes"
}

# lane_again NAME: its lane, with that program alone.
lane_again() {
	local lane=${1%%/*}

	if [ "$lane" = "$1" ]; then
		host_lane "$lane" "$(host_program "$lane")"
		return
	fi
	[ "$1" = "$lane/machine" ] || chosen_lanes=("${1/\//:}")
	folder_lane "$lane"
}

# try_again NAME: what it printed before is shown, and counts no more.
try_again() {
	trying=$1
	echo "# $1 was late and is tried again, alone; before, it printed:"
	sed 's/^/# late: /' "$(withheld "$1")"
	begin "${1%%/*}" lane_again "$1"
	await_one
}

# retry: what was late, in turns, as often as that may be; what is left then has failed.
retry() {
	local name

	while [ ${#late[@]} -gt 0 ]; do
		name=${late[0]}
		late=("${late[@]:1}")
		if [ "$tries" -gt 0 ]; then
			tries=$((tries - 1))
			try_again "$name"
		else
			cat "$(withheld "$name")"
		fi
	done
}

# finish STATUS: whatever ends this script ends its lanes, and their machines.
finish() {
	local process

	trap - EXIT INT TERM HUP
	# A stream that breaks off has no count at its end.
	[ -z "$collector" ] || kill "$collector" 2>/dev/null || :
	for process in "${!running[@]}"; do
		kill -TERM -- "-$process" 2>/dev/null || :
	done
	for process in "${!running[@]}"; do
		wait "$process" || :
	done
	rm -rf "$work"
	exit "$1"
}

main() {
	local interactive=() jobs status=0

	kselftests=$(make -s --no-print-directory -C "$selftests" targets)
	check_lanes
	trap 'finish $?' EXIT
	trap 'finish 130' INT
	trap 'finish 143' TERM
	trap 'finish 129' HUP
	work=$(mktemp -d "${TMPDIR:-/tmp}/kcuckoo-suite.XXXXXX")
	jobs=${JOBS:-$(most_jobs)}
	say "$jobs at a time; until they end, their output is in $work"

	# Debian's awk holds back what it reads and writes, unless asked not to.
	if awk -W version 2>/dev/null </dev/null | grep -q mawk; then
		interactive=(-W interactive)
	fi
	exec > >(exec awk "${interactive[@]}" -v kernel="$kernel" \
		-v skips="$here/skips" -f "$here/collect.awk")
	collector=$!
	run_lanes
	retry
	exec >&-
	wait "$collector" || status=$?
	collector=
	return $status
}

main
