#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# suite.sh [--kernel NAME] [LANE...]
#
# Run groups of tests, named lanes. The default is all lanes; FOLDER:PROGRAM is one
# program of a folder. Print one flat TAP stream, whose last line has the totals: N passed,
# N failed, N skipped. On a kernel other than stock (see vm/run.sh --help) only the
# kselftest folders run. Lanes: core, parser, filter, fetch, protocol, fuzz, lint, proof,
# vm, collect, seeded, endurance and every folder of selftests/ that builds on the kernel's
# lib.mk (one of these is also named fuzz), by the last part of its path.
# If nothing of a named lane runs on the kernel, exit with status 2.
#
# A test that failed only because it was late (see collect.awk), or a machine that reached
# its time limit or whose emulator failed, runs again alone after all other lanes, if
# nothing else failed in the same lane. This happens at most twice in one run. If the test
# then passes, a line "unstable: NAME" before the totals names it.
#
# The variable JOBS is the number of lanes that run at the same time. The default is the
# number of processors plus one, or the number of machines that fit in memory if it is
# smaller. The output of a lane is printed when the lane ends; the begin and the end of each
# lane are printed on stderr. CPUS is the number of processors of each machine, and
# overrides the settings of the folders. With KCUCKOO_SOAK=yes the tests in the machine repeat their
# steps as often as for `make soak`.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
selftests=$(dirname "$here")

# If a makefile runs this script, do not pass its options to the calls of make below.
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

# setting FOLDER NAME: print the value of NAME in the folder's file settings, or nothing.
setting() {
	sed -n "s/^$2=//p" "$selftests/$(folder_of "$1")/settings" 2>/dev/null || :
}

# Print the time limit of a folder's machine in seconds. "machine=N" in the settings of the
# folder overrides the default of 300.
machine_limit() {
	local seconds

	seconds=$(setting "$1" machine)
	seconds=${seconds:-300}
	! $slow || seconds=$((seconds * 4))
	echo "$seconds"
}

# runs_here FOLDER: return 0 if the folder's tests can run on this kernel. "kernel=NAME..."
# in the settings of a folder names the only kernels that have what its tests need.
runs_here() {
	local wants

	wants=$(setting "$1" kernel)
	[[ " ${wants:-$kernel} " = *" $kernel "* ]]
}

# worthwhile FOLDER: print those of the programs on stdin that run on this kernel. A slow
# kernel takes 20 times as long to start a process, so "debug=PROGRAM..." in the settings of
# a folder of shell scripts can name the only programs that run on slow kernels.
worthwhile() {
	local programs

	programs=$(setting "$1" debug)
	if ! $slow || [ -z "$programs" ]; then
		cat
	else
		grep -xF -f <(tr ' ' '\n' <<<"$programs" | sed "/./s/^/$1:/; /^$/d")
	fi
}

# programs FOLDER: print all programs of the folder, each as FOLDER:PROGRAM.
programs() {
	make -s --no-print-directory -C "$selftests" list TARGETS="$1"
}

# folder_lanes FOLDER: print the lanes of the folder: several if "machines=N" is in its
# settings, the kernel is fast and all programs run; otherwise one.
folder_lanes() {
	local machines

	machines=$(setting "$1" machines)
	if $slow || [ "${machines:-1}" = 1 ] || [[ " ${chosen_lanes[*]}" = *" $1:"* ]]; then
		echo "$1"
	else
		seq -f "$1.%g" "$machines"
	fi
}

# by_length FOLDER...: print the lanes of these folders, and the wanted lanes of the host,
# each with its program, or "-" for a folder. The longest lane comes first, so that all
# processors are busy to the end. The settings of a folder have the length of its lanes:
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
	# After an error, continue (-k), because the other programs can still run.
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

# share LANE: print those of the programs on stdin that belong to this lane. With "machines=N"
# in the settings of a folder, its programs are in N lanes, FOLDER.1, FOLDER.2 and so on.
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

	# Folders that test races have "parallel=yes" in their settings, and can have "cpus=N".
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

# Exit codes of run.sh after a failure of the emulator and after a timeout. They do not
# show whether the tests in the machine work.
emulator_failed=123
timed_out=124

# folder_lane LANE: run a lane of a folder in a machine of its own, so that a splat or a
# leak is attributed to this lane.
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

