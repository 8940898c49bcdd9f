#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Values and timeouts of keys: set, told, changed, dumped and loaded.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

# The members with their values; the seconds left change while a test runs.
values_are() {
	k list bl
	status_is 0
	out=$(sed 's/ timeout .*//' "$scratch/out")
	out_is "$(printf '%s\n' "$@")"
}

test_values() { # of an exact filter: set at add, told by test and list
	k create bl value 8
	err_has 'values of 8 bits'
	k -q add bl 192.0.2.0/24 --value 7
	k -q add bl --value 0xff 192.0.2.9
	k -q add bl 2001:db8::1
	status_is 0
	values_are '192.0.2.0/24 value 7' '192.0.2.9 value 255' \
		'2001:db8::1 value 0'
	k test bl 192.0.2.1 192.0.2.0/24 2001:db8::1 2001:db8::2
	status_is 1
	out_is $'1 192.0.2.1\t192.0.2.0/24 value 7
1 192.0.2.0/24\t192.0.2.0/24 value 7
1 2001:db8::1\t2001:db8::1 value 0
0 2001:db8::2'
	k test bl 192.0.2.1 192.0.2.9 --exact
	out_is $'0 192.0.2.1\n1 192.0.2.9 value 255'
	k -q add bl 192.0.2.9 --value 1
	values_are '192.0.2.0/24 value 7' '192.0.2.9 value 1' \
		'2001:db8::1 value 0'
	k -q add bl 192.0.2.9
	k -q add bl 192.0.2.9 --absent --value 8
	values_are '192.0.2.0/24 value 7' '192.0.2.9 value 1' \
		'2001:db8::1 value 0'
}

test_value_refused() { # too large, or of a filter without values
	k -q create bl value 4
	k add bl 192.0.2.1 --value 16
	refused '--value 16' '4 bits' 'at most 15'
	k add bl 192.0.2.1 --value x
	refused "--value 'x'"
	k add bl 192.0.2.1 --value
	refused '--value needs'
	k -q create plain
	k add plain 192.0.2.1 --value 3
	refused '--value' 'no values' 'value BITS'
	k add plain 192.0.2.1 --timeout 3
	refused '--timeout' 'never expire'
	k update plain 192.0.2.1 --value 3
	refused 'no values'
	k info bl --value 3
	refused "'info' has no option --value"
}

test_no_value() { # a key without a value keeps its own, whatever stands around it
	k -q create bl value 8
	k -q add bl 192.0.2.2 192.0.2.3 192.0.2.5 2001:db8::2 --value 5
	cat >"$scratch/list" <<-'END'
		192.0.2.1 value 7
		192.0.2.2
		192.0.2.3 value 9
		192.0.2.4
		192.0.2.5 value 1
		192.0.2.5
		192.0.2.6 value 1
		192.0.2.6 value 2
		192.0.2.6
		192.0.2.8-192.0.2.11 value 3
		2001:db8::1 value 8
		2001:db8::2
	END
	k add bl -f "$scratch/list"
	status_is 0
	err_has '5 added' '7 already members' '9 members now'
	values_are '192.0.2.1 value 7' '192.0.2.2 value 5' '192.0.2.3 value 9' \
		'192.0.2.4 value 0' '192.0.2.5 value 1' '192.0.2.6 value 2' \
		'192.0.2.8/30 value 3' '2001:db8::1 value 8' '2001:db8::2 value 5'
	k flush bl
	k -q add bl 192.0.2.2 192.0.2.3 --value 5
	k load bl "$scratch/list"
	err_has '7 added' '5 already members'
	k test bl 192.0.2.2 192.0.2.4 192.0.2.5
	out_is $'1 192.0.2.2\t192.0.2.2 value 5
1 192.0.2.4\t192.0.2.4 value 0
1 192.0.2.5\t192.0.2.5 value 1'
}

test_first_value() { # with --absent the first line of a key counts, with a value or not
	k -q create bl value 8
	k -q add bl 192.0.2.1 192.0.2.2 --value 5
	printf '192.0.2.%s\n' '1 value 7' 2 3 '3 value 7' '4 value 7' 4 \
		>"$scratch/list"
	k add bl --absent -f "$scratch/list"
	status_is 0
	err_has '2 added' '4 already members'
	values_are '192.0.2.1 value 5' '192.0.2.2 value 5' '192.0.2.3 value 0' \
		'192.0.2.4 value 7'
}

