#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# collect.sh: what collect.awk takes for passed, failed and skipped, what suite.sh tries
# again, which lanes it and which jobs bench.sh and paper.sh refuse, and what .ci/run
# counts. TAP.

here=$(cd "$(dirname "$0")" && pwd -P)
skips=$(mktemp)
suite=$(mktemp -d)
trap 'rm -rf "$skips" "$suite"' EXIT
printf '# a comment\n\ndebug\tsome/.*: all\tbecause\n' >"$skips"
printf 'stock|debug\tsome/program: late\t\tbecause\n' >>"$skips"

number=0
failures=0

# counts PASSED FAILED SKIPPED NAME [LINE...]: what a stream that ends as it should
# comes to, with these lines in it, on the debug kernel.
counts() {
	local wanted="$1 passed, $2 failed, $3 skipped" status=0 name=$4 output expected=0

	shift 4
	number=$((number + 1))
	output=$(printf '%s\n' "$@" | awk -v kernel=debug -v skips="$skips" \
		-f "$here/collect.awk") || status=$?
	[ "${wanted#*, 0 failed}" != "$wanted" ] || expected=1
	if [ "$(tail -n 1 <<<"$output")" = "$wanted" ] && [ $status = $expected ]; then
		echo "ok $number $name"
	else
		echo "not ok $number $name"
		printf '%s\n' "$output" | sed 's/^/# /'
		failures=$((failures + 1))
	fi
}

# A suite whose programs, in each of its folders, are those of the file "programs". Each
# line of the file "machines.FOLDER" is a machine of that folder: its exit status, and a
# word for each program that it is asked to run.
mkdir -p "$suite/harness/vm" "$suite/unit/core"
cp "$here"/suite.sh "$here"/collect.awk "$here"/skips "$suite/harness"
cat >"$suite/Makefile" <<'END'
all:
targets:
	@$(foreach file,$(wildcard machines.*),echo $(file:machines.%=%) $(file:machines.%=kernel/%);)
list:
	@sed 's/^/$(TARGETS):/' programs
END
cat >"$suite/harness/vm/run.sh" <<'END'
#!/bin/bash
cd "$(dirname "$0")/../.." || exit
while [ "${1##*/}" != kselftest.sh ]; do
	shift
done
shift 2
set -- "${@#kernel/}"
folder=${1%%:*}
echo "begin $*" >>journal
read -ra words <"machines.$folder"
sed -i 1d "machines.$folder"
status=${words[0]}
echo "vm: ended with $status" >&2
for program; do
	words=("${words[@]:1}")
	program=${program/:/\/}
	end=1
	printf '%s\n' "# >>> $program" 1..2 'ok 1 one'
	case ${words[0]} in
	passes) printf '%s\n' 'ok 2 two' ; end=0 ;;
	slowly) sleep 2; printf '%s\n' 'ok 2 two' ; end=0 ;;
	fails) echo 'not ok 2 two' ;;
	late) echo 'not ok 2 two # late: 3 s, not 2' ;;
	marked) printf '%s\n' '# late' 'not ok 2 two' ;;
	harness) printf '%s\n' '# two: Test terminated by timeout' 'not ok 2 two' ;;
	limit) end='124 late' ;;
	wrong) printf '%s\n' '# file.c:1:two:Expected 1 (1) == 2 (2)' \
		'# two: Test terminated by timeout' 'not ok 2 two' ;;
	sanitizer) echo 'ERROR: AddressSanitizer: heap-use-after-free'; end='124 late' ;;
	complaint) echo 'not ok 2 two # late'; end=99 ;;
	both) printf '%s\n' 1..3 'not ok 2 two # late' 'not ok 3 three' ;;
	own) end=124 ;;
	skips) echo 'not ok 2 two # SKIP # late' ;;
	*) break ;;
	esac
	echo "# <<< $program $end"
done
echo "end $folder" >>journal
exit "$status"
END
cat >"$suite/unit/core/run.sh" <<'END'
#!/bin/bash
cd "$(dirname "$0")/../.." || exit
read -r word <host
sed -i 1d host
echo 1..1
[ "$word" != passes ] || { echo 'ok 1 one'; exit; }
echo "not ok 1 one # $word"
exit 1
END
chmod +x "$suite/harness/vm/run.sh" "$suite/unit/core/run.sh"

