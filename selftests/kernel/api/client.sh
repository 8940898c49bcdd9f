#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Another module holds a filter's name, looks addresses up, adds some as packets do,
# and lets go.

number=0
failed=0

# is NAME COMMAND...: a test that passes if the command succeeds
is() {
	local name=$1

	shift
	number=$((number + 1))
	if "$@"; then
		echo "ok $number $name"
	else
		echo "not ok $number $name"
		failed=$((failed + 1))
	fi
}

fails() {
	! "$@" 2>/dev/null
}

# says WORDS COMMAND...: the command fails, and its errors have the words
says() {
	local words=$1 errors

	shift
	errors=$("$@" 2>&1) && return 1
	grep -q -- "$words" <<<"$errors"
}

hit() {
	echo "$1" >/sys/module/kcuckoo_client/parameters/address &&
		[ "$(cat /sys/module/kcuckoo_client/parameters/address)" = Y ]
}

hit_text() {
	echo "$1" >/sys/module/kcuckoo_client/parameters/text &&
		[ "$(cat /sys/module/kcuckoo_client/parameters/text)" = Y ]
}

# silent COMMAND...: it succeeds and prints nothing
silent() {
	local output

	output=$("$@") && [ -z "$output" ]
}

stats_have() {
	kcuckoo -j stats | grep -qF "$1"
}

# add ADDRESS: as a packet does; what became of it is in $result
add() {
	local file=/sys/module/kcuckoo_client/parameters/add

	echo "$1" >$file
	read -r result <$file
}

# all_in NAME FILE: every address of the file is in the filter
all_in() {
	kcuckoo -q test "$1" -f "$2" >/dev/null
}

hit_added() {
	add "$1" && [ "$result" = 1 ] && hit "$1"
}

# flood COUNT: so many new addresses at once; how many were added is in $result
flood() {
	local file=/sys/module/kcuckoo_client/parameters/flood

	echo "$1" >$file
	read -r result <$file
}

# within NUMBER LEAST MOST
within() {
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
}

# figure KEY: a number that 'info' tells of the filter $name
figure() {
	kcuckoo -j info "$name" | grep -o "\"$1\": [0-9]*" | grep -o '[0-9]*$'
}

modprobe kcuckoo
echo TAP version 13
echo 1..47

is "an overlong name cannot be held" fails modprobe kcuckoo_client \
	name=0123456789012345678901234567890123456789
is "what is no name cannot be held" fails modprobe kcuckoo_client name=bad/good
is "no name at all cannot be held" fails modprobe kcuckoo_client
is "a missing filter can be held" modprobe kcuckoo_client name=bad
is "it is no filter" says "no filter" kcuckoo info bad
is "it is in no list" silent kcuckoo list
is "nothing is found in it" fails hit 192.0.2.1
is "the holder lets go of it" rmmod kcuckoo_client
is "then nothing waits" stats_have '"waiting": 0'

modprobe kcuckoo_client name=bad
is "a held name waits" stats_have '"waiting": 1'
kcuckoo -q create built
kcuckoo -q add built 192.0.2.1 10.0.0.0/8 2001:db8::/32
is "a filter can be renamed to it" kcuckoo rename built bad
is "the holder finds what is in that" hit 192.0.2.1
rmmod kcuckoo_client
is "a filter can be held" modprobe kcuckoo_client name=bad
is "an IPv4 member is found" hit 192.0.2.1
is "an address of an IPv4 network is found" hit 10.255.255.255
is "an IPv6 address is found" hit 2001:db8:ffff::1
is "another IPv4 address is not found" fails hit 192.0.2.2
is "another IPv6 address is not found" fails hit 2001:db9::1
is "a held filter cannot be destroyed" fails kcuckoo destroy bad
is "a held filter cannot be renamed" fails kcuckoo rename bad worse
kcuckoo -q create other
kcuckoo -q add other 198.51.100.7
kcuckoo -q swap bad other
is "the holder sees what a swap brought" hit 198.51.100.7
is "the holder no longer sees what it took" fails hit 192.0.2.1
is "the module cannot go while it is held" fails rmmod kcuckoo
is "the holder lets go" rmmod kcuckoo_client
is "then the filter can be destroyed" kcuckoo -q destroy bad

