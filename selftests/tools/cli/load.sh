#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Lists of all formats; bad lines, broken files, --strict.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

list=$scratch/list

# "few" is the command, but keeps a 32nd of the keys in memory, so that a short list needs a
# temporary file. In `make soak` these tests use the command itself.
few=$PWD/few
share=32
if [ -n "$KCUCKOO_SOAK" ]; then
	few=kcuckoo
	share=1
fi
# Ranges of a list that needs a temporary file.
many=$((9000 / share))

zstd_sample() {
	echo 192.0.2.2 | zstd -qc
}

test_formats() { # comments, columns, ranges, CRLF, byte order mark
	printf '\xef\xbb\xbf# comment\r\n' >"$list"
	cat >>"$list" <<-'END'
		; comment
		// comment

		192.0.2.1
		  192.0.2.2	17
		192.0.2.3,US,x
		192.0.2.4;x
		198.51.100.0/24 ; SBL123
		203.0.113.7/24
		192.0.2.16-192.0.2.31
		192.0.2.32 - 192.0.2.63 , 000 , org
		192.0.2.5 - a word
		2001:DB8::/32 # net
	END
	printf '2001:db8:1::1\r\n::1' >>"$list"
	k create bl
	k load bl "$list"
	status_is 0
	out_is ''
	err_has '12 read' '12 added' '0 bad lines' '1 with host bits cleared' \
		'12 members now' 'kernel memory'
	members_are 192.0.2.1 192.0.2.2 192.0.2.3 192.0.2.4 192.0.2.5 \
		192.0.2.16/28 192.0.2.32/27 198.51.100.0/24 203.0.113.0/24 \
		::1 2001:db8::/32 2001:db8:1::1
}

test_packed() { # gzip and zstd, by what is in them and not by their names
	printf '192.0.2.1\n' | gzip >"$scratch/a"
	zstd_sample >"$scratch/b"
	printf '192.0.2.3\n' | gzip >>"$scratch/a"
	printf '192.0.2.4\n' >"$scratch/c.gz"
	k create bl
	k load bl "$scratch/a" "$scratch/b" "$scratch/c.gz"
	status_is 0
	members_are 192.0.2.1 192.0.2.2 192.0.2.3 192.0.2.4
}

test_standard_input() { # plain, packed, from a file and from a pipe
	k create bl
	input=$'192.0.2.1\n192.0.2.2'
	k_input load bl -
	status_is 0
	err_has '2 added'
	printf '192.0.2.3\n' | gzip | kcuckoo -q load bl - ||
		complain "gzip from a pipe"
	members_are 192.0.2.1 192.0.2.2 192.0.2.3
	k flush bl
	zstd_sample | kcuckoo -q load bl - || complain "zstd from a pipe"
	members_are 192.0.2.2
}

test_bad_lines() { # told with their place and counted; the rest goes on
	printf '192.0.2.1\n300.1.1.1\n\n::g\n192.0.2.2\n' >"$list"
	k create bl
	k load bl "$list"
	status_is 0
	err_has "$list:2: " "$list:4: " 300.1.1.1 '2 bad lines' '2 added'
	members_are 192.0.2.1 192.0.2.2
	k -q load bl "$list"
	status_is 0
	err_has "$list:2: "
	err_has_not added
}

test_many_bad_lines() { # the first 20 are told, the others counted
	printf 'bad\n%.0s' {1..50} >"$list"
	echo 192.0.2.1 >>"$list"
	k create bl
	k load bl "$list" --force
	status_is 0
	err_has "$list:20: " '30 more bad lines' '50 bad lines'
	err_has_not "$list:21: "
}

# bad_list BAD GOOD: so many bad lines and good ones, comments and blank lines.
bad_list() {
	printf 'bad\n%.0s' $(seq "$1")
	printf '\n# bad\n%.0s' {1..100}
	seq -f '192.0.2.%g' 1 "$2"
}

test_too_many_bad_lines() { # more than three, and more than one in ten: nothing is changed
	k create bl
	bad_list 3 1 >"$list"
	k load bl "$list"
	status_is 0
	bad_list 4 36 >"$list"
	k load bl "$list"
	status_is 0
	k flush bl
	bad_list 4 35 >"$list"
	k load bl "$list"
	refused "$list:4: " '4 of 39 lines are bad' 'nothing was changed' --force
	members_are
	# All files of a call are counted together.
	bad_list 2 1 >"$scratch/more"
	printf 'x y\n192.0.2.2\n' >"$list"
	k load bl "$scratch/more" "$list"
	status_is 0
	k flush bl
	k load bl "$scratch/more" "$list" "$list"
	refused '4 of 7 lines are bad'
	members_are
	k load bl "$scratch/more" "$list" "$list" --force
	status_is 0
	err_has '4 bad lines' '3 read'
	members_are 192.0.2.1 192.0.2.2
	k flush bl
	k load bl "$scratch/more" "$list" "$list" --force --strict
	refused '--strict: 4 bad lines'
	members_are
	k create bytes type bytes capacity 100
	printf '0g\n%.0s' {1..4} >"$list"
	echo 00 >>"$list"
	k load bytes "$list" --hex
	refused '4 of 5 lines are bad'
}

