#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# add, del, test, reserve, list, flush, compact, swap and rename.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

test_add() { # counts what is new and what was there, and is no error
	k create bl
	k add bl 192.0.2.1 2001:db8::/32 198.51.100.0/24
	status_is 0
	out_is ''
	err_has '3 added' '0 already' '3 members now'
	k add bl 192.0.2.1 192.0.2.2
	status_is 0
	err_has '1 added' '1 already a member'
	k -q add bl 192.0.2.1
	status_is 0
	err_is_empty
	members_are 192.0.2.1 192.0.2.2 198.51.100.0/24 2001:db8::/32
}

test_del() { # counts what was there and what was not
	k create bl
	k -q add bl 192.0.2.1 192.0.2.0/24 ::1
	k del bl 192.0.2.1 192.0.2.9
	status_is 0
	err_has '1 deleted' '1 not a member'
	members_are 192.0.2.0/24 ::1
	k del bl 192.0.2.0/25
	err_has '0 deleted' '1 not a member'
	members_are 192.0.2.0/24 ::1
}

test_still_covered() { # del says which member still covers a key, deleted or not
	k create bl
	k -q add bl 10.0.0.0/8 10.16.0.0/12 10.20.1.1 2001:db8::/32 2001:db8::1 192.0.2.1
	k del bl 10.20.1.1 10.99.0.1 10.16.0.0/16 2001:db8::1 192.0.2.1 198.51.100.1
	status_is 0
	out_is ''
	err_has "warning: 10.20.1.1 is still in 'bl': its member 10.16.0.0/12 covers it" \
		"10.99.0.1 is still in 'bl': its member 10.0.0.0/8 covers it" \
		"10.16.0.0/16 is still in 'bl': its member 10.16.0.0/12 covers it" \
		"2001:db8::1 is still in 'bl': its member 2001:db8::/32 covers it"
	err_has_not '192.0.2.1 is still'
	err_has_not '198.51.100.1 is still'
	k -q del bl 10.16.0.0/12
	err_has "10.16.0.0/12 is still in 'bl': its member 10.0.0.0/8"
	k del bl 10.0.0.0/8
	status_is 0
	err_has_not still
	members_are 2001:db8::/32
	seq -f '2001:db8::%g' 1 2000 >"$scratch/keys"
	k del bl -f "$scratch/keys"
	status_is 0
	err_has '2001:db8::16 is still' "1984 more keys are still in 'bl'"
	err_has_not '2001:db8::17 is still'
	k -j del bl -f "$scratch/keys"
	[[ $out == *'"covered": 2000'* && $(grep -o '"member"' <<<"$out" | wc -l) = 1000 ]] ||
		complain "as JSON: ${out:0:200}"
}

test_del_covered() { # --covered deletes all that lies inside, and nothing that only overlaps
	k create bl
	k -q add bl 10.0.0.0/8 10.16.0.0/12 10.16.1.0/24 10.31.255.255 10.32.0.0 \
		2001:db8::/32 2001:db8::/33 2001:db8:8000::1 2001:db9::
	k del bl --covered 10.16.0.0/12 2001:db8::/32
	status_is 0
	err_has 'bl: 6 members deleted; 3 members now' \
		"10.16.0.0/12 is still in 'bl': its member 10.0.0.0/8 covers it"
	members_are 10.0.0.0/8 10.32.0.0 2001:db9::
	k del bl --covered 10.16.0.0/12
	status_is 0
	err_has '0 members deleted'
	# Not what is wider than the range, nor what two keys cover only together.
	k -q add bl 192.0.2.0/24 192.0.2.128/25 192.0.2.7 192.0.2.0/29
	k del bl --covered 192.0.2.1-192.0.2.127 192.0.2.0/25 192.0.2.128-192.0.2.254
	err_has '2 members deleted'
	members_are 10.0.0.0/8 10.32.0.0 192.0.2.0/24 192.0.2.128/25 2001:db9::
	printf '192.0.2.0 - 192.0.2.255 # all\n::/0\n' >"$scratch/list"
	k del bl --covered -f "$scratch/list"
	err_has '3 members deleted; 2 members now'
	k -q del bl --covered 0.0.0.0/0
	status_is 0
	members_are
}

