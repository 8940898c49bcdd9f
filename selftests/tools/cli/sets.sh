#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# merge, intersect, compare and create like.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

two_filters() {
	k -q create bl
	k -q create b2
	k -q add bl 192.0.2.1 192.0.2.0/24 2001:db8::1
	k -q add b2 192.0.2.1 198.51.100.0/24 2001:db8::2
}

test_merge() { # the union, at once; the other one stays
	two_filters
	k merge bl b2
	status_is 0
	out_is ''
	err_has 'bl: 3 members before, 5 now'
	members_are 192.0.2.0/24 192.0.2.1 198.51.100.0/24 2001:db8::1 \
		2001:db8::2
	k list b2
	out_is $'192.0.2.1\n198.51.100.0/24\n2001:db8::2'
	k list
	out_is $'bl\nb2'
	k merge bl nope
	refused "no filter 'nope'"
}

test_merge_keeps_rules() { # they follow the name
	two_filters
	k -q attach bl action count
	k merge bl b2
	status_is 0
	k rules
	[[ $out == *bl* ]] || complain "the rule is gone: $out"
	k -j info bl
	[[ $out == *'"rules": 1'* ]] || complain "info: $out"
}

test_merge_values() { # those of the other one win; a place is needed for them
	k -q create bl value 8 timeout 0
	k -q create b2 value 8
	k -q create plain
	k -q add bl 192.0.2.1 192.0.2.2 --value 1 --timeout 1d
	k -q add b2 192.0.2.2 192.0.2.3 --value 2
	k merge bl b2
	status_is 0
	k list bl
	[[ $out =~ ^192.0.2.1\ value\ 1\ timeout\ 8....$'\n'192.0.2.2\ value\ 2\ timeout\ 0$'\n'192.0.2.3\ value\ 2\ timeout\ 0$ ]] ||
		complain "list: $out"
	k merge plain b2
	refused "cannot merge 'b2' into 'plain'" "only the keys of 'b2' have values"
	k merge b2 bl
	refused "cannot merge 'bl' into 'b2'" "only the keys of 'bl' can expire"
	k -q add plain 192.0.2.1 192.0.2.4
	k merge bl plain
	status_is 0
	k list bl
	out_is '192.0.2.1 value 1 timeout 0
192.0.2.2 value 2 timeout 0
192.0.2.3 value 2 timeout 0
192.0.2.4 value 0 timeout 0'
	k -q create b4 timeout 1d
	k -q add b4 192.0.2.3 192.0.2.5
	k merge bl b4
	status_is 0
	k test bl 192.0.2.3 192.0.2.5
	out_is $'1 192.0.2.3\t192.0.2.3 value 2\n1 192.0.2.5\t192.0.2.5 value 0'
}

test_merge_full() { # more than the capacity: nothing is changed
	k -q create bl capacity 3
	k -q create b2
	k -q add bl 192.0.2.1 192.0.2.2
	k -q add b2 192.0.2.3 192.0.2.4
	k merge bl b2
	refused 'at most 3 members' 'nothing was changed'
	members_are 192.0.2.1 192.0.2.2
	k list
	out_is $'bl\nb2'
}

test_merge_fingerprints() { # only of filters that are alike
	k -q create bl type bytes capacity 1000 bits 24
	k -q create b2 like bl
	k -q create b3 type bytes capacity 1000 bits 24
	k -q create inet
	k -q add bl a b
	k -q add b2 b c
	k merge bl b2
	status_is 0
	k test bl a b c
	status_is 0
	k merge bl b3
	refused "neither was created with 'like' and the name of the other" 'like bl'
	k merge bl inet
	status_is 2
	k merge inet bl
	refused fingerprints
	k merge bl bl
	refused "'bl' cannot be merged with itself"
	err_has_not like
}

test_merge_addresses() { # with fingerprints: only if load did not choose the size of the tables
	local form

	seq -f '10.0.%g.1' 0 255 >"$scratch/a"
	seq -f '10.%g.1.1' 0 199 >"$scratch/b"
	for form in 'bits 12 fixed' 'fpr 0.1%' 'bits 12'; do
		# shellcheck disable=SC2086 # several words
		k -q create bl capacity 10K $form
		k -q create b2 like bl
		k -q load bl "$scratch/a"
		k -q load b2 "$scratch/b"
		k merge bl b2
		[ "$form" != 'bits 12' ] || break
		status_is 0
		err_has '256 members before, 456 now'
		k test bl -f "$scratch/a" -f "$scratch/b"
		status_is 0
		reset
	done
	refused 'or their tables differ in size' 'like bl' \
		"'fixed' or 'fpr'" 'load both lists into one filter'
	k -q load bl "$scratch/b"
	k test bl -f "$scratch/a" -f "$scratch/b"
	status_is 0
	k -q create b3 capacity 10K fpr 1%
	k merge b3 bl
	refused "neither was created with 'like' and the name of the other"
	err_has_not "'load' sized"
}

# room_is SLOTS: the places in the tables of bl.
room_is() {
	k -j info bl
	[[ $out == *"\"slots\": $1,"* ]] || complain "not $1 slots: $out"
}