test_empty() { # a list without any key: an error, and nothing is changed
	k create bl
	k add bl 192.0.2.1
	: >"$scratch/zero"
	printf '# try again in 30 minutes\n; EOF\n\n' >"$scratch/comments"
	gzip -c /dev/null >"$scratch/gzip"
	printf '1.2.3.4 - 1.2.3.9 , 200 , allowed\n' >"$scratch/allowed"
	for list in "$scratch"/{zero,comments,gzip,allowed}; do
		k load bl "$list"
		refused 'contains no address; nothing changed' --allow-empty
		k load bl "$list" --strict
		refused 'contains no address; nothing changed'
		k load bl "$scratch/zero" "$list" --force
		refused 'contains no address; nothing changed'
		k add bl -f "$list"
		refused 'contains no address; nothing changed' --allow-empty
		k load bl "$list" --allow-empty
		status_is 0
		err_has '0 read'
		k add bl -f "$list" --allow-empty
		status_is 0
		k del bl -f "$list"
		status_is 0
		k add bl 192.0.2.1 -f "$list"
		status_is 0
	done
	list=$scratch/list
	# A producer that failed.
	kcuckoo load bl - >"$scratch/out" 2>"$scratch/err" < <(false)
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last='kcuckoo load of an empty pipe'
	refused 'contains no address; nothing changed'
	members_are 192.0.2.1
	k create bytes type bytes capacity 100
	k load bytes /dev/null
	refused 'contains no key; nothing changed'
	echo >"$list"
	k load bytes "$list"
	status_is 0
}

test_no_list() { # bad lines and no key: an error, even where an empty list is none
	local list2=$scratch/list2

	printf '<html>\n<body>\n404\n</body>\n</html>\n' >"$list"
	k create bl
	k load bl "$list"
	refused "$list:1: " '5 bad lines and no key' 'nothing was changed' 'is it a list?'
	k load bl "$list" - --strict
	refused '--strict: 5 bad lines'
	k load bl "$list" --allow-empty
	refused '5 bad lines and no key'
	k load bl "$list" --force
	refused '5 bad lines and no key'
	k load bl "$list" --force --allow-empty
	status_is 0
	printf '# nothing today\n\n' >"$list2"
	k load bl "$list" "$list2"
	refused '5 bad lines and no key'
	echo '<html>' >"$list"
	k load bl "$list" --allow-empty
	refused '1 bad line and no key'
	echo 192.0.2.1 >>"$list2"
	k load bl "$list" "$list2"
	status_is 0
	err_has '1 bad line,' '1 added'
	k load bl "$list" "$list2"
	status_is 0
	err_has '0 added'
}

# replaces LIST: put it in the place of the list of bad, as the README says.
replaces() {
	cp "$1" "$scratch/blocklist.txt"
	(cd "$scratch" && eval "$recipe") >"$scratch/out" 2>"$scratch/err"
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last="the README's recipe with $(<"$1")"
}

test_replace() { # the README's recipe keeps the old list where a new one fails
	local recipe

	recipe='kcuckoo apply bad blocklist.txt'
	grep -qF "$recipe" ../../../README.md || complain "the README has another recipe"
	k create bad
	k attach bad
	echo 192.0.2.1 >"$list"
	replaces "$list"
	status_is 0
	echo '<html>' >"$list"
	replaces "$list"
	refused '1 bad line and no key'
	k test bad 192.0.2.1
	status_is 0
	: >"$scratch/zero"
	printf '# try again\n; EOF\n' >"$scratch/comments"
	gzip -c /dev/null >"$scratch/gzip"
	bad_list 5 20 >"$scratch/mixed"
	for list in "$scratch"/{zero,comments,gzip,mixed}; do
		replaces "$list" 2>/dev/null
		status_is 2
		k test bad 192.0.2.1
		status_is 0
	done
	list=$scratch/list
	k list
	out_is bad
	echo 192.0.2.2 >"$list"
	replaces "$list"
	status_is 0
	k test bad 192.0.2.1 192.0.2.2
	out_is $'0 192.0.2.1\n1 192.0.2.2\t192.0.2.2'
	k list
	out_is bad
}

test_noise() { # zero bytes, escapes and long lines are bad lines
	{
		printf '192.0.2.1\0\n\033[2J\n'
		head -c 300000 /dev/zero | tr '\0' '1'
		printf '\n192.0.2.2\n'
	} >"$list"
	k create bl
	k load bl "$list" 2>/dev/null
	status_is 0
	err_has "$list:1: " "$list:2: " "$list:3: the line is too long" \
		'3 bad lines'
	[[ $err != *$'\033'* ]] || complain "an escape sequence came through"
	members_are 192.0.2.2
}

