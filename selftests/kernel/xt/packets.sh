# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the tests here share: a namespace "peer" with four addresses of each family
# on a wire to this one, rules, and pings. Sourced, not run.

# shellcheck source=selftests/tools/cli/harness.sh
. ../../tools/cli/harness.sh

modprobe -a kcuckoo xt_kcuckoo || echo "# the modules cannot be loaded"

# Every variant of the tool, with the number of its family; and two that have all
# there is to them between them.
# shellcheck disable=SC2034 # for the programs
{
	tools=(iptables-legacy:4 iptables-nft:4 ip6tables-legacy:6 ip6tables-nft:6)
	two_tools=(iptables-nft:4 ip6tables-legacy:6)
}

# address FAMILY N: 1 is this side, 2 to 5 are the peer's
address() {
	if [ "$1" = 4 ]; then
		echo "192.0.2.$2"
	else
		echo "2001:db8::$2"
	fi
}

# know NUMBER: both sides know where the other's address of this number is, for
# good; so rules that drop packets drop no question.
know() {
	local family

	for family in 4 6; do
		ip neigh replace "$(address $family "$1")" lladdr 02:00:00:00:00:02 \
			dev xt0 nud permanent
	done
}

wire() {
	local number try

	# It stays for the next program.
	[ -e /run/netns/peer ] && return
	ip netns add peer
	ip link add xt0 address 02:00:00:00:00:01 type veth \
		peer name xt0 address 02:00:00:00:00:02 netns peer
	ip addr add 192.0.2.1/24 dev xt0
	ip addr add 2001:db8::1/64 dev xt0 nodad
	ip link set xt0 up
	ip -n peer link set xt0 up
	ip -n peer neigh replace 192.0.2.1 lladdr 02:00:00:00:00:01 dev xt0 nud permanent
	ip -n peer neigh replace 2001:db8::1 lladdr 02:00:00:00:00:01 dev xt0 nud permanent
	for number in 2 3 4 5; do
		ip -n peer addr add "192.0.2.$number/24" dev xt0
		ip -n peer addr add "2001:db8::$number/64" dev xt0 nodad
		know "$number"
	done
	# It carries packets a moment after both ends are up.
	for number in 2 3 4 5; do
		for try in {1..20}; do
			ping_from 4 "$number" 1 && ping_from 6 "$number" 1 && break
			[ "$try" != 20 ] || echo "# number $number is not reached"
		done
	done
}

# ping_from FAMILY N SECONDS: one echo from an address of the peer's; is it
# answered in time?
ping_from() {
	ip netns exec peer ping -n -q -c 1 -W "$3" -I "$(address "$1" "$2")" \
		"$(address "$1" 1)" >/dev/null 2>&1
}

# ping_to FAMILY N SECONDS: one echo to an address of the peer's; is it answered?
ping_to() {
	ping -n -q -c 1 -W "$3" "$(address "$1" "$2")" >/dev/null 2>&1
}

# Seconds that an answer may take on a slow machine, where there has to be one.
patience=20

# passes and drops FAMILY N: what becomes of packets of that address
passes() {
	ping_from "$1" "$2" $patience || complain "$tool: a packet from number $2 was dropped"
}

# dropped: how many packets rules of $tool have dropped
dropped() {
	"$tool" -vnxL | awk '$3 == "DROP" { sum += $1 } END { print sum + 0 }'
}

# is_dropped COMMAND...: what it sends is not answered, and a rule has dropped it
is_dropped() {
	local before

	before=$(dropped)
	"$@" && return 1
	for _ in {1..100}; do
		[ "$(dropped)" = "$before" ] || return 0
		sleep 0.1
	done
	return 1
}

drops() {
	is_dropped ping_from "$1" "$2" 0.3 ||
		complain "$tool: a packet from number $2 passed"
}

# r WORD...: run $tool; as k() does for the command
r() {
	"$tool" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
	last="$tool $*"
}

# rule WORD...: run $tool, which must succeed
rule() {
	r "$@"
	status_is 0
}

# flush: remove the rules of $tool, and all filters. The variants of nft let go of
# a filter a little later.
flush() {
	local name

	"$tool" -F
	for name in $(kcuckoo list); do
		for _ in {1..600}; do
			kcuckoo -q destroy "$name" 2>/dev/null && break
			sleep 0.1
		done
	done
}

# each FUNCTION TOOL...: call it with the family's number for each tool, $tool, and
# without any filter or rule
each() {
	local check=$1 pair

	shift
	for pair; do
		tool=${pair%:*}
		"$check" "${pair#*:}"
		flush
	done
}

# count_is KEY N: a figure of the filter bl
count_is() {
	k -j info bl
	[[ ${out//\}/,} == *"\"$1\": $2,"* ]] ||
		complain "$tool: $1 is not $2: $(grep -o "\"$1\": [0-9]*" <<<"$out")"
}
