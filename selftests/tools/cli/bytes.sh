#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Filters of fingerprints: byte strings, copies, rates, what they refuse.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

test_create() { # says what was chosen, with the rate and the load it reaches
	k create bl type bytes capacity 100k fpr 0.1%
	status_is 0
	out_is ''
	err_has 'created bl: byte strings, fingerprints of' deletable \
		'room for 100000 members' 'never grows' 'tables fill to' \
		'false positives' 'at that capacity'
	err_has_not warning
	k -q create b2 type bytes capacity 1000 bits 20 bucket 2 hash siphash
	status_is 0
	err_is_empty
	k info b2
	[[ $out == *'fingerprints of 20 bits'*'doubles on demand'* ]] ||
		complain "info: $out"
	k create b3 type bytes capacity 1000
	status_is 0
	err_has 'fingerprints of 16 bits'
	k create b4 type bytes capacity 1000 bits 8 semisort fixed insert-only
	status_is 0
	err_has semi-sorted insert-only 'never grows'
	k create b5 type bytes capacity 1000 bits 8 steps 2
	status_is 0
	k info b5
	[[ $out == *'reads at most 2 buckets'* ]] || complain "info: $out"
	# Its tables are full at less than 80 %, so they are never doubled.
	k create b6 type bytes capacity 100k bits 16 bucket 1
	status_is 0
	err_has 'doubles only if 80 % full' 'tables fill to'
	err_has_not 'on demand'
}

test_refused_shapes() { # what no filter can be, with the reason
	local words reason

	while IFS=: read -r words reason; do
		# shellcheck disable=SC2086 # words, split
		k create bl $words
		refused "$reason"
	done <<-'END'
		type bytes:needs 'capacity'
		type bytes capacity 9 bits 8 fpr 0.1:cannot be combined
		type bytes capacity 9 bits 0:bits '0'
		type bytes capacity 9 bits 33:bits '33'
		type bytes capacity 9 fpr 0:fpr '0'
		type bytes capacity 9 fpr 1:fpr '1'
		type bytes capacity 9 fpr x:not a probability
		type bytes capacity 9 steps 1:steps '1'
		type bytes capacity 9 steps 1025:steps '1025'
		type bytes capacity 9 value 33:value '33'
		type bytes capacity 9 timeout 5:insert-only
		type bytes capacity 9 bits 8 semisort value 4:neither values nor timeouts
		type bytes capacity 9 bits 8 semisort bucket 8:buckets of 4
		type bytes capacity 9 bits 4 semisort:5 bits
		type bytes capacity 1G bits 1 bucket 1:a table cannot hold that many keys
		type bytes capacity 17179869184 fpr 0.1%:a table cannot hold that many keys
		type bytes capacity 9 fpr 0.0000000005:no fingerprint of up to 32 bits
		semisort:add fpr or bits
		insert-only:add fpr or bits
		fixed:add fpr or bits
		bits 12 timeout 5:insert-only
		semisort semisort:given twice
		like:needs a value
	END
	k list
	out_is ''
}

test_short_fingerprints() { # a warning where much memory will stay empty
	k create bl type bytes capacity 10k bits 2
	status_is 0
	err_has 'warning:' "'bl' is full when" 'other parameters allow 97 %'
	k -q create b2 type bytes capacity 10k bits 3
	err_has 'warning:'
	k create b3 type bytes capacity 10k bits 8
	err_has_not warning
	k create b4 type bytes capacity 10k bits 3 bucket 2
	err_has 'warning:' 'other parameters allow 88 %'
}

test_keys() { # the bytes of an argument, the empty one too
	k -q create bl type bytes capacity 1000 bits 32
	k add bl foo 'a b' '' '# no comment' $'two\nlines' $'\xff\xfe'
	status_is 0
	err_has '6 added' '6 members now'
	k test bl foo 'a b' '' '# no comment' $'\xff\xfe' bar ' foo'
	status_is 1
	out_is $'1 foo\n1 a b\n1 \n1 # no comment\n1 \xff\xfe\n0 bar\n0  foo'
	k del bl foo ''
	status_is 0
	err_has '2 deleted' '0 not members'
	k del bl foo
	status_is 0
	err_has '0 deleted' '1 not a member'
	k test bl foo ''
	status_is 1
	out_is $'0 foo\n0 '
}

