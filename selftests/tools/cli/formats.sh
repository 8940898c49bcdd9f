#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Formats of lists: the verb formats, and what load takes from them.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

list=$scratch/list

test_table() { # without a file, each format is listed on a line
	local name

	k formats
	status_is 0
	err_is_empty
	for name in list hostport row csv dshield hosts ipfilter ipset p2p; do
		[[ $'\n'$out == *$'\n'"$name "* ]] || complain "no format $name: $out"
	done
}

test_lines() { # each line with its key, or why it has none
	printf '# x\n192.0.2.1\t7\n192.0.2.4-192.0.2.9 timeout 5m\n192.0.2.300\n!192.0.2.8\n' >"$list"
	k formats "$list"
	status_is 0
	err_is_empty
	out_is "$list: format list
$list:2: 192.0.2.1\\x097 -> 192.0.2.1
$list:3: 192.0.2.4-192.0.2.9 timeout 5m -> 192.0.2.4-192.0.2.9 timeout 300
$list:4: 192.0.2.300 -> bad: a number of an IPv4 address is at most 255
$list:5: !192.0.2.8 -> exception: 192.0.2.8
$list: 2 keys, 1 range, 1 exception, 1 line with an ignored number, 1 bad line"
}

test_many_lines() { # the first ten lines are shown, all are counted
	seq -f '192.0.2.%.0f' 50 | gzip >"$list"
	k formats "$list"
	status_is 0
	[ "$(wc -l <<<"$out")" = 12 ] || complain "lines: $out"
	[[ $out == *"format list, unpacked or converted from gzip"* ]] || complain "gzip: $out"
	[[ $out == *": 50 keys, 0 bad lines" ]] || complain "sums: $out"
}

test_archive() { # files of an archive are named with their formats
	mkdir "$scratch/in"
	printf 'add s 192.0.2.1\n' >"$scratch/in/a"
	printf '192.0.2.2\n' >"$scratch/in/b"
	tar -C "$scratch/in" -czf "$list" a b
	k formats "$list"
	status_is 0
	[[ $out == *"$list(a): format ipset (recognized), unpacked or converted from gzip, tar"* &&
		$out == *"$list(b): format list"* && $out == *": 2 keys, 0 bad lines" ]] ||
		complain "$out"
	k formats --member b "$list"
	status_is 0
	[[ $out == *": 1 key, 0 bad lines" ]] || complain "$out"
}

test_without_device() { # neither the module nor a privilege is needed
	printf '192.0.2.1\n' >"$list"
	chmod 755 "$scratch"
	chmod 644 "$list"
	setpriv --reuid 65534 --regid 65534 --clear-groups kcuckoo formats "$list" >/dev/null ||
		complain "exit status $? as a user"
}

test_refused() { # what cannot be read is an error that names it
	k formats "$scratch/none"
	refused "$scratch/none" 'No such file'
	k formats --format other "$list"
	refused "format 'other'"
	printf 'create w hash:ip,port\nadd w 192.0.2.1,tcp:80\n' >"$list"
	k formats "$list"
	status_is 2
	err_has "$list:2: the set 'w' has type hash:ip,port"
	printf '192.0.2.1\n' >"$list"
	k formats "$list?set=x"
	refused "have no option 'set'"
	k formats --column '' "$list"
	refused '--column needs'
	k formats --column 1 --format ipset "$list"
	refused '--column needs the format csv'
}

test_load_csv() { # the keys of a column are loaded, the heading is counted
	printf 'id;"ip"\n1;192.0.2.1\n2;198.51.100.0/24\n' >"$list"
	k create bl
	k load bl --column ip "$list"
	status_is 0
	err_has '2 added' '1 line has no key in this format and was skipped' '0 bad lines'
	members_are 192.0.2.1 198.51.100.0/24
	k test bl --column 2 -f "$list"
	status_is 0
	k del bl --column 2 -f "$list"
	status_is 0
	members_are
	printf '1,192.0.2.4,192.0.2.7\n' >"$list"
	k load bl --column 2 --ranges "$list"
	status_is 0
	members_are 192.0.2.4/30
	k load bl --column src "$list"
	refused "$list:1: no heading has the column 'src'" 'nothing was added'
}

test_load_ipset() { # the entries of a set, with their timeouts
	cat >"$list" <<-'END'
		create bad hash:net family inet hashsize 1024 maxelem 65536 timeout 0
		add bad 192.0.2.0/24 timeout 300
		add bad 198.51.100.7 timeout 0
		add bad 192.0.2.7 timeout 300 nomatch
	END
	k create bl
	k load bl --force "$list"
	status_is 0
	err_has "$list:4: the line allows an address" '2 added' \
		'1 key has a timeout in the list, and none in this filter: they stay'
	members_are 192.0.2.0/24 198.51.100.7
	k create t timeout 1h
	k load t --force "$list"
	status_is 0
	k list t
	[[ $out == *'192.0.2.0/24 timeout '[23]??* && $out == *'198.51.100.7 timeout 0'* ]] ||
		complain "timeouts: $out"
	printf 'create a hash:ip\nadd a 192.0.2.1\ncreate b hash:ip\nadd b 192.0.2.2\n' >"$list"
	k flush bl
	k load bl "$list"
	refused 'several sets: a, b' 'nothing was added'
	k load bl "$list?set=b"
	status_is 0
	members_are 192.0.2.2
}

test_load_hosts() { # the names of a hosts file are byte strings
	printf '127.0.0.1 localhost\n0.0.0.0 ads.example\n0.0.0.0 track.example\n' >"$list"
	k create names type bytes capacity 100 bits 32
	k load names "$list"
	status_is 0
	err_has '2 added' '1 line has no key in this format and was skipped'
	k test names ads.example track.example
	status_is 0
	k test names localhost
	status_is 1
	k load names --format list "$list"
	status_is 0
	k test names '0.0.0.0 ads.example'
	status_is 0
	k load names --format row "$list"
	refused "--format row is for addresses, and 'names' holds byte strings"
	k load names --format hosts --hex "$list"
	refused 'cannot be combined'
	k create bl
	k load bl "$list"
	refused 'this is a hosts file' 'nothing was changed'
	k load bl --format hosts "$list"
	refused "'hosts' is for byte strings"
}

test_load_peer() { # DShield, ipfilter.dat and p2p
	k create bl
	printf 'Start\tEnd\tNetmask\tAttacks\n198.51.100.0\t198.51.100.255\t24\t9\n' >"$list"
	k load bl "$list"
	status_is 0
	err_has '1 line has no key in this format' '0 bad lines'
	printf '192.000.002.004 - 192.000.002.007 , 000 , x\n203.0.113.0 - 203.0.113.255 , 127 , y\n' \
		>"$list"
	k load bl --format ipfilter "$list"
	status_is 0
	printf '192.0.2.99 x # y:192.0.2.16-192.0.2.31\n' >"$list"
	k load bl --format p2p "$list"
	status_is 0
	members_are 192.0.2.4/30 192.0.2.16/28 198.51.100.0/24
	printf '192.0.2.1\n' >"$list"
	k load bl "p2p:$list"
	refused "$list:1: the line is not NAME:FIRST-LAST"
}

main "$0"