test_del_covered_strict() { # with --strict each key has to cover a member; a range is one key
	k create bl
	k -q add bl 10.0.0.4 10.0.1.0/24
	k del bl --strict --covered 10.0.0.0/24 10.2.0.0/16 10.3.0.1-10.3.0.6
	refused '--strict: 2 keys cover no member' 'for example 10.2.0.0/16' 'nothing was changed'
	k del bl --strict --covered 10.0.0.0/8 10.0.0.0/8
	refused 'repeats an earlier key'
	members_are 10.0.0.4 10.0.1.0/24
	k del bl --strict --covered 10.0.0.1-10.0.0.6 10.0.0.0/8
	status_is 0
	err_has '2 members deleted'
	members_are
}

test_del_covered_values() { # with --value only members that have it, whatever lists say
	k create bl value 8
	k -q add bl 10.0.0.1 10.0.0.2 --value 7
	k -q add bl 10.0.0.3 10.1.0.0/16 --value 8
	printf '10.0.0.0/8 value 8\n' >"$scratch/list"
	k del bl --covered -f "$scratch/list" --value 7
	status_is 0
	err_has '2 members deleted; 2 members now'
	k del bl --covered 10.0.0.0/24 --value 7 --strict
	refused 'covers no member'
	k del bl --covered 10.0.0.0/8
	err_has '2 members deleted; 0 members now'
}

test_del_covered_refused() { # where members are not known, or are no addresses
	k -q create b type bytes capacity 100
	k -q create f bits 16
	k del b --covered foo
	refused '--covered is for addresses'
	k del f --covered 10.0.0.0/8
	refused "'f' does not store its members"
	k test b foo --exact
	refused '--exact is for addresses'
	k add f --covered 10.0.0.0/8
	refused "'add' has no option --covered"
	k -q create bl
	k del bl --covered 10.0.0.0/33
	refused "key '10.0.0.0/33'"
}

test_del_covered_beside() { # what stays put is found while others add and delete
	local adder

	seq -f '10.0.%g.0/24' 0 255 >"$scratch/stay"
	awk 'BEGIN { for (i = 0; i < 20000; i++)
		printf "192.%d.%d.%d\n", i % 3, i / 256 % 256, i % 256 }' >"$scratch/other"
	k create bl
	(
		while [ ! -e "$scratch/stop" ]; do
			kcuckoo -q add bl -f "$scratch/other"
			kcuckoo -q del bl --covered 192.0.0.0/8
			kcuckoo -q compact bl
		done
	) &
	adder=$!
	for _ in 1 2 3 4; do
		kcuckoo -q add bl -f "$scratch/stay"
		k del bl --covered 10.0.0.0/8
		status_is 0
		err_has '256 members deleted'
	done
	touch "$scratch/stop"
	wait $adder
	rm "$scratch/stop"
	k -q del bl --covered 192.0.0.0/8
	members_are
}

test_host_bits() { # are cleared and counted
	k create bl
	k add bl 192.0.2.77/24 2001:db8::1/32 192.0.2.1/32
	status_is 0
	err_has 'host bits of 2 keys'
	members_are 192.0.2.0/24 192.0.2.1 2001:db8::/32
}

test_range() { # becomes the fewest prefixes
	k create bl
	k add bl 192.0.2.1-192.0.2.6 '2001:db8:: - 2001:db8::ff'
	status_is 0
	members_are 192.0.2.1 192.0.2.2/31 192.0.2.4/31 192.0.2.6 2001:db8::/120
	k del bl 192.0.2.1-192.0.2.6
	err_has '4 deleted'
	k add bl 192.0.2.6-192.0.2.1
	refused 'ends before it begins'
	members_are 2001:db8::/120
}

test_bad_key() { # one bad key: named, explained, and nothing is changed
	local key

	k create bl
	for key in 300.1.1.1 1.2.3 010.1.1.1 1.2.3.4/33 ::1/129 example.com \
			1::2::3 '1.2.3.4 x' '' localhost; do
		k add bl 192.0.2.1 "$key" 192.0.2.2
		refused "key '$key'" 'nothing was changed'
		k del bl "$key"
		refused "key '$key'"
	done
	k add bl $'\x1b[2J'
	refused 'x1b[2J'
	[[ $err != *$'\x1b'* ]] || complain "an escape sequence came through"
	members_are
}

test_strict_add() { # a member or a repeat is an error, nothing is changed
	k create bl
	k -q add bl 192.0.2.1
	k add bl --strict 192.0.2.2 192.0.2.1
	refused 'already a member' 192.0.2.1 'nothing was changed'
	k add bl --strict 192.0.2.2 192.0.2.2
	refused 'repeats an earlier key' 192.0.2.2 'nothing was changed'
	k add bl --strict 192.0.2.2-192.0.2.5 192.0.2.4/31
	refused 'repeats an earlier key' 192.0.2.4/31
	members_are 192.0.2.1
	k add bl --strict 192.0.2.2 192.0.2.0/24
	status_is 0
	members_are 192.0.2.0/24 192.0.2.1 192.0.2.2
}