test_longest() { # 4096 bytes, and not one more
	local longest

	longest=$(printf 'x%.0s' {1..4096})
	k -q create bl type bytes capacity 1000 bits 32
	k add bl "$longest"
	status_is 0
	k -q test bl "$longest" "${longest}x"
	status_is 2
	err_has '4096 bytes'
	k add bl ok "${longest}x"
	refused '4096 bytes' 'nothing was changed'
	k -q test bl ok
	out_is '0 ok'
}

test_hex() { # two digits a byte
	k -q create bl type bytes capacity 1000 bits 32
	k add bl --hex 00ff 666F6f ''
	status_is 0
	k test bl foo ''
	status_is 0
	k test bl --hex 00FF 666f6f 00
	status_is 1
	out_is $'1 00FF\n1 666f6f\n0 00'
	k add bl --hex 0 zz
	refused "key '0'" "key 'zz'"
	printf '00ff\n\nzz\n' >"$scratch/list"
	k del bl --hex -f "$scratch/list"
	refused "$scratch/list:3: " hexadecimal
	printf '00ff\n\n' >"$scratch/list"
	k del bl --hex -f "$scratch/list"
	err_has '2 deleted'
	k -q create inet
	k add inet --hex 00
	refused --hex addresses
}

test_lines() { # every line is a key, with all that is on it
	printf 'a\n\n b # c\r\n1.2.3.4, x\nlast' >"$scratch/list"
	k -q create bl type bytes capacity 1000 bits 32
	k load bl "$scratch/list"
	status_is 0
	err_has '5 read' '5 added' '0 bad lines' 'the carriage return at the end of 1 line;'
	k test bl a '' ' b # c' '1.2.3.4, x' last
	status_is 0
	k test bl -f "$scratch/list"
	status_is 0
	tr -d '\r' <"$scratch/list" | sed 's/^/1 /' >"$scratch/expected"
	echo >>"$scratch/expected"
	cmp "$scratch/expected" "$scratch/out" || complain "test: $out"
	input=$'x\ny\n'
	k_input add bl -f -
	err_has '2 added'
}

test_returns() { # one at the end of a line is left out, and the summary says so
	k -q create bl type bytes capacity 1000 bits 32
	printf 'a\r\n\r\nb\r\r\nc\rd\r' >"$scratch/list"
	k load bl "$scratch/list"
	status_is 0
	err_has '4 added' 'the carriage return at the end of 4 lines; --binary keeps it'
	k test bl a '' $'b\r' $'c\rd'
	status_is 0
	# An argument is taken as it is.
	k -q test bl $'a\r' $'\r'
	status_is 1
	out_is $'0 a\r\n0 \r'
	k test bl -f "$scratch/list"
	status_is 0
	out_is $'1 a\n1 \n1 b\r\n1 c\rd'
	err_has 'at the end of 4 lines'
	k -j del bl -f "$scratch/list"
	status_is 0
	[[ $out == *'"deleted": 4'*'"carriage_returns": 4'* ]] || complain "$out"
	printf 'a\n' >"$scratch/list"
	k -j add bl -f "$scratch/list"
	[[ $out != *carriage* ]] || complain "$out"
}