test_columns() { # a mask, a length, the end of a network: understood, or bad
	cat >"$list" <<-'END'
		# start, end, length, attacks
		Start	End	Netmask
		198.51.100.0	198.51.100.255	24	579	EXAMPLE
		203.0.113.0	203.0.113.255	255.255.255.0	90	OLD
		10.0.0.0,255.255.0.0
		"10.1.0.0","10.1.0.255","AU"
		10.2.0.0;24;Org
		10.3.0.0 0.0.0.255
		10.6.0.0 / 255.255.255.0
	END
	k create bl
	k load bl "$list"
	status_is 0
	err_has '7 read' '5 lines have a second address'
	members_are 10.0.0.0/16 10.1.0.0/24 10.2.0.0/24 10.3.0.0/24 10.6.0.0/24 198.51.100.0/24 \
		203.0.113.0/24
	# In this list, a row of DShield that was cut off would be a host with a number.
	printf '%s\n' $'Start\tEnd\tNetmask' $'198.51.100.0\t198.51.100.255\t24' $'10.4.0.7\t24' \
		>"$scratch/cut"
	k load bl "$scratch/cut"
	err_has "$scratch/cut:3: " '1 bad line'
	printf '10.4.0.7\t24\n10.5.0.7|17|x\n' >>"$scratch/numbers"
	k load bl "$scratch/numbers"
	err_has '2 lines have a number after the key'
	k -j load bl "$list" "$scratch/numbers"
	[[ $out == *'"second_addresses": 5'*'"ignored_numbers": 2'* ]] || complain "$out"
	members_are 10.0.0.0/16 10.1.0.0/24 10.2.0.0/24 10.3.0.0/24 10.4.0.7 10.5.0.7 10.6.0.0/24 \
		198.51.100.0/24 203.0.113.0/24
	k flush bl
	printf '192.0.2.7,192.0.2.9\n192.0.2.11 x 192.0.2.12\n192.0.2.20\n' >"$list"
	k load bl "$list"
	status_is 0
	err_has "$list:1: " --ranges "$list:2: " '--format row' '1 added'
	members_are 192.0.2.20
	k flush bl
	printf '192.0.2.7,192.0.2.9\n192.0.2.20\n' >"$list"
	k load bl --ranges "$list"
	members_are 192.0.2.7 192.0.2.8/31 192.0.2.20
	k del bl -f "$list" --ranges
	err_has '3 deleted'
	k load bl --format row "$list"
	members_are 192.0.2.7 192.0.2.9 192.0.2.20
	k test bl --format=row -f "$list"
	out_is $'1 192.0.2.7\t192.0.2.7\n1 192.0.2.9\t192.0.2.9\n1 192.0.2.20\t192.0.2.20'
	k flush bl
	printf '192.0.2.7:80\n[2001:db8::1]:443\n192.0.2.8 x\n' >"$list"
	k load bl "$list"
	status_is 0
	err_has "$list:1: " hostport "$list:2: " '1 added'
	k load bl --format hostport "$list"
	err_has '2 added'
	members_are 192.0.2.7 192.0.2.8 2001:db8::1
	k load bl --format other "$list"
	refused "format 'other'"
	k create bytes type bytes capacity 100
	k load bytes --ranges "$list"
	refused 'holds byte strings'
	# A key of several columns is printed in canonical form, others as they were written.
	printf '192.0.2.8\t32\n192.0.2.9/32 x\n' >"$list"
	k test bl -f "$list"
	out_is $'1 192.0.2.8\t192.0.2.8\n0 192.0.2.9/32'
}

test_p2p() { # names before a colon, zero padding, levels of ipfilter.dat
	cat >"$list" <<-'END'
		# a comment
		Example Org:198.51.100.0-198.51.100.255
		http://spam.example:203.0.113.7-203.0.113.7
		192.0.2.99 open proxy:203.0.113.64-203.0.113.127
		192.0.2.98 - relay, Inc:198.18.0.0-198.18.0.255
		010.000.000.000 - 010.000.000.255 , 000 , words
	END
	k create bl
	k load bl "$list"
	status_is 0
	err_has '5 read' '0 bad lines'
	members_are 10.0.0.0/24 198.18.0.0/24 198.51.100.0/24 203.0.113.7 203.0.113.64/26
	# In another list, the number can be one of an autonomous system.
	echo '010.000.001.000 - 010.000.001.255 , 127 , allowed' >>"$list"
	k load bl "$list"
	err_has "$list:7: the number could be a level of ipfilter.dat" '1 bad line'
	printf '%s\n' '010.000.000.000 - 010.000.000.255 , 000 , words' \
		'010.000.001.000 - 010.000.001.255 , 127 , allowed' >"$list"
	k load bl "$list"
	status_is 0
	err_has '1 read' '0 bad lines' '1 range of level 127 or above'
	members_are 10.0.0.0/24 198.18.0.0/24 198.51.100.0/24 203.0.113.7 203.0.113.64/26
}

test_hosts() { # a hosts file is no list of addresses; names behind others are
	cat >"$list" <<-'END'
		127.0.0.1 localhost
		::1 localhost
		0.0.0.0 0.0.0.0
		0.0.0.0 ads.example
		192.0.2.7 host.example
	END
	k create bl
	k load bl "$list"
	refused "$list:1: " 'hosts file' 'type bytes' '4 of 5 lines are bad'
	printf '0.0.0.0/8 this network\n127.0.0.0/8,loopback\n192.0.2.7 host.example\n' >"$list"
	k load bl "$list"
	status_is 0
	members_are 0.0.0.0/8 127.0.0.0/8 192.0.2.7
}

