#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The log store: what was imported is exported, every answer is definite.

cd "$(dirname "$0")" || exit 1
# shellcheck source=selftests/tools/examples/program.sh
. ./program.sh

log=$scratch/log
text=$scratch/text
tracing=/sys/kernel/tracing

logstore() {
	run logstore "$@"
}

# import FILE [OPTION...]: into a new log.
import() {
	local file=$1

	shift
	rm -f "$log"
	logstore "$@" import "$log" "$file"
	status_is 0
}

# The figures of the log and its filter, as they are now.
stats() {
	logstore stats "$log"
	status_is 0
	cp "$scratch/out" "$scratch/stats"
}

# figure NAME: print one of them.
figure() {
	awk -v name="$1" 'index($0, name " ") == 1 { print $NF }' "$scratch/stats"
}

# figures_are NAME NUMBER...: of the log as it is now.
figures_are() {
	local value

	stats
	while [ $# -gt 0 ]; do
		value=$(figure "$1")
		[ "$value" = "$2" ] || complain "$1 of the log: $value, not $2"
		shift 2
	done
}

exported_is() {
	logstore export "$log"
	status_is 0
	out_is_file "$1"
}

# program_text LINES: like a program, with many equal lines; two in five differ.
program_text() {
	awk -v lines="$1" 'BEGIN {
		for (i = 0; i < lines; i++) {
			r = i * 7919 % 50021
			if (i % 5 == 0)
				print ""
			else if (i % 5 == 1)
				print "}"
			else if (i % 5 == 2)
				print "\treturn " r % 300 ";"
			else
				print "\tcall(" r ", " i % 7 ");"
		}
	}'
}

test_round_trip() { # many lines, many of them equal: exported as they were
	local lines distinct

	lines=$(choose 50000 2000)
	program_text "$lines" >"$text"
	distinct=$(sort -u "$text" | wc -l)
	import "$text"
	err_has "$lines lines imported, $((lines - distinct)) of them"
	exported_is "$text"
	# Entries of the filter: the two marks, too.
	figures_are lines "$lines" distinct "$distinct" entries $((distinct + 2))
}

test_growth() { # the filter doubles without the keys, and loses none
	local lines doublings

	lines=$(choose 12000 2500)
	seq "$lines" >"$text"
	# Much smaller parts may load so unevenly that the filter is built anew.
	import "$text" -c 1000
	exported_is "$text"
	stats
	doublings=$(figure doublings)
	# From 1000 to so many: at least this often.
	[ "$doublings" -ge "$(choose 4 2)" ] || complain "$doublings doublings"
	k info "$(figure filter)"
	[[ $out == *"doubled"*"$doublings times"* ]] ||
		complain "the command does not tell of $doublings doublings: $out"
}

test_binary() { # lines of any bytes and of any length
	{
		head -c "$(choose 1000000 50000)" /dev/urandom
		head -c 100000 /dev/zero
		printf '\n\r\n\0\n'
		head -c 5000 /dev/urandom
		printf x
	} >"$text"
	import "$text"
	exported_is "$text"
}

test_ends() { # short files, with and without a last newline
	local content

	for content in '' a 'a\n' '\n' '\n\n' 'a\n\nb' '\0' '\0\n\0' 'a\r\n' 'a\na'; do
		# shellcheck disable=SC2059 # escapes are meant
		printf "$content" >"$text"
		import "$text"
		exported_is "$text"
	done
}

test_appended() { # two imports: what cat would make of the files
	printf 'a\nb\nlast' >"$text"
	import "$text"
	logstore import "$log" - < <(printf 'b\nc\n')
	status_is 0
	err_has '2 lines imported, 1 of them'
	printf 'a\nb\nlastb\nc\n' >"$scratch/both"
	exported_is "$scratch/both"
}

test_answers() { # present, deleted, absent: and present again
	local key

	printf 'one\ntwo\none\n' >"$text"
	import "$text"
	key=$(printf one | sha1sum | cut -d ' ' -f 1)
	logstore get "$log" "$key"
	status_is 0
	out_is one
	err_is_empty
	logstore delete "$log" "$key"
	status_is 0
	logstore get "$log" "$key"
	status_is 1
	out_is ''
	err_has "$key: deleted"
	logstore -l get "$log" one two three
	status_is 1
	out_is two
	err_has 'one: deleted' 'three: absent'
	logstore -l delete "$log" one three
	status_is 1
	err_has 'one: deleted' 'three: absent'
	logstore export "$log"
	out_is two
	figures_are distinct 1 deleted 1

	logstore put "$log" one
	status_is 0
	out_is "$key"
	logstore get "$log" "$key"
	status_is 0
	out_is one
	logstore export "$log"
	out_is $'two\none'
	logstore list "$log"
	out_is "$(printf two | sha1sum | cut -d ' ' -f 1) 1 3
$key 1 3"
}