test_every_other_value() { # of 200,000 keys: each has its own, told or kept
	awk 'BEGIN { for (i = 0; i < 200000; i++)
		printf "10.%d.%d.%d\n", i / 65536, i / 256 % 256, i % 256 }' \
		>"$scratch/keys"
	k -q create bl value 8
	k -q load bl "$scratch/keys" --value 5
	awk 'NR % 2 { $0 = $0 " value 7" } 1' "$scratch/keys" >"$scratch/list"
	k load bl "$scratch/list"
	status_is 0
	err_has '0 added' '200000 already members'
	k list bl
	awk '{ print $0, "value", NR % 2 ? 7 : 5 }' "$scratch/keys" |
		cmp - "$scratch/out" || complain "other values"
}

test_stopped() { # an error names the number of members that an add can have changed
	printf '192.0.2.%d value 7\n' 1 2 3 >"$scratch/list"
	k -q create bl value 8 capacity 2
	k -q add bl 192.0.2.1 192.0.2.2
	k load bl "$scratch/list"
	refused "'bl' is full" 'at most 2 members were given a new value or timeout' \
		'0 of 3 keys were added'
	err_has_not 'nothing was'
	values_are '192.0.2.1 value 7' '192.0.2.2 value 7'
	k add bl --value 8 192.0.2.1 192.0.2.3
	refused 'at most 1 member was given a new value or timeout' '0 of 2 keys were added'
	values_are '192.0.2.1 value 8' '192.0.2.2 value 7'
	k add bl --value 9 --absent 192.0.2.1 192.0.2.3
	refused 'nothing was added'
	k add bl 192.0.2.1 192.0.2.3
	refused 'nothing was added'
	values_are '192.0.2.1 value 8' '192.0.2.2 value 7'
	k -q create short timeout 1m capacity 1
	k -q add short 192.0.2.1
	k add short --timeout 1h 192.0.2.1 192.0.2.2
	refused 'at most 1 member was given' '0 of 2 keys were added'
	# A shorter timeout changes nothing.
	k add short --timeout 1m 192.0.2.1 192.0.2.2
	refused 'at most 1 member was given' '0 of 2 keys were added'
}

test_late_value() { # in a long list, far after keys without one
	local i

	{
		echo 192.0.2.2
		for ((i = 1; i <= 6000 / 32; i++)); do
			printf '%x::1-ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe\n' "$i"
		done
		printf '192.0.2.1 value 7\n192.0.2.3\n'
	} >"$scratch/list"
	k -q create bl value 8
	k -q add bl 192.0.2.2 192.0.2.3 --value 5
	# The command, but it keeps a 32nd of the keys in memory.
	./few -v load bl "$scratch/list" 2>"$scratch/err"
	status=$?
	err=$(<"$scratch/err")
	last='kcuckoo load of a long list'
	status_is 0
	err_has 'keeping them in a temporary file'
	k test bl 192.0.2.1 192.0.2.2 192.0.2.3
	out_is $'1 192.0.2.1\t192.0.2.1 value 7
1 192.0.2.2\t192.0.2.2 value 5
1 192.0.2.3\t192.0.2.3 value 5'
}

test_update() { # changes a value in place
	k -q create bl value 16
	k -q add bl 192.0.2.1 192.0.2.2 --value 5
	k update bl 192.0.2.1 192.0.2.9 --value 6
	status_is 0
	err_has '1 updated' '1 not a member'
	k update bl 192.0.2.1 192.0.2.2 --old 5 --value 7
	err_has '1 updated' '1 not a member with the value of --old'
	values_are '192.0.2.1 value 6' '192.0.2.2 value 7'
	k update bl 192.0.2.1
	refused 'give the new value' "'bl' with --value"
	k update bl --strict 192.0.2.1 192.0.2.2 --old 6 --value 1
	refused 'with the value of --old: 192.0.2.2' 'nothing was changed'
	printf '192.0.2.1 value 100 # x\n192.0.2.2 value 200\n' >"$scratch/list"
	k update bl -f "$scratch/list"
	status_is 0
	err_has '2 updated'
	printf '192.0.2.1\n' >"$scratch/list"
	k update bl -f "$scratch/list"
	refused "$scratch/list:1: " 'the key has no value'
	values_are '192.0.2.1 value 100' '192.0.2.2 value 200'
}

test_timeout_first() { # a list's values are found behind timeouts, too
	k -q create bl value 16 timeout 1d
	k -q add bl 192.0.2.1 192.0.2.2 192.0.2.3 --value 5
	cat >"$scratch/list" <<-'END'
		192.0.2.1 timeout 2h value 7
		192.0.2.2 value 8 timeout 2h
	END
	k update bl -f "$scratch/list" --value 9
	status_is 0
	err_has '2 updated'
	values_are '192.0.2.1 value 7' '192.0.2.2 value 8' '192.0.2.3 value 5'
	k del bl -f "$scratch/list" --value 5
	status_is 0
	err_has '2 deleted'
	values_are '192.0.2.3 value 5'
	printf '192.0.2.3 timeout 11y value 7\n' >"$scratch/list"
	k update bl -f "$scratch/list"
	refused "$scratch/list:1: " 'a time is at most ten years'
}