# lane NAME COMMAND...: run a lane. Its last line of output shows that the lane is complete.
lane() {
	local start=$SECONDS

	# A signal goes to the lane and to its command. The lane waits until the command ends.
	trap : INT TERM HUP
	"${@:2}"
	echo "# $1 took $((SECONDS - start)) s"
}

# verdicts LANE: print the verdict on each program in the output of the lane.
verdicts() {
	awk -v kernel="$kernel" -v skips="$here/skips" -v verdicts=1 \
		-f "$here/collect.awk" "$work/$1"
}

# late_programs LANE: print the names of the programs that were late, if nothing else failed.
# If the machine was late, print only its name, which stands for all its programs.
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

# withhold LANE NAME: move the output of the program NAME from the lane's output to a file.
# Move the whole output if NAME is the lane or its machine, or if this is a second try.
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

# uncount_machine LANE: if a program is tried again alone in a further machine, exclude the
# passed check of that machine for splats from the totals.
uncount_machine() {
	[ "$trying" != "$1/machine" ] && grep -qx "# <<< $1/machine 0" "$work/$1" || return 0
	sed -i "\\,^# >>> $1/machine\$,,\\,^# <<< $1/machine 0\$,s/^/# /" "$work/$1"
}

# settle LANE: print the output of the lane, except the output of late programs, which retry
# prints later.
settle() {
	local names name

	mapfile -t names < <(late_programs "$1")
	if [ -n "$trying" ]; then
		uncount_machine "$1"
		# Keep the name of the first try, even if another part was late this time.
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

# ended PROCESS: print the output of the lane that has ended. An incomplete lane is a failure.
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

# Wait until at least one of the running lanes has ended.
await_one() {
	local process before=${#running[@]}

	while [ ${#running[@]} = "$before" ]; do
		wait -n "${!running[@]}" || :
		for process in "${!running[@]}"; do
			kill -0 "$process" 2>/dev/null || ended "$process"
		done
	done
}

# begin LANE COMMAND...: wait until fewer than $jobs lanes run, and start a lane in the
# background.
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

# most_jobs: print the default for JOBS. Lanes wait for a fifth of their time, for timeouts of
# members or for a server, so one more lane than processors runs.
most_jobs() {
	awk -v processors="$(nproc)" -v gibibytes=$machine_memory '
		/^MemAvailable:/ { machines = int($2 / 1024 / 1024 / gibibytes) }
		END {
			jobs = processors + 1
			print machines < 1 ? 1 : machines < jobs ? machines : jobs
		}
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

# chosen FOLDER: print those of the folder's programs on stdin that the command line names;
# all if it names none.
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

# has LINE LINES: return 0 if LINE is one of LINES.
has() {
	grep -qxFe "$1" <<<"$2"
}

# check_lane LANE HOSTS FOLDERS: exit with status 2 if nothing of LANE runs on this kernel.
# Otherwise a run of this lane alone would pass, because its build passes.
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

# wanted_folders: print the folders that the command line names; all if it names no lane.
wanted_folders() {
	local folder

	while read -r folder _; do
		! wanted "$folder" || echo "$folder"
	done <<<"$kselftests"
}

run_lanes() {
	local lane program folders

	folders=$(wanted_folders)
	# Build before other lanes begin, because the build uses all processors.
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

# host_program LANE: print the program of a lane of the host; nothing for another lane.
host_program() {
	awk -v lane="$1" '$1 == lane { print $2 }' <<<"$host_lanes"
}

# lane_again NAME: run the lane of the late program NAME again, with this program alone.
lane_again() {
	local lane=${1%%/*}

	if [ "$lane" = "$1" ]; then
		host_lane "$lane" "$(host_program "$lane")"
		return
	fi
	[ "$1" = "$lane/machine" ] || chosen_lanes=("${1/\//:}")
	folder_lane "$lane"
}

# try_again NAME: run a late program again. Print the output of its first try as comments,
# which are not in the totals.
try_again() {
	trying=$1
	echo "# $1 was late and is tried again, alone; before, it printed:"
	sed 's/^/# late: /' "$(withheld "$1")"
	begin "${1%%/*}" lane_again "$1"
	await_one
}

# retry: run the late programs again, one after the other, until no tries are left. Then
# print the output of the others, which have failed.
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

# finish STATUS: end all lanes and their machines, remove the output, and exit.
finish() {
	local process

	trap - EXIT INT TERM HUP
	# End the collector first, so that an incomplete stream has no totals at its end.
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

	# mawk, the awk of Debian, buffers its input and output without this option.
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