# suite ARGUMENT...: what it prints; the processors of the host do not matter.
suite() {
	: >"$suite/journal"
	JOBS=2 "$suite/harness/suite.sh" "$@" 2>/dev/null
}

# verdict NAME OUTPUT COMMAND...: a result, with the output if the command fails.
verdict() {
	local name=$1 output=$2

	shift 2
	number=$((number + 1))
	if "$@"; then
		echo "ok $number $name"
	else
		echo "not ok $number $name"
		printf '%s\n' "$output" | sed 's/^/# /'
		failures=$((failures + 1))
	fi
}

# ends OUTPUT COUNT UNSTABLE: does it end with this count, and right before it with a line
# for each of these names, and has it none elsewhere?
ends() {
	local name lines=()

	for name in $3; do
		lines+=("unstable: $name")
	done
	[ "$(tail -n $((${#lines[@]} + 1)) <<<"$1")" = "$(printf '%s\n' "${lines[@]}" "$2" |
		sed '/^$/d')" ] && [ "$(grep -c 'unstable: ' <<<"$1")" = ${#lines[@]} ]
}

# comes_to STATUS OUTPUT COUNT UNSTABLE FILE: does it end so, with a status that fits, and
# was each line of the file used?
comes_to() {
	ends "$2" "$3" "$4" && [ ! -s "$5" ] && case $3 in
	*' 0 failed'*) [ "$1" = 0 ] ;;
	*) [ "$1" = 1 ] ;;
	esac
}

# machines PASSED FAILED UNSTABLE NAME MACHINE...: what the suite comes to where a folder
# of these programs has these machines; each of them is needed.
programs='program'
machines() {
	local wanted="$1 passed, $2 failed, 0 skipped" unstable=$3 name=$4 status=0

	shift 4
	# shellcheck disable=SC2086 # a list of names
	printf '%s\n' $programs >"$suite/programs"
	printf '%s\n' "$@" >"$suite/machines.folder"
	last=$(suite --kernel debug) || status=$?
	verdict "$name" "$last" \
		comes_to $status "$last" "$wanted" "$unstable" "$suite/machines.folder"
	rm "$suite/machines.folder"
}

# shows WORDS NAME: was this line in the output of the last machines?
shows() {
	verdict "$2" "$last" grep -q "$1" <<<"$last"
}

# host PASSED FAILED UNSTABLE NAME WORD...: the same for a lane of the host.
host() {
	local wanted="$1 passed, $2 failed, 0 skipped" unstable=$3 name=$4 status=0

	shift 4
	printf '%s\n' "$@" >"$suite/host"
	last=$(suite core) || status=$?
	verdict "$name" "$last" comes_to $status "$last" "$wanted" "$unstable" "$suite/host"
}

# A folder of kselftest.sh's own, on a host whose kernel complains when there is a file
# "complaint".
runner=$suite/runner
mkdir -p "$runner/harness/vm" "$runner/kernel/folder" "$runner/bin"
cp "$here/kselftest.sh" "$runner/harness"
cp "$here/vm/splats" "$runner/harness/vm"
echo timeout=1 >"$runner/kernel/folder/settings"
printf '#!/bin/sh\n[ ! -e "%s/complaint" ] || echo "BUG: not really"\n' "$runner" \
	>"$runner/bin/dmesg"
chmod +x "$runner/bin/dmesg"

# program WANTED NAME COMMANDS: how its end is marked.
program() {
	local output

	rm -f "$runner/complaint"
	printf '#!/bin/sh\n%s\n' "$3" >"$runner/kernel/folder/program"
	chmod +x "$runner/kernel/folder/program"
	output=$(PATH="$runner/bin:$PATH" "$runner/harness/kselftest.sh" stock kernel/folder:program 2>/dev/null)
	verdict "$2" "$output" grep -qx "# <<< folder/program $1" <<<"$output"
}