test_binary() { # lines as they are: with carriage returns and marks, packed or not
	k -q create bl type bytes capacity 1000 bits 32
	printf '\xef\xbb\xbfa\r\nb\r' >"$scratch/list"
	k load bl "$scratch/list" --binary
	status_is 0
	err_has '2 added'
	err_has_not carriage
	k test bl $'\xef\xbb\xbfa\r' $'b\r'
	status_is 0
	k test bl -f "$scratch/list" --binary
	status_is 0
	out_is $'1 \xef\xbb\xbfa\r\n1 b\r'
	k -q test bl -f "$scratch/list"
	status_is 1
	k del bl -f "$scratch/list" --binary
	status_is 0
	err_has '2 deleted'
	printf 'x\ny\n' | gzip >"$scratch/list"
	k add bl -f "$scratch/list" --binary
	status_is 0
	err_has_not unpacked
	k test bl x
	status_is 1
	k test bl -f "$scratch/list" --binary
	status_is 0
	printf '<html>\nx' >"$scratch/list"
	k load bl "$scratch/list"
	refused 'a web page (HTML)' --binary
	k load bl "$scratch/list" --binary
	status_is 0
	k load bl "$scratch/list" --binary --hex
	refused 'cannot be combined'
	k load bl "$scratch/list" --binary --member x
	refused 'cannot be combined'
	k -q create inet
	k load inet "$scratch/list" --binary
	refused "'inet' holds addresses"
}

test_archives() { # lines of all files of an archive are byte strings
	mkdir "$scratch/d"
	printf 'a\r\nb' >"$scratch/d/1"
	printf 'c' >"$scratch/d/2"
	tar -C "$scratch" -czf "$scratch/list" d
	k -q create bl type bytes capacity 1000 bits 32
	k load bl "$scratch/list"
	status_is 0
	err_has '3 added' 'unpacked gzip, tar: 2 files' 'at the end of 1 line;'
	k test bl a b c
	status_is 0
}

test_bzip2_like() { # a line that begins as bzip2's files do is a line
	k -q create bl type bytes capacity 1000
	printf 'BZhang\nother\n' >"$scratch/list"
	k load bl "$scratch/list"
	status_is 0
	err_has '2 added'
	input=$'BZhang\nother'
	k_input test bl -f -
	status_is 0
	out_is $'1 BZhang\n1 other'
	printf 'BZh91AY&SY' >"$scratch/list"
	k load bl "$scratch/list"
	refused 'truncated' 'nothing was added'
}

test_many() { # 100,000 lines: loaded, found, deleted
	seq -f 'http://example.com/%.0f' 100000 >"$scratch/urls"
	k -q create bl type bytes capacity 100k bits 24
	k load bl "$scratch/urls"
	status_is 0
	err_has '100000 added'
	k -q test bl -f "$scratch/urls"
	status_is 0
	seq -f 'http://example.org/%.0f' 20000 >"$scratch/others"
	k test bl -f "$scratch/others"
	status_is 1
	[ "$(grep -c ^1 "$scratch/out")" -lt 20 ] ||
		complain "$(grep -c ^1 "$scratch/out") of 20000 were found"
	k del bl -f "$scratch/urls"
	status_is 0
	err_has '100000 deleted' '0 members now'
}

test_copies() { # as many as two buckets hold; more are refused, the rest goes on
	# With few buckets a key now and then has those that the copies want.
	k -q create bl type bytes capacity 100k bits 32
	k add bl dup dup dup dup dup dup dup dup dup dup other
	status_is 2
	out_is ''
	err_has '9 added' "'bl' refused 2 keys" 'the first refused key is dup'
	k test bl other
	status_is 0
	k -q del bl dup dup dup dup dup dup dup dup
	k test bl dup
	out_is '0 dup'
	# Of two keys with copies each one in some thousand filters has a bucket in common.
	{
		echo x
		printf 'dup\n%.0s' {1..20}
	} >"$scratch/list"
	k load bl "$scratch/list"
	status_is 2
	err_has '9 added' "'bl' refused 12 keys"
}

test_insert_only() { # copies take one entry, and nothing is deleted
	k -q create bl type bytes capacity 1000 bits 32 insert-only
	k add bl foo foo foo
	status_is 0
	err_has '1 added' '2 already members' '1 member now'
	k del bl foo
	refused 'insert-only' 'kcuckoo flush bl'
	k add bl --absent foo bar
	status_is 0
	err_has '1 added' '1 already a member'
	k flush bl
	k test bl foo
	out_is '0 foo'
	k -q create bv type bytes capacity 1000 bits 32 insert-only value 8
	k -q create bt type bytes capacity 1000 bits 32 insert-only timeout 1h
	for name in bv bt; do
		k add $name --absent foo
		refused "'$name' stores fingerprints, and its keys have values or timeouts"
	done
}