test_mapped() { # ::ffff:a.b.c.d is IPv4, which a packet has
	k create bl
	k add bl ::ffff:192.0.2.1 ::ffff:192.0.2.64/122 192.0.2.1
	status_is 0
	err_has '2 IPv4-mapped keys of IPv6 became IPv4'
	printf '::ffff:198.51.100.7 x\n::ffff:198.51.100.8-::ffff:198.51.100.9\n' >"$list"
	k load bl "$list"
	err_has '2 IPv4-mapped keys of IPv6 became IPv4'
	members_are 192.0.2.1 192.0.2.64/26 198.51.100.7 198.51.100.8/31
	k test bl ::ffff:192.0.2.1 ::ffff:192.0.2.65 ::ffff:192.0.2.2
	status_is 1
	out_is $'1 ::ffff:192.0.2.1\t192.0.2.1\n1 ::ffff:192.0.2.65\t192.0.2.64/26\n0 ::ffff:192.0.2.2'
	k del bl ::ffff:192.0.2.1 ::ffff:192.0.2.64/122 ::ffff:198.51.100.7-::ffff:198.51.100.9
	err_has '4 deleted'
	# A member that is mapped itself, as an old snapshot may have it.
	k add bl ::ffff:0:0/96 ::fffe:ffff:ffff-::ffff:0:0
	members_are ::fffe:ffff:ffff ::ffff:0:0/96 ::ffff:0:0
	k del bl ::ffff:0:0
	err_has '0 deleted' '1 IPv4-mapped key of IPv6'
	k del bl --exact ::ffff:0:0
	err_has '1 deleted'
	err_has_not mapped
	members_are ::fffe:ffff:ffff ::ffff:0:0/96
}

test_long_bad() { # a long list is refused before the first change
	local bad=$((many / 8 + 10))

	long_list "$many" >"$list"
	bad_list "$bad" 20 >>"$list"
	k create bl
	k_few -v load bl "$list"
	refused 'keeping them in a temporary file' "$bad of $((many + bad + 20)) lines are bad"
	members_are
}

test_longest() { # 262144 bytes, and not one more
	{
		printf '192.0.2.1 %0262134d\n192.0.2.2 %0262135d\n' 0 0
		printf '192.0.2.3 %0262134d' 0
	} >"$list"
	k create bl
	k load bl "$list"
	status_is 0
	err_has "$list:2: the line is too long" '1 bad line,' '2 added'
	members_are 192.0.2.1 192.0.2.3
}

test_returns() { # lines that end in a carriage return alone are one bad line
	printf '192.0.2.1\r192.0.2.2\r' >"$list"
	k create bl
	k load bl "$list"
	refused "$list:1: " 'carriage return' '1 bad line '
	printf '# list\r192.0.2.1\r\n192.0.2.3\r\n' >"$list"
	k load bl "$list"
	err_has "$list:1: " '1 bad line,' '1 added'
	members_are 192.0.2.3
}

test_strict() { # a bad line, a member or a repeat: nothing is changed
	k create bl
	k -q add bl 192.0.2.1
	printf '192.0.2.2\nbad\n' >"$list"
	k load bl --strict "$list"
	refused "$list:2: " '1 bad line' 'nothing was changed'
	printf '192.0.2.2\n192.0.2.1\n' >"$list"
	k load bl --strict "$list"
	refused 'already a member' 'nothing was changed'
	printf '192.0.2.2\n192.0.2.3\n192.0.2.2\n' >"$list"
	k load --strict bl "$list"
	refused 'repeats an earlier key' 'nothing was changed'
	members_are 192.0.2.1
	printf '192.0.2.2\n192.0.2.3\n' >"$list"
	k load bl "$list" --strict
	status_is 0
	members_are 192.0.2.1 192.0.2.2 192.0.2.3
}

test_unreadable() { # a file that cannot be read: named, nothing was added
	printf '192.0.2.1\n' >"$list"
	k create bl
	k load bl "$list" "$scratch/none"
	refused "$scratch/none" 'No such file' 'nothing was added'
	k load bl "$list" "$scratch"
	refused "$scratch" 'Is a directory' 'nothing was added'
	members_are
}

test_cut_off() { # packed and cut off: an error, nothing was added
	seq -f '10.0.%g.1' 0 255 | gzip >"$scratch/a"
	zstd_sample >"$scratch/b"
	k create bl
	for list in "$scratch/a" "$scratch/b"; do
		head -c "$(($(stat -c %s "$list") - 3))" "$list" >"$scratch/cut"
		k load bl "$scratch/cut"
		refused "$scratch/cut" truncated 'nothing was added'
		head -c 12 "$list" >"$scratch/cut"
		k load bl "$scratch/cut"
		refused "$scratch/cut" truncated
	done
	members_are
	list=$scratch/list
}

# archives FOLDER: lists of 100 addresses each, packed in all ways, and b.list in some.
archives() {
	mkdir -p "$1/d"
	seq -f '10.0.0.%g' 100 >"$1/d/a.txt"
	echo 192.0.2.1 >"$1/b.list"
	tar -C "$1" -cf "$1/tar" d b.list
	gzip -c "$1/tar" >"$1/tgz"
	xz -c "$1/tar" >"$1/txz"
	zstd -qc "$1/tar" >"$1/tzst"
	xz -c "$1/d/a.txt" >"$1/xz"
	python3 - "$1" <<-'END'
		import bz2, sys, zipfile
		folder = sys.argv[1]
		text = open(folder + "/d/a.txt").read()
		open(folder + "/bz2", "wb").write(bz2.compress(text.encode()))
		for name, method in ("stored", zipfile.ZIP_STORED), ("zip", zipfile.ZIP_DEFLATED):
		    with zipfile.ZipFile(folder + "/" + name, "w", method) as file:
		        file.writestr("d/", "")
		        file.writestr("d/a.txt", text)
		        file.writestr("b.list", "192.0.2.1\n")
	END
}