test_strict_del() { # what is no member is an error, nothing is changed
	k create bl
	k -q add bl 192.0.2.1 192.0.2.2
	k del bl --strict 192.0.2.1 192.0.2.9
	refused 'not a member' 192.0.2.9 'nothing was changed'
	k del bl --strict 192.0.2.1 192.0.2.1
	refused 'repeats an earlier key'
	members_are 192.0.2.1 192.0.2.2
	k del bl --strict 192.0.2.1
	status_is 0
	members_are 192.0.2.2
}

test_files() { # -f takes lists, several, and standard input
	k create bl
	printf '# list\n192.0.2.1 x\n192.0.2.2-192.0.2.3\n' >"$scratch/a"
	printf '::1\r\n' >"$scratch/b"
	k add bl -f "$scratch/a" 192.0.2.9 -f "$scratch/b"
	status_is 0
	members_are 192.0.2.1 192.0.2.2/31 192.0.2.9 ::1
	input=$'192.0.2.9\n::1\n'
	k_input del bl -f -
	status_is 0
	err_has '2 deleted'
	k add bl -f "$scratch/none"
	refused "$scratch/none" 'No such file'
}

test_file_bad_line() { # a bad line in -f: its place, and nothing is changed
	k create bl
	printf '192.0.2.1\n\nbad\n192.0.2.2\n' >"$scratch/list"
	k add bl -f "$scratch/list"
	refused "$scratch/list:3: " 'nothing was changed' "'kcuckoo load'"
	k del bl -f "$scratch/list"
	refused "$scratch/list:3: " 'nothing was changed'
	err_has_not 'kcuckoo load'
	members_are
}

test_test() { # a line for each key, as it was written, in order
	k create bl
	k -q add bl 192.0.2.0/24 2001:DB8::/32 198.51.100.7
	k test bl 192.0.2.9 192.0.2.9/32 192.0.2.0/24 192.0.2.0/25 \
		2001:0DB8::1/128 198.51.100.8 ::ffff:192.0.2.9
	status_is 1
	out_is $'1 192.0.2.9\t192.0.2.0/24
1 192.0.2.9/32\t192.0.2.0/24
1 192.0.2.0/24\t192.0.2.0/24
1 192.0.2.0/25\t192.0.2.0/24
1 2001:0DB8::1/128\t2001:db8::/32
0 198.51.100.8
1 ::ffff:192.0.2.9\t192.0.2.0/24'
	err_has '6 of 7'
}

test_longest() { # of several members the longest is named; one has to cover all of a network
	k create bl
	k -q add bl 10.0.0.0/8 10.16.0.0/12 10.20.1.1 2001:db8::/32 2001:db8::/64 \
		192.0.2.0/25 192.0.2.128/25
	k test bl 10.20.1.1 10.20.1.2 10.20.0.0/16 10.0.0.0/9 10.0.0.0/7 \
		2001:db8::1 2001:db8::/48 2001:db8:0:1:: 192.0.2.0/24 192.0.2.128/26
	status_is 1
	out_is $'1 10.20.1.1\t10.20.1.1
1 10.20.1.2\t10.16.0.0/12
1 10.20.0.0/16\t10.16.0.0/12
1 10.0.0.0/9\t10.0.0.0/8
0 10.0.0.0/7
1 2001:db8::1\t2001:db8::/64
1 2001:db8::/48\t2001:db8::/32
1 2001:db8:0:1::\t2001:db8::/32
0 192.0.2.0/24
1 192.0.2.128/26\t192.0.2.128/25'
	k test bl --exact 10.20.1.1 10.20.1.2 10.20.0.0/16 10.16.0.0/12
	status_is 1
	out_is $'1 10.20.1.1\n0 10.20.1.2\n0 10.20.0.0/16\n1 10.16.0.0/12'
	# Those that are named can be deleted and loaded.
	k test bl 10.20.1.1 10.99.0.1
	cut -f 2 <<<"$out" >"$scratch/named"
	k -q del bl -f "$scratch/named"
	k test bl 10.20.1.1
	out_is $'1 10.20.1.1\t10.16.0.0/12'
}