test_full() { # says what to do, and what was added
	k -q create bl type bytes capacity 1000 fpr 0.01
	seq 20000 >"$scratch/list"
	k add bl -f "$scratch/list"
	refused "'bl' is full" 'never grows' 'larger capacity' "'bits N'" \
		'of 20000 keys were added'
	k -q create b2 type bytes capacity 1000 bits 16 fixed
	k add b2 -f "$scratch/list"
	refused "'b2' is full" "'fixed'"
}

test_growth() { # doubles without its keys, and finds them all
	k -q create bl type bytes capacity 1000 bits 24
	seq 20000 >"$scratch/list"
	k add bl -f "$scratch/list"
	status_is 0
	k -q test bl -f "$scratch/list"
	status_is 0
	k info bl
	[[ $out == *doubled* ]] || complain "info: $out"
}

test_strict() { # copies and absent keys are errors, nothing is changed
	k -q create bl type bytes capacity 1000 bits 32
	k -q add bl a
	k add bl --strict b a
	refused '1 key is already a member of' ': a' 'nothing was changed'
	k add bl --strict b c b
	refused '1 key repeats an earlier key: b'
	k del bl --strict a b
	refused '1 key is not a member of' ': b'
	k test bl a b c
	out_is $'1 a\n0 b\n0 c'
	k add bl --strict b c
	status_is 0
}

test_no_members() { # fingerprints are not listed
	k -q create bl type bytes capacity 1000 bits 8
	k list bl
	refused 'does not store its members'
	k -q create inet bits 16
	k -q add inet 192.0.2.1
	status_is 0
	k list inet
	refused 'does not store its members'
	k list
	out_is $'bl\ninet'
}

test_addresses() { # by fingerprints: room for all that may come, of each length
	awk 'BEGIN { for (i = 0; i < 10000; i++)
		printf "10.1.%d.%d\n", i / 256, i % 256 }' >"$scratch/keys"
	head -5000 "$scratch/keys" >"$scratch/first"
	k create bl fpr 0.001
	status_is 0
	err_has 'room for 1000000 members of a prefix length' 'never grows'
	k load bl "$scratch/first"
	status_is 0
	k add bl -f "$scratch/keys"
	status_is 0
	k -q test bl -f "$scratch/keys"
	status_is 0
	k create b2 bits 32 insert-only capacity 100k
	err_has 'room for 100000 members of a prefix length' 'doubles on demand'
	k load b2 "$scratch/first"
	k load b2 "$scratch/keys"
	status_is 0
	# A few may share a fingerprint with another one.
	[[ $err =~ \ ([0-9]+)\ added,\ ([0-9]+)\ already &&
		${BASH_REMATCH[1]} -ge 4990 && ${BASH_REMATCH[1]} -le 5000 &&
		$((BASH_REMATCH[1] + BASH_REMATCH[2])) = 10000 ]] ||
		complain "load: $err"
	k add b2 198.51.100.0/24
	status_is 0
	k test b2 198.51.100.9 10.1.0.1
	status_is 0
}

test_attach() { # byte strings are in no packet; of addresses the rate is told
	k -q create bl type bytes capacity 1000
	k attach bl
	refused 'byte strings'
	k create inet fpr 0.0001 capacity 10k
	status_is 0
	err_has 'fingerprints of' 'per prefix length in use'
	k -q add inet 192.0.2.1 198.51.100.0/24 2001:db8::/32
	k attach inet
	status_is 0
	err_has 'inet is approximate' 'innocent IPv4 addresses' 'attached inet'
	k test inet 192.0.2.1 198.51.100.77 2001:db8::1
	status_is 0
	k del inet 192.0.2.1
	status_is 0
	err_has '1 deleted'
}

main "$0"