test_archives() { # all files of an archive, from a file and from a pipe
	local kind members

	archives "$scratch/packed"
	k create bl
	for kind in tar tgz txz tzst stored zip xz bz2; do
		members=100
		[[ $kind == *t* || $kind == zip ]] && members=101
		k flush bl
		k load bl "$scratch/packed/$kind"
		status_is 0
		err_has "$members added"
		k flush bl
		kcuckoo load bl - >"$scratch/out" 2>"$scratch/err" < <(cat "$scratch/packed/$kind")
		status=$?
		err=$(<"$scratch/err")
		last="kcuckoo load of $kind from a pipe"
		status_is 0
		err_has "$members added"
	done
	k load bl "$scratch/packed/tgz"
	err_has 'unpacked gzip, tar: 2 files'
	k del bl -f "$scratch/packed/zip"
	status_is 0
	err_has '101 deleted' 'unpacked zip: 2 files'
	k add bl -f "$scratch/packed/txz" --member '*.list'
	status_is 0
	members_are 192.0.2.1
	k test bl -f "$scratch/packed/tar" --member b.list
	status_is 0
	out_is $'1 192.0.2.1\t192.0.2.1'
	k load bl "$scratch/packed/stored" --member 'c*'
	refused "$scratch/packed/stored" '--member c*' d/a.txt b.list 'nothing was added'
	k load bl "$scratch/packed/xz" --member '*'
	refused '--member applies to tar and zip'
	k load bl "$scratch/packed/b.list" --member '*'
	refused '--member applies to tar and zip'
}

test_archives_long() { # an archive with more keys than are kept in memory
	mkdir "$scratch/packed"
	long_list $many >"$scratch/packed/long"
	tar -C "$scratch/packed" -cf "$scratch/packed/tar" long
	k create bl
	"$few" -v load bl "$scratch/packed/tar" 2>"$scratch/err"
	status=$?
	err=$(<"$scratch/err")
	last='kcuckoo load of a long archive'
	status_is 0
	err_has 'keeping them in a temporary file' "$many read"
	"$few" -v load bl - 2>"$scratch/err" < <(cat "$scratch/packed/tar")
	status=$?
	err=$(<"$scratch/err")
	last='kcuckoo load of a long archive from a pipe'
	status_is 0
	err_has 'keeping them in a temporary file' "$many read" ' 0 added'
}

test_archives_damaged() { # an error, and nothing is added
	local kind size

	archives "$scratch/packed"
	k create bl
	for kind in tar tgz txz tzst stored zip xz bz2; do
		size=$(stat -c %s "$scratch/packed/$kind")
		# Of a tar archive some zeros at the end are padding.
		[ $kind != tar ] || size=2600
		head -c $((size - 2)) "$scratch/packed/$kind" >"$scratch/cut"
		k load bl "$scratch/cut"
		refused "cannot read $scratch/cut" 'nothing was added'
		[ $kind != tar ] || continue
		cp "$scratch/packed/$kind" "$scratch/cut"
		printf 'something else' >>"$scratch/cut"
		k load bl "$scratch/cut"
		refused "cannot read $scratch/cut" 'nothing was added'
	done
	members_are
	k load bl /bin/sh
	refused 'ELF' 'nothing was added'
}

# dictionary CODE SUM: xz data of 192.0.2.9 that says how much memory its dictionary takes.
dictionary() {
	printf '\xfd7zXZ\0\0\4\xe6\xd6\xb4\x46\2\0\x21\1%b\0\0\0%b' "$1" "$2"
	printf '\1\0\x09192.0.2.9\n\0\0\0\xe4\xd3\xf4\x9b\x18\x19\x51\xaf\0\1\x22\x0a'
	printf '\x15\x1a\xe1\x67\x1f\xb6\xf3\x7d\1\0\0\0\0\4YZ'
}

test_archives_memory() { # what xz -9 packs is unpacked, 1.5 GiB of dictionary are refused
	dictionary '\x1c' '\x10\xcf\x58\xcc' >"$scratch/64M"
	dictionary '\x25' '\x3b\x78\x7b\x41' >"$scratch/1536M"
	k create bl
	k load bl "$scratch/64M"
	status_is 0
	members_are 192.0.2.9
	k load bl "$scratch/1536M"
	refused "$scratch/1536M" '160 MiB of memory' 'nothing was added'
	# Keys that are kept already take nothing from it.
	long_list 7000 >"$list"
	k load bl "$list" "$scratch/64M"
	status_is 0
	k flush bl
}

