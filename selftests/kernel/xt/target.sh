#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The target: packets that add and delete their addresses.

# shellcheck source=selftests/kernel/xt/packets.sh
. ./packets.sh

# A filter for packets.
bans() {
	k create bl hash siphash "$@"
	k reserve bl 100
	status_is 0
}

check_add() {
	bans
	rule -A INPUT -m kcuckoo --match-filter bl src -j DROP
	# Of IPv6 there are other packets, too.
	rule -A INPUT -s "$(address "$1" 2)" -j KCUCKOO --add bl src
	passes "$1" 2
	drops "$1" 2
	count_is packet_added 1
	k list bl
	out_is "$(address "$1" 2)"
	rule -I INPUT -j KCUCKOO --del bl src
	passes "$1" 2
	# Neighbours of IPv6 speak more than once, and are added again in between.
	k -j info bl
	[[ $out =~ \"packet_deleted\":\ [1-9] ]] || complain "none deleted: $out"
}

test_add_and_delete() { # the first packet adds its source; a delete ends that
	each check_add "${tools[@]}"
}

check_destination() {
	bans
	rule -A OUTPUT -j KCUCKOO --add bl dst
	ping_to "$1" 3 $patience || complain "$tool: the packet was dropped"
	k test bl "$(address "$1" 3)"
	status_is 0
}

test_destination() { # the destination
	tool=iptables-nft
	check_destination 4
	flush
}

test_timeout() { # an address that was added with a timeout leaves by itself
	tool=iptables-nft
	bans timeout 1h
	rule -A INPUT -m kcuckoo --match-filter bl src -j DROP
	rule -A INPUT -s 192.0.2.2 -j KCUCKOO --add bl src --timeout 2
	rule -A INPUT -s 192.0.2.3 -j KCUCKOO --add bl src
	rule -A INPUT -s 192.0.2.4 -j KCUCKOO --add bl src --timeout 1000
	passes 4 2
	passes 4 3
	passes 4 4
	drops 4 4
	k list bl
	[[ $out == *"192.0.2.3 timeout 3"[3456]??$'\n'* ]] || complain "members: $out"
	[[ $out == *"192.0.2.4 timeout "[789]?? || $out == *"192.0.2.4 timeout 1000" ]] ||
		complain "members: $out"
	sleep 3.1
	passes 4 2
	drops 4 3
	drops 4 4
	count_is packet_added 4
	flush
}

test_unreserved() { # packets make no table
	tool=iptables-nft
	k create bl hash siphash
	rule -A INPUT -j KCUCKOO --add bl src
	passes 4 2
	count_is packet_full 1
	count_is entries 0
	k reserve bl 10 family ipv4
	passes 4 2
	count_is packet_added 1
	k flush bl
	passes 4 2
	count_is packet_added 2
	flush
}

test_capacity() { # where there is no room packets go on, and are counted
	tool=iptables-nft
	k create bl hash siphash capacity 2
	k reserve bl 2
	rule -A INPUT -j KCUCKOO --add bl src
	passes 4 2
	passes 4 3
	passes 4 4
	passes 4 5
	count_is packet_added 2
	count_is packet_full 2
	k del bl 192.0.2.2
	passes 4 4
	count_is packet_added 3
	k list bl
	out_is '192.0.2.3
192.0.2.4'
	flush
}

test_expiry() { # where there was no room, there is as soon as a member has expired
	local seconds end

	tool=iptables-nft
	# The member has to be there until the third packet, whatever that takes.
	for seconds in 4 20 100; do
		k create bl hash siphash capacity 2 timeout 1h
		k reserve bl 2
		rule -A INPUT -s 192.0.2.2 -j KCUCKOO --add bl src --timeout $seconds
		rule -A INPUT ! -s 192.0.2.2 -j KCUCKOO --add bl src
		passes 4 2
		passes 4 3
		passes 4 4
		k -j info bl
		[[ $out == *'"packet_full": 0,'* ]] || break
		flush
	done
	count_is packet_added 2
	count_is packet_full 1
	end=$((SECONDS + seconds + 60))
	while [ $SECONDS -lt $end ]; do
		passes 4 4
		k test bl 192.0.2.4
		[ "$status" != 0 ] || break
		sleep 0.1
	done
	count_is packet_added 3
	k test bl 192.0.2.2 192.0.2.3 192.0.2.4
	out_is $'0 192.0.2.2\n1 192.0.2.3\t192.0.2.3\n1 192.0.2.4\t192.0.2.4'
	# Both have more than half an hour left.
	passes 4 5
	count_is packet_added 3
	flush
}

# packets_is BOOLEAN: does info say that packets can change the filter? The variants of nft
# let go of a rule a little later.
packets_is() {
	for _ in {1..300}; do
		k -j info bl
		[[ $out != *"\"packets\": $1"* ]] || return 0
		sleep 0.1
	done
	complain "$tool: packets is not $1: $out"
}

check_packets() {
	bans
	packets_is false
	# The rule may come before its filter, and any of several can change it.
	rule -A INPUT -m kcuckoo --match-filter bl src -j DROP
	packets_is false
	rule -A INPUT -j KCUCKOO --add bl src
	rule -A INPUT -j KCUCKOO --del bl dst
	packets_is true
	k info bl
	[[ $out == *"packets       add to it"* ]] || complain "$tool: $out"
	rule -D INPUT -j KCUCKOO --add bl src
	packets_is true
	rule -D INPUT -j KCUCKOO --del bl dst
	packets_is false
}

test_packets_told() { # info says whether packets can change the filter
	each check_packets "${tools[@]}"
}

test_limit() { # at most so many changes per second
	local start took

	tool=iptables-legacy
	# Two packets have to come within a second, whatever that takes.
	for _ in {1..100}; do
		bans
		rule -A INPUT -j KCUCKOO --add bl src --limit 1
		start=${EPOCHREALTIME/[.,]/}
		passes 4 2
		passes 4 3
		took=$((${EPOCHREALTIME/[.,]/} - start))
		[ $took -ge 1000000 ] || break
		flush
	done
	passes 4 2
	count_is packet_added 1
	count_is packet_limited 1
	sleep 1.1
	passes 4 3
	count_is packet_added 2
	flush
}

test_unfit() { # a filter that comes later and does not suit is left alone
	tool=iptables-nft
	rule -A INPUT -j KCUCKOO --add bl src
	k create bl
	k reserve bl 10
	passes 4 2
	count_is entries 0
	count_is packet_refused 1
	flush
}

check_swapped() {
	bans
	k create other
	rule -A INPUT -j KCUCKOO --add bl src
	k swap bl other
	rule -A INPUT -p sctp -j ACCEPT
	rule -D INPUT -p sctp -j ACCEPT
	passes "$1" 2
	k -j info bl
	[[ $out =~ \"packet_refused\":\ [1-9] ]] || complain "none refused: $out"
	rule -D INPUT -j KCUCKOO --add bl src
}

test_swapped() { # a filter that does not suit any more: its rule locks no other
	each check_swapped "${tools[@]}"
}

wire
main "$0"