test_merge_reserved() { # room for what packets add is there afterwards, of each family
	local family slots

	for family in ipv4 ipv6 both; do
		k -q create bl hash siphash timeout 1h
		k reserve bl 5000 family $family
		k -q add bl 192.0.2.1 192.0.2.0/24 2001:db8::1 2001:db8::/32
		k -j info bl
		slots=${out##*'"slots": '}
		slots=${slots%%,*}
		[ "$slots" -ge 5000 ] || complain "no room reserved: $out"
		k -q create b2
		k -q add b2 192.0.2.1 2001:db8::1 2001:db8::/32 192.0.2.0/24 192.0.2.2
		k merge bl b2
		status_is 0
		err_has '4 members before, 5 now'
		room_is "$slots"
		k intersect bl b2
		status_is 0
		err_has '5 members before, 5 now'
		room_is "$slots"
		k test bl 192.0.2.1 192.0.2.0/24 192.0.2.2 2001:db8::1 2001:db8::/32
		status_is 0
		k list
		out_is $'bl\nb2'
		reset
	done
}

test_copy_fails() { # what is wrong with a file in memory is told as that
	k -q create bl hash siphash
	k -q create b2
	k -q add bl 192.0.2.1
	k -q add b2 192.0.2.2
	last='kcuckoo merge without room for files'
	err=$(trap '' XFSZ; ulimit -f 0; kcuckoo merge bl b2 2>&1)
	status=$?
	status_is 2
	err_has "cannot copy 'bl' through a file in memory: File too large"
	members_are 192.0.2.1
	k list
	out_is $'bl\nb2'
}

test_intersect() { # what both have, with the first one's values
	k -q create bl value 8
	k -q create b2 value 8
	k -q add bl 192.0.2.1 192.0.2.2 192.0.2.0/24 ::1 --value 1
	k -q add b2 192.0.2.2 192.0.2.3 ::1 --value 2
	k intersect bl b2
	status_is 0
	err_has 'bl: 4 members before, 2 now'
	members_are '192.0.2.2 value 1' '::1 value 1'
	k intersect bl nope
	refused "no filter 'nope'"
	k -q create b3
	k intersect bl b3
	status_is 0
	members_are
}

test_compare() { # counts, and 0 only for the same members
	two_filters
	k compare bl b2
	status_is 1
	out_is "only in 'bl'	2
only in 'b2'	2
in both	1
in both, with different values	0"
	k compare bl bl
	status_is 0
	k -q create v1 value 8
	k -q create v2 value 8
	k -q add v1 192.0.2.1 --value 1
	k -q add v2 192.0.2.1 --value 2
	k compare v1 v2
	status_is 1
	k -q add v2 192.0.2.1 --value 1
	k compare v1 v2
	status_is 0
	# Values are compared where both have some; timeouts alone are none.
	k -q create timed timeout 1d
	k -q add timed 192.0.2.1
	k compare v1 timed
	status_is 0
	k compare timed v1
	status_is 0
	k -q create bytes type bytes capacity 9
	k compare bl bytes
	refused 'does not store its members'
	k compare nope bl
	refused "no filter 'nope'"
}

test_many() { # 100,000 members each, half of them in both
	awk 'BEGIN { for (i = 0; i < 150000; i++)
		printf "10.%d.%d.%d\n", i / 65536, i / 256 % 256, i % 256 }' \
		>"$scratch/keys"
	k -q create bl
	k -q create b2
	head -100000 "$scratch/keys" >"$scratch/a"
	tail -100000 "$scratch/keys" >"$scratch/b"
	k -q load bl "$scratch/a"
	k -q load b2 "$scratch/b"
	k compare bl b2
	[[ $out == *$'in both\t50000'* ]] || complain "compare: $out"
	k merge b2 bl
	status_is 0
	err_has '150000 now'
	k intersect b2 bl
	err_has '100000 now'
	k compare bl b2
	status_is 0
}

test_others_add() { # what others add while a union is built is not lost
	local adder i

	seq -f '10.0.%g.1' 0 255 >"$scratch/a"
	k -q create bl hash siphash
	k -q reserve bl 60K
	k -q create b2
	k -q load b2 "$scratch/a"
	for i in {1..40}; do
		kcuckoo -q add bl "192.0.2.$i"
	done &
	adder=$!
	while kill -0 $adder 2>/dev/null; do
		k merge bl b2
		((status == 0)) || refused "other programs changed 'bl' during each of 3 attempts" \
			'this command changed nothing'
	done
	wait $adder
	k merge bl b2
	err_has '296 now'
	kcuckoo test bl 192.0.2.{1..40} >/dev/null || complain 'an added key is lost'
}

test_like() { # takes everything from the other one, and no other word
	k -q create bl type bytes capacity 1234 bits 11 bucket 8 hash siphash \
		insert-only timeout 60 steps 100
	k create b2 like bl
	status_is 0
	k -j info bl
	cp "$scratch/out" "$scratch/bl"
	k -j info b2
	diff <(sed 's/"name": "[a-z0-9]*"//' "$scratch/bl") \
		<(sed 's/"name": "[a-z0-9]*"//' "$scratch/out") ||
		complain "they are not alike"
	k create b3 like bl bits 12
	refused 'no other parameter'
	k create b3 like nope
	refused "no filter 'nope'"
	k create b3 like 'a b'
	refused 'not a valid filter name'
}

main "$0"