test_longest_fingerprints() { # a filter that does not know its members names none
	k create bl bits 32 capacity 1000
	k -q add bl 10.0.0.0/8
	k test bl 10.1.2.3 10.1.0.0/16 10.0.0.0/8 11.0.0.0/8
	status_is 1
	out_is $'1 10.1.2.3\n1 10.1.0.0/16\n1 10.0.0.0/8\n0 11.0.0.0/8'
	k test bl --exact 10.1.2.3 10.1.0.0/16 10.0.0.0/8
	out_is $'0 10.1.2.3\n0 10.1.0.0/16\n1 10.0.0.0/8'
}

test_test_status() { # 0 all are in, 1 some are not, 2 error
	k create bl
	k -q add bl 192.0.2.0/24
	k test bl 192.0.2.1 192.0.2.2
	status_is 0
	k test bl 192.0.2.1 192.0.3.1
	status_is 1
	k test nope 192.0.2.1
	refused "no filter 'nope'"
	k test bl 192.0.2.1 bad
	status_is 2
	err_has "key 'bad'"
	k test bl 192.0.2.1-192.0.2.2
	status_is 2
	err_has range
	k -q test bl 192.0.2.1
	status_is 0
	err_is_empty
	out_is $'1 192.0.2.1\t192.0.2.0/24'
}

test_test_file() { # keys from a file: in order, columns and blanks left out
	k create bl
	k -q add bl 192.0.2.0/24
	printf '192.0.2.1\n\n# no\n  203.0.113.9 comment\n192.0.2.2/32,x\r\n' \
		>"$scratch/list"
	k test bl -f "$scratch/list"
	status_is 1
	out_is $'1 192.0.2.1\t192.0.2.0/24
0 203.0.113.9
1 192.0.2.2/32\t192.0.2.0/24'
	printf 'bad\n192.0.2.1\n' >"$scratch/list"
	k test bl -f "$scratch/list"
	status_is 2
	out_is $'1 192.0.2.1\t192.0.2.0/24'
	err_has "$scratch/list:1: "
}

test_test_ranges() { # are bad lines of a file like others, told and counted with them
	k create bl
	k -q add bl 192.0.2.0/24
	printf '192.0.2.1-192.0.2.2\nbad\n192.0.2.3\n' >"$scratch/list"
	k test bl -f "$scratch/list"
	status_is 2
	out_is $'1 192.0.2.3\t192.0.2.0/24'
	err_has "$scratch/list:1: a range is not one key" "$scratch/list:2: " \
		': 192.0.2.1-192.0.2.2' 'bl: 2 of the keys are malformed'
	err_has_not "kcuckoo: $scratch/list"
	{
		printf '192.0.2.1-192.0.2.2\n%.0s' {1..15}
		printf 'bad\n%.0s' {1..15}
	} >"$scratch/list"
	k test bl -f "$scratch/list"
	status_is 2
	err_has "$scratch/list:20: " 'and 10 more bad lines' \
		'30 of the keys are malformed'
	err_has_not "$scratch/list:21: "
}

test_reserve() { # makes room; what is asked for is told by its name
	k create bl
	k reserve bl 100
	status_is 0
	err_is_empty
	k reserve bl abc
	refused "N 'abc' is not a number"
	k reserve bl 0
	refused "N '0'" 'minimum is 1'
	k reserve bl 5x
	refused "N '5x'" 'K, M or G'
	k reserve bl 1000G
	refused "N '1000G'" 'maximum'
	k create other capacity 0
	refused "capacity '0'" 'minimum is 1'
}

test_reserve_memory() { # enough for IPv4 and not for IPv6: told so
	local group=/sys/fs/cgroup/cli-reserve

	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	mkdir "$group"
	echo 16M >"$group/memory.max"
	k create bl
	(
		echo $BASHPID >"$group/cgroup.procs"
		exec kcuckoo reserve bl 2M >"$scratch/out" 2>"$scratch/err"
	)
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last='kcuckoo reserve in little memory'
	refused "cannot reserve room for IPv6 in 'bl'" 'not have enough memory' \
		'entries for 2000000 more IPv4 addresses were reserved'
	err_has_not 'nothing was changed'
	k destroy bl
	rmdir "$group" || complain "memory is charged still"
}