ip netns add client
ip netns exec client kcuckoo -q create inside
ip netns exec client kcuckoo -q add inside 203.0.113.5
ip netns exec client modprobe kcuckoo_client name=inside
is "a filter of another namespace can be held" hit 203.0.113.5
ip netns del client
for _ in $(seq 600); do
	hit 203.0.113.5 || break
	sleep 0.1
done
is "a held name outlives its namespace, empty" fails hit 203.0.113.5
is "letting go after the namespace is legal" rmmod kcuckoo_client
ip netns add client
ip netns exec client modprobe kcuckoo_client name=missing
ip netns del client
sleep 0.5
is "so it is of a name that waited" rmmod kcuckoo_client

kcuckoo -q create words type bytes capacity 100 bits 32
kcuckoo -q add words example.org ""
modprobe kcuckoo_client name=words
is "a byte string is found" hit_text example.org
is "the empty one is found" hit_text ""
is "another one is not found" fails hit_text example.com
is "an address is not found among byte strings" fails hit 192.0.2.1
rmmod kcuckoo_client
kcuckoo -q add other 192.0.2.1
modprobe kcuckoo_client name=other
is "a byte string is not found among addresses" fails hit_text 192.0.2.1
rmmod kcuckoo_client

# Packets add until the table is full: no search is made for those that follow. So
# small a table, now and then, is full a few addresses earlier than was reserved.
kcuckoo -q create fed hash siphash
kcuckoo -q reserve fed 120 family ipv4
modprobe kcuckoo_client name=fed
name=fed
added=0
for i in $(seq 200); do
	add "198.51.100.$i"
	[ "$result" = 1 ] || break
	added=$((added + 1))
done
is "as many are added as were reserved, or nearly" test $added -ge 100
is "then there is no room" test "$result" = -28
searches=$(figure searches)
for i in $(seq 20); do
	add "203.0.113.$i"
done
is "no further search is made" test "$(figure searches)" = "$searches"
is "nor has the table grown" test "$(figure growths)" = 0
add 198.51.100.1
is "a member is one already" test "$result" = 0
kcuckoo -q del fed 198.51.100.1
add 198.51.100.1
is "a delete makes room" test "$result" = 1
is "all of it is counted" test \
	"$(figure packet_added) $(figure packet_full)" = "$((added + 1)) 21"

# While the table is copied into larger ones, and a little longer.
for count in 200 1000 5000 20000; do
	kcuckoo -q reserve fed $count family ipv4
done &
growing=$!
i=0
while [ $i -lt 250 ] || kill -0 $growing 2>/dev/null; do
	i=$((i + 1))
	address=10.$((i >> 16)).$((i >> 8 & 255)).$((i & 255))
	add $address
	[ "$result" = 1 ] && echo $address
done >/tmp/added
wait
is "some are added while the table grows" test -s /tmp/added
is "none of them is lost" all_in fed /tmp/added
is "there is room in the end" hit_added 192.0.2.99
rmmod kcuckoo_client
kcuckoo -q destroy fed

# A flood, of which a limit lets ten a second through.
kcuckoo -q create banned hash siphash
kcuckoo -q reserve banned 20000 family ipv4
modprobe kcuckoo_client name=banned
for i in 1 2; do
	start=${EPOCHREALTIME/[.,]/}
	flood 5000
	took=$((${EPOCHREALTIME/[.,]/} - start))
	is "of a flood as many are added as the limit says" \
		within "$result" 10 $((20 + took / 100000))
	sleep 1.1
done
name=banned
is "all of it is counted, too" test \
	"$(($(figure packet_added) + $(figure packet_limited)))" = 10000
rmmod kcuckoo_client
kcuckoo -q destroy banned

kcuckoo -q destroy words
kcuckoo -q destroy other
rmmod kcuckoo || failed=$((failed + 1))
echo "# Totals: pass:$((number - failed)) fail:$failed skip:0"
[ "$failed" = 0 ]