# refused_by PROGRAM WORDS NAME ARGUMENT...: exit 2 and these words, before anything
# begins.
refused_by() {
	local program=$1 words=$2 name=$3 status=0 output errors

	shift 3
	number=$((number + 1))
	errors=$(mktemp)
	output=$("$here/$program" "$@" 2>"$errors") || status=$?
	if [ "$status:$output" = 2: ] && grep -q "^[a-z]*: $words" "$errors"; then
		echo "ok $number $name"
	else
		echo "not ok $number $name"
		printf '%s\n' "exit $status" "$output" | cat - "$errors" | sed 's/^/# /'
		failures=$((failures + 1))
	fi
	rm -f "$errors"
}

# refused WORDS NAME ARGUMENT...: by suite.sh.
refused() {
	refused_by suite.sh "$@"
}

# A tree whose targets print what is in files of their names, and end with the status in
# NAME.status.
ci=$suite/ci
mkdir -p "$ci/.ci"
cp "$here/../../.ci/run" "$ci/.ci"
cat >"$ci/Makefile" <<'END'
.PHONY: demo test test-debug test-races
demo test test-debug test-races:
	@echo $@ $(DEBUG_KERNEL) $(DEBUG)$(RACES) >>calls; cat $@; test ! -e $@.sleeps || exec sleep 60; \
		exit $$(cat $@.status)
END

# counts_all PASSED FAILED NAME TARGET STATUS LINE...: the last line of .ci/run if this
# target, one of four, ends like this; each run of another target has 2 passed.
# $skipped runs of a target are skipped.
skipped=0
counts_all() {
	local wanted="$1 passed, $2 failed, $skipped skipped" name=$3 target status=0 expected=0

	for target in demo test test-debug test-races; do
		printf '%s\n' 'ok 1 one' '2 passed, 0 failed, 0 skipped' >"$ci/$target"
		echo 0 >"$ci/$target.status"
	done
	echo "$5" >"$ci/$4.status"
	[ "$5" = 0 ] || expected=1
	printf '%s\n' "${@:6}" >"$ci/$4"
	rm -f "$ci/calls"
	last=$("$ci/.ci/run" 2>/dev/null) || status=$?
	verdict "$name" "$last" [ "$(tail -n 1 <<<"$last"):$status" = "$wanted:$expected" ]
}

# soaks STATUS NAME WORDS TARGET...: what soak.sh ends with in that tree.
mkdir -p "$ci/selftests/harness"
cp "$here/soak.sh" "$ci/selftests/harness"
soaks() {
	local expected=$1 name=$2 words=$3 status=0

	last=$("$ci/selftests/harness/soak.sh" "${@:4}" 2>&1) || status=$?
	verdict "$name" "$last" \
		[ "$status:$(tail -n 2 <<<"$last" | sed 's/, [0-9]* s:/:/' | tr '\n' ' ')" = \
		"$expected:$words " ]
}

begin='# >>> some/program'

echo TAP version 13
counts 2 0 0 "a plan, as many results and status 0" \
	"$begin" 'TAP version 13' 1..2 'ok 1 one' 'ok 2 - two' '# <<< some/program 0'
counts 1 1 0 "a result that is not ok" \
	"$begin" 1..2 'ok 1 one' 'not ok 2 two' '# <<< some/program 1'
counts 0 1 0 "no program at all" "# nothing"
counts 1 1 0 "no plan" "$begin" 'ok 1 one' '# <<< some/program 0'
counts 1 1 0 "fewer results than planned" "$begin" 1..2 'ok 1 one' '# <<< some/program 0'
counts 2 1 0 "more results than planned" \
	"$begin" 1..1 'ok 1 one' 'ok 2 two' '# <<< some/program 0'
counts 1 1 0 "a status that is not 0" "$begin" 1..1 'ok 1 one' '# <<< some/program 99'
counts 0 1 0 "a program that breaks off" "$begin" 1..1
counts 1 1 0 "a program that another one follows before its end" \
	"$begin" 1..1 '# >>> other' 1..1 'ok 1 one' '# <<< other 0'
counts 1 0 1 "a skip that is expected" \
	"$begin" 1..2 'ok 1 one' 'ok 2 late # SKIP so' '# <<< some/program 0'
counts 1 1 0 "a skip that is not" \
	"$begin" 1..2 'ok 1 one' 'ok 2 two # SKIP so' '# <<< some/program 0'
counts 0 0 1 "a program that skips all, as expected" \
	"$begin" '1..0 # SKIP so' '# <<< some/program 4'