test_many() { # 200,000 keys: added, found, listed in order, deleted
	awk 'BEGIN { for (i = 0; i < 200000; i++)
		printf "%d.%d.%d.%d\n", 10 + i % 7, i / 65536, i / 256 % 256, i % 256 }' \
		>"$scratch/keys"
	k create bl
	k add bl -f "$scratch/keys"
	status_is 0
	err_has '200000 added'
	k test bl -f "$scratch/keys"
	status_is 0
	sed 's/.*/1 &\t&/' "$scratch/keys" | cmp - "$scratch/out" ||
		complain "test printed something else"
	k list bl
	sort -t . -k1,1n -k2,2n -k3,3n -k4,4n "$scratch/keys" |
		cmp - "$scratch/out" || complain "the list is another"
	k del bl -f "$scratch/keys"
	err_has '200000 deleted' '0 members now'
	members_are
}

test_full() { # beyond the capacity: told exactly, with what to do
	k create bl capacity 3
	k add bl 192.0.2.1 192.0.2.2 192.0.2.3 192.0.2.4 192.0.2.5
	refused "'bl' is full" 'capacity of 3' '3 of 5 keys were added' 'kcuckoo swap'
	members_are 192.0.2.1 192.0.2.2 192.0.2.3
	k add bl 192.0.2.9
	refused "'bl' is full" 'nothing was added'
	k add bl 192.0.2.1
	status_is 0
}

test_list_names() { # filters one a line, oldest first
	k list
	status_is 0
	out_is ''
	k create zz
	k create aa
	k list
	out_is $'zz\naa'
}

test_list_order() { # canonical prefixes, IPv4 first, ascending
	k create bl
	k -q add bl ::/0 2001:DB8:0:0::1 10.0.0.0/8 9.255.255.255 0.0.0.0/0 \
		10.0.0.0/9 10.0.0.0 ::ffff:0:0/96 255.255.255.255
	members_are 0.0.0.0/0 9.255.255.255 10.0.0.0/8 10.0.0.0/9 10.0.0.0 \
		255.255.255.255 ::/0 ::ffff:0:0/96 2001:db8::1
}

test_flush() { # empties a filter, which goes on
	k create bl
	k -q add bl 192.0.2.1 ::1
	k flush bl
	status_is 0
	members_are
	k add bl 192.0.2.1
	members_are 192.0.2.1
}

# memory: what bl holds, in bytes.
memory() {
	kcuckoo -j info bl | sed -n 's/.*"memory_bytes": \([0-9]*\).*/\1/p'
}

test_compact() { # gives back what members who left and reserve have in tables
	local little full

	seq 0 19999 | awk '{ printf "10.0.%d.%d\n", $1 / 256, $1 % 256 }' >"$scratch/keys"
	k create bl
	k -q add bl 192.0.2.1
	little=$(memory)
	k -q load bl "$scratch/keys"
	full=$(memory)
	k -q del bl -f "$scratch/keys"
	[ "$(memory)" -ge $((little + 20000)) ] || complain "it is given back already"
	k compact bl
	status_is 0
	out_is ''
	err_has "bl: " ' of kernel memory before, ' ' now'
	[ "$(memory)" -lt $((little + 10000)) ] ||
		complain "$(memory) bytes of $full, first $little"
	members_are 192.0.2.1
	k reserve bl 100K
	k -q compact bl
	status_is 0
	err_is_empty
	[ "$(memory)" -lt $((little + 10000)) ] || complain "room stays: $(memory) bytes"
	k -q load bl "$scratch/keys"
	k test bl -f "$scratch/keys"
	status_is 0
	k create bytes type bytes capacity 1000
	k compact bytes
	status_is 0
}

test_swap() { # exchanges the members of two names
	k create bl
	k create other
	k -q add bl 192.0.2.1
	k -q add other 192.0.2.2
	k swap bl other
	status_is 0
	members_are 192.0.2.2
}

test_rename() { # to a free name only
	k create old
	k -q add old 192.0.2.1
	k rename old bl
	status_is 0
	members_are 192.0.2.1
	k create other
	k rename other bl
	refused "there is a filter 'bl' already" swap
	k rename other 'a b'
	refused 'not a valid filter name'
	k list
	out_is $'bl\nother'
}

test_info() { # for a person: members, memory, lengths, rules
	local words

	k create bl
	k -q add bl 192.0.2.1 192.0.2.0/24 2001:db8::/32
	k info bl
	status_is 0
	err_is_empty
	for words in 'members       3 (IPv4 2, IPv6 1)' 'no limit' \
			'bits per member' '/24 /32' 'users         0'; do
		[[ $out == *"$words"* ]] || complain "info: no '$words' in $out"
	done
}

main "$0"