test_del_value() { # only keys that have it
	k -q create bl value 8
	k -q add bl 192.0.2.1 192.0.2.2 --value 5
	k del bl 192.0.2.1 --value 6
	status_is 0
	err_has '0 deleted' '1 not a member'
	k del bl --strict 192.0.2.1 --value 6
	refused 'with the given value'
	k del bl 192.0.2.1 --value 5
	err_has '1 deleted'
	k del bl 192.0.2.2
	err_has '1 deleted'
}

test_fingerprint_values() { # of byte strings: all of a key, and the old one named
	k -q create bl type bytes capacity 1000 bits 32 value 8
	k -q add bl foo --value 1
	k -q add bl foo --value 200
	k test bl foo bar
	out_is $'1 foo value 1,200\n0 bar'
	k del bl foo
	refused '--value' 'distinguishes'
	k update bl foo --value 3
	refused '--old' 'distinguishes'
	printf 'foo\n' >"$scratch/list"
	k del bl -f "$scratch/list"
	refused '--value' 'distinguishes'
	k update bl -f "$scratch/list" --old 1
	refused '--value'
	k update bl foo --old 1 --value 3
	err_has '1 updated'
	k del bl foo --value 200
	err_has '1 deleted'
	k test bl foo
	out_is '1 foo value 3'
	k del bl foo --value 200
	err_has '0 deleted'
}

# In time, or did the commands since $start take longer than keys with a timeout of
# $1 seconds live for sure? Then they have to be run again, with a longer one.
in_time() {
	[ $((SECONDS - start)) -lt "$1" ] || [ "$1" -ge 60 ]
}

test_timeouts() { # expired keys are out at once; the filter's own or per key
	local life start

	for life in 2 8 60; do
		k create bl timeout $life
		err_has "expire after $life s"
		start=$SECONDS
		k -q add bl 192.0.2.1
		k -q add bl 192.0.2.2 --timeout 1h
		k -q add bl 192.0.2.3 --timeout 0
		k test bl 192.0.2.1 192.0.2.2 192.0.2.3
		in_time $life && break
		k destroy bl
	done
	status_is 0
	sleep $((life + 1)).1
	k test bl 192.0.2.1 192.0.2.2 192.0.2.3
	status_is 1
	out_is $'0 192.0.2.1\n1 192.0.2.2\t192.0.2.2\n1 192.0.2.3\t192.0.2.3'
	k list bl
	[[ $out =~ ^192.0.2.2\ timeout\ 3[45][0-9]{2}$'\n'192.0.2.3\ timeout\ 0$ ]] ||
		complain "list: $out"
	k add bl 192.0.2.1 --timeout 11y
	refused "--timeout '11y'"
	k add bl 192.0.2.1 --timeout 0x1d
	refused "--timeout '0x1d'"
}

test_renewal() { # adding again renews, and never shortens
	k -q create bl timeout 0
	k info bl
	[[ $out == *"timeout       keys expire only if added with one; 0 members have one"* ]] ||
		complain "info: $out"
	k -q add bl 192.0.2.1 --timeout 100
	k -q add bl 192.0.2.1 --timeout 1000
	k list bl
	[[ $out =~ timeout\ (9..|1000)$ ]] || complain "list: $out"
	k -q add bl 192.0.2.1 --timeout 10
	k list bl
	[[ $out =~ timeout\ (9..|1000)$ ]] || complain "list: $out"
	k -q add bl 192.0.2.1
	k list bl
	out_is '192.0.2.1 timeout 0'
}

test_fingerprint_timeouts() { # of byte strings, insert-only
	local life start

	for life in 2 8 60; do
		k -q create bl type bytes capacity 1000 bits 32 insert-only \
			timeout $life
		start=$SECONDS
		k -q add bl foo
		k -q add bl bar --timeout 1h
		k test bl foo bar
		in_time $life && break
		k destroy bl
	done
	status_is 0
	sleep $((life + 1)).1
	k test bl foo bar
	out_is $'0 foo\n1 bar'
	k info bl
	[[ $out == *"timeout       $life s"* ]] || complain "info: $out"
}

