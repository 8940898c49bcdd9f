#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# collect.sh: what collect.awk takes for passed, failed and skipped, when suite.sh runs a
# folder once more, and which lanes it and which jobs bench.sh and paper.sh refuse. TAP.

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

# A suite of one folder with one program, whose machines end as the file "statuses" says.
mkdir "$suite/vm"
cp "$here"/suite.sh "$here"/collect.awk "$here"/skips "$suite"
cat >"$suite/Makefile" <<'END'
all:
targets:
	@echo folder
list:
	@echo folder:program
END
cat >"$suite/vm/run.sh" <<'END'
#!/bin/bash
cd "$(dirname "$0")/.." || exit
read -r status <statuses
sed -i 1d statuses
echo "vm: ended with $status" >&2
printf '%s\n' '# >>> folder/program' 1..2 'ok 1 one'
[ "$status" = 0 ] || exit "$status"
printf '%s\n' 'ok 2 two' '# <<< folder/program 0'
END
chmod +x "$suite/vm/run.sh"

# machines PASSED FAILED WORDS NAME STATUS...: what the suite comes to, and says, where
# the machines end so; each of them is needed.
machines() {
	local wanted="$1 passed, $2 failed, 0 skipped" words=$3 name=$4 output

	shift 4
	number=$((number + 1))
	printf '%s\n' "$@" >"$suite/statuses"
	output=$("$suite/suite.sh" --kernel debug 2>/dev/null)
	if [ "$(tail -n 1 <<<"$output")" = "$wanted" ] && grep -q "$words" <<<"$output" &&
		[ ! -s "$suite/statuses" ]; then
		echo "ok $number $name"
	else
		echo "not ok $number $name"
		printf '%s\n' "$output" | sed 's/^/# /'
		failures=$((failures + 1))
	fi
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

machines 4 0 '^ok 4 folder/machine' "a folder that passes" 0
machines 2 2 'exit status is 125' "one whose machine breaks off" 125
machines 4 0 '^# first: ended with 123' "one whose emulator failed runs once more" 123 0
machines 2 2 'exit status is 125' "... and may fail then" 123 125
machines 2 2 'exit status is 123' "... by the emulator, too" 123 123

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

refused_by bench/bench.sh "no job 'typo'" "a job of bench.sh that does not exist" typo
refused_by bench/bench.sh "no job 'typo'" "... beside one that does" core typo
refused_by bench/paper.sh "no job 'typo'" "a job of paper.sh that does not exist" typo
refused_by bench/paper.sh "no job 'typo'" "... beside one that does" lines typo
echo "1..$number"
[ $failures = 0 ]