test_archives_interrupted() { # a signal ends the process that unpacks, too
	local process signal child

	archives "$scratch/packed"
	mkfifo "$scratch/pipe"
	k create bl
	for signal in INT TERM KILL; do
		env --default-signal=INT kcuckoo load bl - <"$scratch/pipe" 2>/dev/null &
		process=$!
		exec 9>"$scratch/pipe"
		head -c 3000 "$scratch/packed/tar" >&9
		child=
		for _ in {1..100}; do
			child=$(<"/proc/$process/task/$process/children")
			[ -z "$child" ] || break
			sleep 0.1
		done
		[ -n "$child" ] || complain "no process unpacks"
		kill -$signal $process
		wait $process 2>/dev/null
		status=$?
		last="kcuckoo load and SIG$signal"
		status_is $((128 + $(kill -l $signal)))
		exec 9>&-
		for _ in {1..100}; do
			[ -e "/proc/${child% }" ] || break
			sleep 0.1
		done
		[ ! -e "/proc/${child% }" ] || complain "$last: a process stays"
	done
	members_are
}

test_archives_library() { # only archives need libarchive, and an error names it
	local library

	archives "$scratch/packed"
	library=$(ldconfig -p | sed -n 's/.*libarchive\.so\.13.* => //p' | head -n 1)
	mount --bind /dev/null "$library" || complain "cannot hide $library"
	k create bl
	k load bl "$scratch/packed/tar"
	refused "$scratch/packed/tar" 'needs libarchive' 'nothing was added'
	gzip "$scratch/packed/b.list"
	k load bl "$scratch/packed/b.list.gz"
	status_is 0
	umount "$library"
	k load bl "$scratch/packed/tar"
	status_is 0
}

test_utf16() { # with a byte order mark: converted; without one, or damaged: an error
	k create bl
	printf '\xff\xfe1\0.\0001\0.\0001\0.\0001\0\r\0\n\0002\0.\0002\0.\0002\0.\0002\0' >"$list"
	k load bl "$list"
	status_is 0
	err_has '2 added' 'converted from UTF-16'
	members_are 1.1.1.1 2.2.2.2
	tail -c +3 "$list" >"$scratch/unmarked"
	k load bl "$scratch/unmarked"
	refused 'UTF-16 text without a byte order mark' 'nothing was added'
	truncate -s -1 "$list"
	k load bl "$list"
	refused "$list after line 0: the UTF-16 text is truncated at byte 32" 'nothing was added'
}

test_full() { # beyond the capacity: told exactly how many were added
	seq -f '10.0.0.%g' 0 99 >"$list"
	k create bl capacity 30
	k load bl "$list"
	refused "'bl' is full" '30 of 100 keys were added'
	k -j info bl
	[[ $out == *'"entries": 30,'* ]] || complain "$out"
}

test_again() { # the same list again adds nothing and takes no more memory
	local first

	awk 'BEGIN { srand(1); for (i = 0; i < 100000; i++)
		printf "%d.%d.%d.%d\n", 1 + rand() * 200, rand() * 256,
			rand() * 256, rand() * 256 }' | sort -u >"$list"
	k create bl
	k load bl "$list"
	status_is 0
	k -j info bl
	first=${out#*memory_bytes}
	first=${first%%,*}
	k load bl "$list"
	status_is 0
	err_has '0 added'
	k -j info bl
	[[ $out == *"memory_bytes$first,"* ]] ||
		complain "memory was $first, is now $out"
}

test_index() { # what is kept of lengths is fitted to a list, if most of it is new
	awk 'BEGIN { for (i = 0; i < 65536; i++)
		printf "10.%d.%d.0/%d\n", i / 256, i % 256, 24 + i % 4 }' >"$list"
	awk 'BEGIN { for (i = 0; i < 16384; i++)
		printf "11.%d.%d.0/24\n", i / 256, i % 256 }' >"$list.more"
	k create bl
	k -v load bl "$list"
	status_is 0
	err_has 'free unused memory: done'
	k -v load bl "$list.more"
	status_is 0
	err_has_not 'free unused memory'
	k test bl -f "$list"
	status_is 0
	k test bl 10.3.3.1 11.2.2.2
	status_is 0
	k test bl 12.0.0.1
	status_is 1
}

test_round_trip() { # a mixed list of 100,000 comes back as the same set
	awk 'BEGIN { srand(2); for (i = 0; i < 50000; i++) {
		printf "%d.%d.%d.0/%d\n", 1 + rand() * 200, rand() * 256,
			rand() * 256, 24 + rand() * 2
		printf "2001:%x:%x::%x/%d\n", 1 + rand() * 65535,
			1 + rand() * 65535, 1 + rand() * 65535,
			112 + rand() * 17 } }' >"$list"
	k create bl
	k load bl "$list"
	status_is 0
	k list bl
	cp "$scratch/out" "$scratch/once"
	k create again
	k load again "$scratch/once"
	err_has ' 0 already members' ' 0 with host bits'
	k list again
	cmp "$scratch/out" "$scratch/once" || complain "another list came back"
	k test bl -f "$scratch/once"
	status_is 0
}

# long_list N: so many ranges of 250 prefixes or so each: millions, from a small file.
long_list() {
	local i

	for ((i = 1; i <= $1; i++)); do
		printf '%x:%x::1-ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe\n' \
			"$((i * 5 % 65536))" "$((i * 7 % 65536))"
	done
}