counts 0 1 0 "a program that skips all, unexpectedly" \
	'# >>> other' '1..0 # SKIP so' '# <<< other 4'
counts 0 1 0 "a program that skips all and fails" \
	"$begin" '1..0 # SKIP so' '# <<< some/program 1'

machines 4 0 '' "a folder that passes" '0 passes'
shows '^ok 4 folder/machine' "... its machine included"
machines 2 2 '' "one whose machine breaks off" 125
shows '^not ok 4 .*exit status is 125$' "... which is final"

machines 4 0 folder/program "what is late passes when it is tried again" '0 late' '0 passes'
shows '^# late: not ok 2 two # late' "... and what it printed before is shown"
machines 4 0 folder/program "what a line before its result marks as late" \
	'0 marked' '0 passes'
machines 4 0 folder/program "what the harness ends" '0 harness' '0 passes'
machines 4 0 folder/program "what the runner ends" '0 limit' '0 passes'
machines 4 0 folder/machine "a machine whose emulator failed" 123 '0 passes'
shows '^# late: vm: ended with 123' "... and what it said is shown"
machines 4 0 folder/machine "a machine whose time was over" 124 '0 passes'
machines 4 0 folder/program "what is late twice may pass the third time" \
	'0 late' '0 late' '0 passes'
machines 3 1 '' "... or is late thrice, and has failed" '0 late' '0 limit' '0 late'
machines 2 2 '' "a machine that is late thrice" 124 123 124
machines 3 1 '' "what is late and fails then" '0 late' '0 fails'
machines 3 1 '' "a machine that is late, and a program that fails then" 124 '0 fails'
machines 4 1 '' "what is late, with a splat when it is tried again" '0 late' '125 passes'

machines 3 1 '' "a wrong result is final" '0 fails'
machines 3 2 '' "... and so it is with one that is late" '0 both'
machines 3 1 '' "... and a wrong value before a time limit" '0 wrong'
machines 3 1 '' "... and a sanitizer's report before one" '0 sanitizer'
machines 3 2 '' "... and a complaint of the kernel" '0 complaint'
machines 2 2 '' "... and a splat in a machine whose program is late" '125 late'
machines 2 2 '' "... and one whose program was ended" '125 limit'
machines 3 1 '' "... and an exit status of its own" '0 own'
machines 3 1 '' "... and a skip" '0 skips'

programs='first second third'
machines 8 0 'folder/first folder/third' "two that are late, each alone" \
	'0 late passes marked' '0 passes' '0 passes'
machines 7 1 'folder/first folder/second' "the third one is not tried again" \
	'0 late late late' '0 passes' '0 passes'
machines 6 2 '' "nothing is where another program of the machine failed" \
	'0 late fails passes'
machines 8 0 folder/machine "a machine that is late, with programs that it did not come to" \
	'124 passes late' '0 passes passes passes'
machines 5 3 '' "... unless one of them has failed" '124 fails passes'

programs=program
echo program >"$suite/programs"
echo '0 slowly' >"$suite/machines.other"
printf '%s\n' '0 late' '0 passes' >"$suite/machines.folder"
last=$(suite --kernel debug)
verdict "what is late in one of two folders" "$last" \
	ends "$last" "7 passed, 0 failed, 0 skipped" folder/program
journal=$(cat "$suite/journal")
verdict "... is tried again when the other one has ended" "$journal" \
	[ "$(tail -n 3 <<<"$journal" | tr '\n' ' ')" = 'end other begin folder:program end folder ' ]
rm "$suite"/machines.*

host 1 0 '' "a lane of the host" passes
host 1 0 core "one that is late" late passes
host 0 1 '' "one that fails" fails
host 0 1 '' "one that is late thrice" late late late

program 0 "a program that ends in time" 'exit 0'
program '124 late' "one whose time is over" 'exec sleep 10'
program '137 late' "... and that has to be killed" 'trap "" TERM; while :; do sleep 0.1; done'
program 124 "one with such an exit status of its own" 'exit 124'
program 137 "one that another one kills" 'kill -9 $$'
program 99 "one of which the kernel complains" "touch $runner/complaint; exit 0"
program 99 "... whatever its exit status" "touch $runner/complaint; exit 1"
program 99 "... even if its time is over" "touch $runner/complaint; exec sleep 10"

