#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Entries that were reserved for packets, in filters of a configuration: apply keeps them, and
# the members that packets add.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
trap 'umount /etc/resolv.conf; rm -rf "$scratch"' EXIT

export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run
etc=$scratch/etc

# begin LINE...: the section of the filter bans has these lines; it is applied, and has entries
# for packets
begin() {
	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN" "${etc:?}"
	mkdir "$etc"
	configure "$@"
	apply
	status_is 0
	k reserve bans 1000
	status_is 0
}

configure() {
	printf '%s\n' '[filter bans]' 'hash = siphash' "$@" >"$etc/a.conf"
}

apply() { # the configuration
	k apply --config "$etc"
}

# places: print the number of entries of all tables
places() {
	kcuckoo -j info bans | sed -n 's/.*"slots": \([0-9]*\).*/\1/p'
}

# send FIRST COUNT: a datagram from each of COUNT sources
send() {
	python3 - "$@" <<-END
		import socket, sys
		first, count = map(int, sys.argv[1:])
		for i in range(first, first + count):
		    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
		        s.bind(('127.1.%d.%d' % (i // 256, i % 256), 0))
		        s.sendto(b'', ('127.0.0.1', 9))
	END
}

banned() { # banned COUNT: packets have added that many members
	local count

	count=$(kcuckoo list bans | grep -c '^127\.1\.')
	[ "$count" = "$1" ] || complain "$count of $1 sources are banned: $(kcuckoo info bans)"
}

test_timeout() { # a new timeout keeps the entries, and packets still add members
	begin 'timeout = 1h'
	iptables -A INPUT -i lo -p udp -j KCUCKOO --add bans src --limit 100000
	send 0 300
	banned 300
	configure 'timeout = 2h'
	apply
	status_is 0
	err_has 'bans: exchanged'
	send 300 600
	banned 900
	iptables -F INPUT
}

test_parameters() { # other parameters keep the entries of both families, each time
	local before line now

	begin 'timeout = 1h'
	before=$(places)
	for line in 'timeout = 2h' 'timeout = 3h' 'value = 8' 'capacity = 5000' 'timeout = 1h'; do
		configure "$line"
		apply
		status_is 0
		now=$(places)
		[ $((now * 100)) -ge $((before * 99)) ] ||
			complain "$line: $before entries before, $now now"
		# Tables with other fields use the memory of an allocation better or worse.
		[[ $line != 'timeout = '[23]h || $((now * 100)) -le $((before * 101)) ]] ||
			complain "$line: $before entries before, $now now"
	done
}

test_one_family() { # entries of one family stay entries of this family
	begin 'timeout = 1h'
	k compact bans
	k reserve bans 1000 family ipv6
	configure 'timeout = 2h'
	apply
	status_is 0
	k info bans
	[[ $out == *'IPv6 lengths  /128'* ]] || complain "$out"
	[[ $out == *'IPv4 lengths  none'* ]] || complain "$out"
}

test_large() { # a large filter does not grow at each change
	local before hours now

	begin "timeout = 1h"
	k reserve bans 300000
	status_is 0
	before=$(places)
	for hours in {2..7}; do
		configure "timeout = ${hours}h"
		apply
		status_is 0
	done
	now=$(places)
	if [ $((now * 100)) -gt $((before * 101)) ] || [ $((now * 100)) -lt $((before * 98)) ]; then
		complain "$before entries before, $now now"
	fi
}

test_lists() { # a filter with a list keeps them when the list changes
	local before now

	printf '198.51.100.%d\n' {1..100} >"$scratch/list"
	begin 'timeout = 1h' "list = $scratch/list"
	before=$(places)
	echo 203.0.113.1 >>"$scratch/list"
	apply
	status_is 0
	err_has 'added 1'
	now=$(places)
	[ $((now * 100)) -ge $((before * 99)) ] || complain "$before entries before, $now now"
}

test_race() { # members that are added while apply runs are not lost
	local i added=0 process

	begin 'timeout = 1h'
	for ((i = 0; i < 200; i++)); do
		kcuckoo -q add bans "127.2.0.$i"
		echo "127.2.0.$i" >>"$scratch/added"
	done &
	process=$!
	for ((i = 2; i < 12; i++)); do
		configure "timeout = ${i}h"
		apply
		[ "$status" = 0 ] || err_has 'other programs changed'
	done
	wait $process
	added=$(wc -l <"$scratch/added")
	[ "$(kcuckoo list bans | grep -c '^127\.2\.')" = "$added" ] ||
		complain "of $added members: $(kcuckoo info bans)"
}

main "$0"