# apart_list N: so many ranges of 190 prefixes each, none of them twice.
apart_list() {
	local i net

	for ((i = 1; i <= $1; i++)); do
		printf -v net %x:%x "$((i * 5 % 65536))" "$((i * 7 % 65536))"
		echo "$net::1-$net:ffff:ffff:ffff:ffff:ffff:fffe"
	done
}

# k_few WORD...: the same as k, with the command that keeps few keys.
k_few() {
	"$few" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last="kcuckoo $*"
}

test_long_full() { # a long list that exceeds the capacity: one error
	long_list "$many" >"$list"
	k create bl capacity 1000
	k_few load bl "$list"
	refused "'bl' is full" ' 1000 of '
	[ "$(grep -c 'were added' "$scratch/err")" = 1 ] ||
		complain "reported more than once: $err"
}

test_read_once() { # a long list may be gone when its keys are added
	apart_list "$many" >"$list"
	k create bl
	# More than a pipe holds: when it is gone, the list before it has been read.
	"$few" load bl "$list" - >"$scratch/out" 2>"$scratch/err" < <(
		yes '#' | head -c 300000
		rm "$list"
	)
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last='kcuckoo load of a list that is removed after it was read'
	status_is 0
	err_has "$many read" " $((many * 190)) added"
}

# memory_of NAME: print how many bytes the filter takes.
memory_of() {
	kcuckoo -j info "$1" | sed -n 's/.*"memory_bytes": *\([0-9]*\).*/\1/p'
}

test_long_again() { # a long list that is loaded again needs no room for two
	local before tracing=/sys/kernel/tracing

	long_list "$many" >"$list"
	k create bl
	k_few load bl "$list"
	status_is 0
	before=$(memory_of bl)
	mountpoint -q "$tracing" || mount -t tracefs tracefs "$tracing"
	: >"$tracing/trace"
	echo 1 >"$tracing/events/kcuckoo/kcuckoo_resize/enable"
	k_few load bl "$list"
	echo 0 >"$tracing/events/kcuckoo/kcuckoo_resize/enable"
	status_is 0
	err_has ' 0 added'
	# Room for two would be given back at the end, so the memory alone does not show it.
	! grep 'kcuckoo_resize: ' "$tracing/trace" ||
		complain "$last: a table was resized"
	[ "$(memory_of bl)" = "$before" ] ||
		complain "from $before bytes to $(memory_of bl)"
}

# without_room TMPDIR LIST...: load lists, without room for a temporary file.
without_room() {
	TMPDIR=$1 "$few" load bl "${@:2}" >"$scratch/out" 2>"$scratch/err"
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last="kcuckoo load with TMPDIR=$1"
}

test_no_spool() { # no temporary file, or no room in it: nothing was added
	long_list "$many" >"$list"
	k create bl
	without_room /nonexistent "$list" </dev/null
	refused 'cannot keep the keys' 'nothing was added' \
		'cannot write a temporary file in /nonexistent (No such file'
	archives "$scratch/packed"
	without_room /nonexistent - < <(cat "$scratch/packed/zip")
	refused 'cannot read standard input' 'nothing was added' \
		'cannot write a temporary file in /nonexistent (No such file'
	mkdir "$scratch/full"
	mount -t tmpfs -o size=8k none "$scratch/full"
	without_room "$scratch/full" "$list" </dev/null
	refused 'cannot keep the keys' "$scratch/full (No space left" 'nothing was added'
	umount "$scratch/full"
	members_are
}

# spools FOLDER: a long list and a key from a pipe, with the temporary file there.
spools() {
	(
		cd "$scratch" || exit
		TMPDIR=$1 "$few" load bl "$list" - 2>"$scratch/err" < <(echo 192.0.2.1)
	)
	status=$?
	err=$(<"$scratch/err")
	last="kcuckoo load with TMPDIR=$1"
	status_is 0
	k test bl 192.0.2.1
	status_is 0
	k flush bl
}

test_spool() { # in a folder with a relative name, and where files must have names
	local folder=$scratch/overlay

	long_list "$many" >"$list"
	k create bl
	mkdir "$scratch/relative"
	spools relative
	mkdir "$folder"
	mount -t tmpfs none "$folder"
	mkdir "$folder"/{lower,upper,work,merged}
	modprobe overlay
	mount -t overlay -o "lowerdir=$folder/lower,upperdir=$folder/upper,workdir=$folder/work" \
		none "$folder/merged" || complain "no overlay"
	spools "$folder/merged"
	[ -z "$(ls "$folder/merged")" ] || complain "left behind: $(ls "$folder/merged")"
	umount "$folder/merged" "$folder"
}

test_spool_limit() { # a limit on file sizes matters only to long lists
	long_list "$many" >"$list"
	k create bl
	(
		ulimit -f 1
		exec "$few" -q load bl - 2>"$scratch/err" < <(seq -f '10.0.%g.1' 0 255)
	)
	status=$?
	err=$(<"$scratch/err")
	last='kcuckoo load with short files'
	status_is 0
	err_is_empty
	k test bl 10.0.0.1 10.0.255.1
	status_is 0
	k flush bl
	(
		ulimit -f 1
		exec "$few" -q load bl "$list" - >"$scratch/out" 2>"$scratch/err" < <(
			seq -f '10.0.%g.1' 0 255
		)
	)
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last='kcuckoo load of a long list with short files'
	refused 'cannot keep the keys' '(File too large)' 'nothing was added'
	members_are
}