test_round_trip() { # a dump is loaded back as it was
	k -q create bl value 32 timeout 1d
	cat >"$scratch/list" <<-'END'
		192.0.2.0/24 value 7 timeout 100000
		192.0.2.1 value 4294967295 timeout 0
		192.0.2.2
		192.0.2.3 timeout 2h # x
		192.0.2.8-192.0.2.11 value 0x10
		2001:db8::/32 value 3, other columns
	END
	k load bl "$scratch/list" --value 9
	status_is 0
	err_has '6 added' '0 bad lines'
	values_are '192.0.2.0/24 value 7' '192.0.2.1 value 4294967295' \
		'192.0.2.2 value 9' '192.0.2.3 value 9' \
		'192.0.2.8/30 value 16' '2001:db8::/32 value 3'
	k list bl
	cp "$scratch/out" "$scratch/dump"
	k -q create copy like bl
	k load copy "$scratch/dump"
	status_is 0
	k compare bl copy
	status_is 0
	k list copy
	diff <(sed 's/ timeout [1-9].*//' "$scratch/dump") \
		<(sed 's/ timeout [1-9].*//' "$scratch/out") ||
		complain "the dump of the copy is another"
}

test_bad_notes() { # are bad lines here, and columns where there are no values
	printf '192.0.2.1 value 16\n192.0.2.2 value x\n192.0.2.3 timeout 9\n192.0.2.4 value 3\n' \
		>"$scratch/list"
	k -q create bl value 4
	k load bl "$scratch/list"
	status_is 0
	err_has "$scratch/list:1: " "$scratch/list:2: " '2 bad lines' '2 added'
	values_are '192.0.2.3 value 0' '192.0.2.4 value 3'
	k -q create plain
	k load plain "$scratch/list"
	status_is 0
	err_has '4 added' '0 bad lines'
}

test_other_note() { # of a filter that has but one of both, the other is ignored if it is valid
	k -q create timed timeout 0
	k -q create bl value 8
	printf '%s\n' '192.0.2.1 value 7 timeout 1h' '192.0.2.2 timeout 1h value 7' \
		'192.0.2.3 value x timeout 1h' >"$scratch/list"
	k load timed "$scratch/list"
	status_is 0
	err_has '2 added' '1 bad line,' "$scratch/list:3: "
	k -j info timed
	[[ $out == *'"expiring": 2'* ]] || complain "info: $out"
	head -2 "$scratch/list" >"$scratch/first"
	k load bl "$scratch/first"
	status_is 0
	values_are '192.0.2.1 value 7' '192.0.2.2 value 7'
	k del bl -f "$scratch/first" --value 6
	err_has '2 deleted'
}

test_lost() { # values and timeouts that the filter cannot keep are counted
	local words='1 key has a timeout in the list, and none in this filter: they stay'

	printf '%s\n' '192.0.2.1 timeout 5m' '192.0.2.2 timeout 0' '192.0.2.3 timeout never' \
		'192.0.2.4 timeout xyz' '192.0.2.5 value 3' '192.0.2.6 value 0' '192.0.2.7 value x' \
		'192.0.2.8-192.0.2.11 value 4' >"$scratch/list"
	k -q create bl
	k load bl "$scratch/list"
	status_is 0
	err_has '8 added' '0 bad lines' "$words" \
		'2 keys have a value in the list, and this filter keeps no values'
	k -j load bl "$scratch/list"
	[[ $out == *'"lost_timeouts": 1, "lost_values": 2'* ]] || complain "load: $out"
	k flush bl
	k add bl -f "$scratch/list"
	err_has "$words"
	k apply bl "$scratch/list"
	err_has "$words"
	k del bl -f "$scratch/list"
	status_is 0
	err_has '8 deleted'
	err_has_not 'in the list'
	echo '192.0.2.1 timeout 1m 192.0.2.2 value 7 192.0.2.3 value 1 timeout 2m' >"$scratch/row"
	k load bl "$scratch/row" --format row
	err_has '3 added' '2 keys have a timeout in the list' '2 keys have a value in the list'
	echo '192.0.2.4:53 timeout 1m' >"$scratch/row"
	k load bl "$scratch/row" --format hostport
	err_has "$words"
	# A filter that keeps one of both.
	k -q create timed timeout 1h
	k load timed "$scratch/list"
	err_has '7 added' '1 bad line,' '2 keys have a value in the list'
	err_has_not 'a timeout in the list'
	# A delete ignores them, in a filter that has them.
	echo '192.0.2.1 timeout 5m' >"$scratch/list"
	k del timed -f "$scratch/list"
	err_has '1 deleted'
	err_has_not 'in the list'
	printf 'create s hash:ip family inet timeout 60\nadd s 192.0.2.2 timeout 50\n' >"$scratch/list"
	k del timed -f "$scratch/list"
	err_has '1 deleted'
	err_has_not 'in the list'
}

main "$0"