test_equal_lines() { # far more than the copies that a filter takes: one entry
	local count

	count=$(choose 5000 1000)
	{
		echo first
		yes equal | head -n "$count"
		echo last
	} >"$text"
	import "$text"
	exported_is "$text"
	figures_are lines $((count + 2)) entries 5
	logstore list "$log"
	[[ $out == *" $count 5"* ]] || complain "no $count in: $out"
	logstore -l delete "$log" equal
	status_is 0
	logstore export "$log"
	out_is $'first\nlast'
	figures_are lines 2 deleted 1 entries 5
}

test_twins() { # short fingerprints: the log tells who is meant
	local count

	count=$(choose 5000 2000)
	seq "$count" >"$text"
	import "$text" -b 8 -c "$count"
	exported_is "$text"
	stats
	[ "$(figure twins)" -gt 0 ] || complain "no two lines share a fingerprint"
	# shellcheck disable=SC2046 # words are meant
	logstore -l get "$log" $(seq -f 'x%.0f' 1000)
	status_is 1
	out_is ''
	[ "$(grep -c ': absent' "$scratch/err")" = 1000 ] ||
		complain "not all of 1000 lines are absent"
	# shellcheck disable=SC2046 # words are meant
	logstore -l delete "$log" $(seq 1 2 "$count" | head -n 500)
	status_is 0
	awk 'NR > 1000 || NR % 2 == 0' "$text" >"$scratch/rest"
	exported_is "$scratch/rest"
}

test_full() { # a filter that cannot double any more is built anew from the log
	seq 6000 >"$text"
	import "$text" -b 8 -c 64
	exported_is "$text"
	figures_are distinct 6000
}

test_lost_filter() { # destroyed: the next command builds it from the log
	printf 'one\ntwo\none\n' >"$text"
	import "$text"
	logstore -l delete "$log" two
	logstore put "$log" three
	stats
	k destroy "$(figure filter)"
	status_is 0
	logstore -l get "$log" one two three
	status_is 1
	out_is $'one\nthree'
	err_has 'two: deleted'
	figures_are entries 5
}

test_older_log() { # an older log, or an older filter: built anew
	printf 'one\n' >"$text"
	import "$text"
	cp "$log" "$scratch/copy"
	logstore put "$log" two
	cp "$log" "$scratch/newer"
	cp "$scratch/copy" "$log"
	logstore -l get "$log" one two
	out_is one
	err_has 'two: absent'
	cp "$scratch/newer" "$log"
	logstore -l get "$log" one two
	out_is $'one\ntwo'
	cp "$scratch/copy" "$log"
	# A copy that went on in another way, to the same length.
	logstore put "$log" two
	logstore put "$scratch/copy" six
	logstore -l get "$log" two six
	out_is two
	err_has 'six: absent'
	logstore -l get "$scratch/copy" two six
	out_is six
	err_has 'two: absent'
}

# Import $text into a new log, as process $pid, which waits for more on descriptor 7.
import_some() {
	rm -f "$log" "$scratch/pipe"
	mkfifo "$scratch/pipe"
	"$build/logstore" import "$log" "$scratch/pipe" 2>/dev/null &
	pid=$!
	exec 7>"$scratch/pipe"
	cat "$text" >&7
	# A line has a unit of its own, with zeroes behind it.
	until [ "$(tail -c 16 "$log" 2>/dev/null | tr -d '\0')" = "$(tail -n 1 "$text")" ]; do
		sleep 0.1
	done
}

test_killed() { # an import that was killed: all lines that are in the log are there
	local pid

	seq 3000 >"$text"
	import_some
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	exec 7>&-
	exported_is "$text"
	# What comes next is in order, as the log alone says, too.
	logstore put "$log" more
	echo more >>"$text"
	figures_are entries 3003
	k destroy "$(figure filter)"
	exported_is "$text"
}

test_torn() { # a record that was not written to its end is cut off
	printf 'one\ntwo\n%0500d\n' 3 >"$text"
	import "$text"
	truncate -s -5 "$log"
	logstore export "$log"
	status_is 0
	out_is $'one\ntwo'
	err_has 'the last record is incomplete'
	logstore put "$log" four
	logstore export "$log"
	err_is_empty
	out_is $'one\ntwo\nfour'
	stats
	k destroy "$(figure filter)"
	logstore export "$log"
	err_is_empty
	out_is $'one\ntwo\nfour'
}

# flip BYTE: change a byte of the log.
flip() {
	printf '\377' | dd of="$log" bs=1 seek="$1" conv=notrunc status=none
}