counts_all 9 0 "the demonstration and four runs of the suite, added up" demo 0 dropped
verdict "... in that order, the last three in part" "$(cat "$ci/calls")" \
	grep -qzE '^demo.test.test-debug uml-debug [^ ].*test-debug [^u].*test-races [^ ]' \
	"$ci/calls"
counts_all 8 1 "a demonstration that fails" demo 1 passed
shows '^# make demo: passed$' "... is shown once more"
counts_all 7 2 "a run with a failure" test-debug 1 'not ok 1 one' \
	'1 passed, 1 failed, 0 skipped'
shows '^# make test-debug: not ok 1 one$' "... which is shown once more"
counts_all 7 1 "a run that breaks off" test-races 1 'ok 1 one'
skipped=2
export KCUCKOO_CI_SECONDS=1600
counts_all 5 0 "targets for which no time is left are skipped" demo 0 dropped
verdict "... and not run" "$(cat "$ci/calls")" [ "$(wc -l <"$ci/calls")" = 3 ]
shows '^# make test-races: skipped, [0-9]* s of 1600 are left and it takes up to 1700$' \
	"... and named"
touch "$ci/test.sleeps"
skipped=3
export KCUCKOO_CI_SECONDS=5
counts_all 1 1 "a target that does not end in the time of the run has failed" test 1 'ok 1 one'
shows '^# make test: not ok - make test did not end before the 5 s of the run were over$' \
	"... and is named"
rm "$ci/test.sleeps"
skipped=0
unset KCUCKOO_CI_SECONDS
counts_all 9 0 "what was unstable" test 0 \
	'# some/program was late and is tried again, alone; before, it printed:' \
	'# late: not ok 1 one # late' 'ok 1 one' 1..1 'unstable: some/program' \
	'2 passed, 0 failed, 0 skipped'
shows '^# make test: # late: not ok 1 one' "... is shown once more, with what it printed before"
shows '^# make test: ok 1 one' "... and then"
verdict "... and its name right before the count" "$last" \
	[ "$(tail -n 2 <<<"$last" | head -n 1)" = 'unstable: some/program' ]

counts_all 8 1 "a run that soak.sh makes, too, and that fails" test 1 '1 passed, 1 failed, 0 skipped'
soaks 1 "a target of it that fails stops no other" \
	'FAILED: test: 1 passed, 1 failed, 0 skipped passed: test-races: 2 passed, 0 failed, 0 skipped' \
	test test-races
soaks 0 "those that pass" \
	'passed: test-debug: 2 passed, 0 failed, 0 skipped passed: test-races: 2 passed, 0 failed, 0 skipped' \
	test-debug test-races
soaks 2 "a target that it does not have" "soak: no target 'typo'" test typo

refused "no lane 'typo'" "a lane that does not exist" typo
refused "no lane 'typo'" "... beside one that does" collect typo
refused "no lane 'collect:typo'" "a program of a lane without any" collect:typo
refused "no lane 'typo:batch'" "a program of no folder" typo:batch
refused "no lane ''" "a name without letters" ''
refused "no program 'device:typo'" "a program that does not exist" device:typo
refused "no program 'device:.*'" "a pattern" 'device:.*'
refused "nothing of 'collect' runs on kernel debug" "a lane of the host on another kernel" \
	--kernel debug collect
refused "nothing of 'fault' runs on kernel stock" "a folder for another kernel" fault
refused "nothing of 'fault:rule' runs on kernel stock" "... and one of its programs" fault:rule
refused "nothing of 'fuzz:ioctl' runs on kernel stock" "... beside a lane of its name" fuzz:ioctl
refused "nothing of 'cli:json.sh' runs on kernel debug" "a program that is too slow there" \
	--kernel debug cli:json.sh

refused_by ../bench/bench.sh "no job 'typo'" "a job of bench.sh that does not exist" typo
refused_by ../bench/bench.sh "no job 'typo'" "... beside one that does" core typo
refused_by ../paper/paper.sh "no job 'typo'" "a job of paper.sh that does not exist" typo
refused_by ../paper/paper.sh "no job 'typo'" "... beside one that does" lines typo
echo "1..$number"
[ $failures = 0 ]