# small WORD...: run the command, which must have less than 64 MiB in memory at any time.
small() {
	local peak

	./peak "$scratch/peak" "$few" -v "$@" >"$scratch/out" 2>"$scratch/err"
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	peak=$(<"$scratch/peak")
	last="kcuckoo $*"
	echo "# $last: $peak KiB at most"
	[ "$peak" -lt 65536 ] || complain "$last: needed $peak KiB"
}

test_memory() { # lists of any length, in less than 64 MiB
	# Twice as many prefixes as are kept in memory.
	local long=$((16000 / share)) apart=$((18000 / share))

	long_list $long >"$list"
	k create bl
	small load bl "$list"
	status_is 0
	err_has 'keeping them in a temporary file' "$long read"
	small load bl - < <(cat "$list")
	status_is 0
	err_has 'keeping them in a temporary file' "$long read" ' 0 added'
	apart_list $apart >"$list"
	k flush bl
	small load bl - --strict < <(cat "$list")
	status_is 0
	err_has 'keeping them in a temporary file' "$apart read" " $((apart * 190)) added"
	small load bl "$list" --strict
	refused 'at least ' 'keys are already members of' 'nothing was changed'
}

test_long_strict() { # what is wrong with a long list is found, wherever it is
	local bad apart=$((12000 / share)) keys=$((2000000 / share))

	apart_list $apart >"$list"
	cp "$list" "$list.bad"
	echo bad >>"$list.bad"
	k create bl
	small load bl "$list.bad" --strict
	refused "$list.bad:$((apart + 1)): " '--strict: 1 bad line; nothing was changed'
	for bad in 5:7::1 3e8:578:0:0:8000::/65; do
		cp "$list" "$list.bad"
		echo "$bad" >>"$list.bad"
		small load bl "$list.bad" --strict
		refused '--strict: at least 1 key repeats an earlier key' "$bad" \
			'nothing was changed'
	done
	members_are
	k add bl 5:7::1
	small load bl "$list" --strict
	refused '--strict: at least 1 key is already a member' 5:7::1 'nothing was changed'
	members_are 5:7::1
	# All keys of a part are the same.
	k create bytes type bytes capacity 100 bits 16 fixed
	yes a | head -n $keys >"$list"
	small load bytes "$list" --strict
	refused '--strict: at least ' 'keys repeat earlier keys, for example a'
	seq $keys >"$list"
	small load bytes "$list" --strict
	refused "'bytes' is full"
	err_has_not --strict
}

test_several() { # many files in one run, counted together
	local i

	for i in 1 2 3 4 5; do
		printf '192.0.2.%d\n192.0.2.100\n' "$i" >"$scratch/$i"
	done
	k create bl
	k load bl "$scratch"/[1-5]
	status_is 0
	err_has '10 read' '6 added' '4 already members'
}

# swapped N WORD...: a command during which another swaps or destroys bl, after call number N
# that changes keys.
swapped() {
	export LD_PRELOAD=$PWD/swapped.so SWAP_AFTER=$1
	shift
	k "$@"
	unset LD_PRELOAD SWAP_AFTER
}

test_swapped_long() { # another program swaps the filter while long strings are added
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%02000d\n", i }' >"$list"
	k create bl type bytes capacity 100K
	k create other type bytes capacity 100K
	swapped 1 load bl "$list"
	refused "cannot add to 'bl': another program destroyed, renamed or replaced this filter" \
		'of 20000 keys were added'
	k destroy bl
	k destroy other
	rm "$list"
}

test_swapped() { # another program swaps or destroys the filter: its keys are not reported as added
	local why="'bl': another program destroyed, renamed or replaced this filter"

	# More keys than a batch has.
	awk 'BEGIN { for (i = 0; i < 70000; i++)
		printf "10.%d.%d.%d\n", i / 65536, i / 256 % 256, i % 256 }' >"$list"
	k create bl value 8
	k create other value 8
	swapped 1 load bl "$list"
	refused "cannot add to $why" 'run the command again' '65536 of 70000 keys were added'
	err_has_not 'members now'
	k swap bl other
	swapped 2 -j load bl "$list"
	refused "cannot add to $why" '4464 of 70000 keys were added'
	for i in bl other; do
		k flush $i
	done
	swapped 1 -j add bl -f "$list"
	refused "cannot add to $why" '65536 of 70000 keys were added'
	k swap bl other
	swapped 1 update bl -f "$list" --value 7
	refused "cannot update $why" 'keys were updated'
	k swap bl other
	swapped 1 -j del bl -f "$list"
	refused "cannot delete from $why" 'keys were deleted'
	# A single batch goes to one filter, and apply does not lose it: a daemon gets no error.
	k flush bl
	swapped 1 add bl 192.0.2.1
	status_is 0
	k test other 192.0.2.1
	status_is 0
	k destroy other
	swapped 1 load bl "$list"
	refused "cannot add to $why" '65536 of 70000 keys were added'
	k create bl
	swapped 3 load bl "$list"
	status_is 0
}

main "$0"