test_damaged() { # changed bytes are found, and told
	printf 'one\ntwo\nthree\n' >"$text"
	import "$text"
	# Behind the head of 32 bytes each line takes 48 bytes and 16 for itself.
	flip $((32 + 64 + 48))
	logstore export "$log"
	status_is 2
	err_has "key $(printf two | sha1sum | cut -d ' ' -f 1) is damaged"
	logstore -l get "$log" one
	status_is 0

	# The length of a line.
	import "$text"
	flip $((32 + 64 + 7))
	logstore export "$log"
	status_is 2
	err_has "damaged at byte $((32 + 64))"

	# A number that only the checksum vouches for, and only when all is read.
	import "$text"
	stats
	k destroy "$(figure filter)"
	flip $((32 + 64 + 16))
	logstore export "$log"
	status_is 2
	err_has "damaged at byte $((32 + 64))"
}

test_moves() { # the tracepoints tell of every relocation and doubling
	local events=$tracing/events/kcuckoo moves doublings

	mountpoint -q "$tracing" || mount -t tracefs tracefs "$tracing"
	echo 16384 >"$tracing/buffer_size_kb"
	: >"$tracing/trace"
	echo 1 >"$events/enable"
	seq "$(choose 8000 3000)" >"$text"
	import "$text" -c 1000
	echo 0 >"$events/enable"
	moves=$(grep -c 'kcuckoo_move: filter=[^ ]* layer=[0-9]* from=' "$tracing/trace")
	doublings=$(grep -c 'kcuckoo_resize:' "$tracing/trace")
	: >"$tracing/trace"
	echo 1024 >"$tracing/buffer_size_kb"
	[ "$moves" -gt 100 ] || complain "only $moves moves"
	figures_are moves "$moves" doublings "$doublings"
}

test_two_at_once() { # who changes the log waits for who does already
	local pid other

	seq 100 >"$text"
	import_some
	"$build/logstore" put "$log" other >"$scratch/key" 7>&- &
	other=$!
	sleep "$(slow && echo 5 || echo 1)"
	[ ! -s "$scratch/key" ] || complain "a line was put while others were imported"
	echo 101 >&7
	exec 7>&-
	wait "$pid" "$other"
	{
		seq 101
		echo other
	} >"$text"
	exported_is "$text"
}

test_equal_keys() { # different lines with one key: told apart by their bytes
	local i

	for i in 1 2 3 4 5 6 7 8; do
		printf 'aaaa%d\nbbbb%d\naaaa%d\n' $i $i $i
	done >"$text"
	rm -f "$log"
	run weak import "$log" "$text"
	status_is 0
	run weak export "$log"
	out_is_file "$text"
	run weak -l delete "$log" aaaa3
	status_is 0
	run weak -l get "$log" aaaa3 aaaa4 bbbb3 aaaa
	status_is 1
	out_is $'aaaa4\nbbbb3'
	err_has 'aaaa3: deleted' 'aaaa: absent'
	# A ninth is one too many, for which the filter has no room.
	run weak put "$log" cccc aaaa9 dddd
	status_is 2
	out_is "$(printf 'cccc' | od -An -tx1 | tr -d ' ')$(printf '0%.0s' {1..32})"
	err_has 'more than 8 different lines have one key'
	run weak -l get "$log" cccc aaaa1 aaaa8
	status_is 0
	run weak -l get "$log" aaaa9 dddd
	status_is 1
	out_is ''
}

test_refused() { # what is wrong is told, and exit 2
	logstore export "$scratch/none"
	refused "$scratch/none: No such file"
	seq 100 >"$text"
	logstore export "$text"
	refused "$text: this is not a log"
	: >"$text"
	logstore import "$text" "$text"
	refused "$text: this is not a log"
	rm -f "$log"
	logstore import "$log" "$scratch/none"
	refused "$scratch/none: No such file"
	[ ! -e "$log" ] || complain "a log was made in spite of an error"
	logstore put "$log" one
	logstore get "$log" one
	refused "'one' is not a key" '40 hexadecimal digits'
	logstore -b 7 import "$log" "$text"
	refused "BITS is a number from 8 to 32, not '7'"
	logstore import "$log" "$scratch"
	refused "cannot read $scratch: Is a directory"
	mv /dev/kcuckoo /dev/kcuckoo.away
	logstore stats "$log"
	refused "the module kcuckoo is not loaded: 'modprobe kcuckoo' loads it"
	mv /dev/kcuckoo.away /dev/kcuckoo
	logstore get "$log"
	refused 'usage:'
	logstore frob "$log"
	refused 'usage:'
}

main "$0"
