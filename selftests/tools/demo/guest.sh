#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# guest.sh PACKETS SEED REFERENCE FILE...
#
# What demo.sh runs in the virtual machine. PACKETS is the program that sends them,
# SEED its seed. It takes what is listed from the file REFERENCE, or, when that is
# the word "filter", from what `kcuckoo list` prints. FILEs are loaded.

set -Eeuo pipefail
trap 'stop "line $LINENO of guest.sh failed"' ERR
exec 2>&1
packets=$1
seed=$2
reference=$3
shift 3

# Seconds that ipset may take.
patience=1200

members=/tmp/members
restore=/tmp/blocklist.ipset

title() {
	printf '\n== %s\n\n' "$*"
}

# Exit status 2: nothing is known about the packets.
stop() {
	printf '\ndemo: %s\n' "$*"
	exit 2
}

# shellcheck source=selftests/harness/memory.sh
. "$(dirname "$0")/../../harness/memory.sh"

microseconds() {
	echo "${EPOCHREALTIME/[.,]/}"
}

# shown COMMAND...: as in a terminal; what it took goes to $elapsed.
shown() {
	local start status=0

	printf '    #%s\n' "$(printf ' %q' "$@")"
	start=$(microseconds)
	"$@" 2>&1 | sed 's/^/    /' || status=$?
	elapsed=$(($(microseconds) - start))
	return $status
}

# 1234567 -> 1,234,567
comma() {
	local number=$1

	while [[ $number =~ ^(-?[0-9]+)([0-9]{3}.*)$ ]]; do
		number=${BASH_REMATCH[1]},${BASH_REMATCH[2]}
	done
	echo "$number"
}

# quotient DIGITS A B: a / b, or a dash where that says nothing.
quotient() {
	awk -v digits="$1" -v a="$2" -v b="$3" 'BEGIN {
		if (a > 0 && b > 0)
			printf "%.*f", digits, a / b
		else
			printf "-"
	}'
}

# A number out of `kcuckoo -j`; the sum, if it is there more than once.
json_number() {
	{ grep -o "\"$1\": *[0-9]*" || :; } | awk -F: '{ sum += $2 } END { printf "%d", sum }'
}

# Addresses are on the server's side alone, so that nothing but the packets of this
# demonstration ever comes over the link.
make_namespaces() {
	local setting

	ip netns add server
	ip netns add internet
	ip netns exec internet sh -c 'echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6'
	for setting in ipv4/conf/{all,default}/rp_filter ipv6/conf/{all,default}/accept_dad; do
		ip netns exec server sh -c "echo 0 >/proc/sys/net/$setting"
	done
	ip link add eth0 netns server address 02:00:00:00:00:01 type veth \
		peer name eth0 netns internet address 02:00:00:00:00:02
	ip -n internet link set eth0 up
	ip -n server link set lo up
	ip -n server link set eth0 up
	ip -n server address add 192.0.2.1/24 dev eth0
	ip -n server address add 2001:db8::1/64 dev eth0 nodad
	# So that their code does not count as memory for the list, and the list is
	# read from this machine's memory.
	modprobe -a kcuckoo ip_set_hash_ip ip_set_hash_net
	kcuckoo -q -n server list
	cat "$@" >/dev/null
	cat <<'PICTURE'
Two network namespaces, joined by a veth pair:

    internet  eth0 ------------------ eth0  server
                                            192.0.2.1, 2001:db8::1
PICTURE
}

# send open|filtered: what happened to the packets goes to sent[] and passed[].
declare -A sent passed
send() {
	local output family kind count arrived status=0

	output=$("$packets" "$reference" "$seed" "$1") || status=$?
	[ $status -le 1 ] || stop 'the packets could not be sent'
	while read -r family kind count arrived; do
		sent[$family.$kind]=$count
		passed[$1.$family.$kind]=$arrived
	done <<<"$output"
}

total() {
	echo "$((${sent[ipv4.$1]} + ${sent[ipv6.$1]}))"
}

through() {
	echo "$((${passed[$1.ipv4.$2]} + ${passed[$1.ipv6.$2]}))"
}

load() {
	local before json

	title "kcuckoo: create, load"
	before=$(kernel_memory)
	shown kcuckoo -n server create blocklist || stop 'create failed'
	load_time=$elapsed
	shown kcuckoo -n server load blocklist "$@" || stop 'load failed'
	load_time=$((load_time + elapsed))
	load_memory=$(($(kernel_memory) - before))

	json=$(kcuckoo -n server -j info blocklist)
	entries=$(json_number entries <<<"$json")
	memory_bytes=$(json_number memory_bytes <<<"$json")
	[ "$entries" -gt 0 ] || stop 'the list holds no address: there is nothing to show'
	kcuckoo -n server list blocklist >"$members"
	entries6=$(grep -c : "$members" || :)
	entries4=$((entries - entries6))
	[ "$reference" != filter ] || reference=$members
}

traffic() {
	title "Packets"
	echo "Listed sources are the first, a middle and the last address of random entries;"
	echo "unlisted ones are addresses beside entries, one bit away from entries, and any."
	echo "Which is which says a program that shares no code with kcuckoo."
	echo
	send open
	[ "$(total listed)" -gt 0 ] ||
		stop 'no address of the list can be the source of a packet to the server'
	echo "$(comma "$(total listed)") packets from listed and $(comma "$(total unlisted)") from unlisted addresses are sent. The list is"
	echo "loaded but not attached: $(comma "$(through open listed)") and $(comma "$(through open unlisted)") arrive."
	echo
	shown kcuckoo -n server attach blocklist || stop 'attach failed'
	echo
	send filtered
	echo "The same packets again: $(comma "$(through filtered listed)") and $(comma "$(through filtered unlisted)") arrive."
	echo
	shown kcuckoo -n server rules || stop 'rules failed'
	counted=$(kcuckoo -n server -j rules | json_number packets)
}

# The lines that `ipset restore` reads. Sets are made as ipset's users make them, with
# nothing but room for the list: without that they end at 65,536 entries.
write_restore() {
	# Where a list has no networks, the leaner hash:ip does.
	awk '
	/\/0$/ { next }
	FNR == NR {
		family = /:/ ? 6 : 4
		count[family]++
		if (/\//)
			kind[family] = "hash:net"
		next
	}
	!made++ {
		for (family = 4; family <= 6; family += 2)
			if (family in count)
				printf "create blocklist%d %s family inet%s maxelem %d\n",
					family, family in kind ? kind[family] : "hash:ip",
					family == 6 ? "6" : "", count[family]
	}
	{ print "add blocklist" (/:/ ? 6 : 4), $0 }' "$members" "$members" >"$restore"
	ipset_entries=$(grep -c ^add "$restore" || :)
	if [ "$ipset_entries" != "$entries" ]; then
		echo "ipset cannot hold networks of length 0: it gets the other entries."
		echo
	fi
}

# The same list in ipset. Without enough memory or patience the table has dashes.
compare() {
	local before start available

	ipset_time=0
	ipset_memory=0
	ipset_own=0
	title "ipset: the same list"
	write_restore
	available=$(awk '/^MemAvailable:/ { print $2 * 1024 }' /proc/meminfo)
	if [ $((ipset_entries * 160)) -gt "$available" ]; then
		echo "It is left out: it may need more memory than this machine has."
		return
	fi
	echo "This takes a while: less, by about a third, if one knows a good hashsize."
	echo
	echo '    # grep create blocklist.ipset'
	grep create "$restore" | sed 's/^/    /'
	echo '    # ip netns exec server ipset restore <blocklist.ipset'
	before=$(kernel_memory)
	start=$(microseconds)
	if ! timeout "$patience" ip netns exec server ipset restore <"$restore"; then
		echo "It failed, or took more than $patience seconds: so there is no comparison."
		return
	fi
	ipset_time=$(($(microseconds) - start))
	ipset_memory=$(($(kernel_memory) - before))
	# Not all options of the first line, but what the sets have become.
	shown ip netns exec server ipset list -t
	ipset_own=$(ip netns exec server ipset list -t |
		awk '/^Size in memory/ { sum += $4 } END { printf "%d", sum }')
}

packet_row() {
	local label=$1 key=$2
	local before=${passed[open.$key]} after=${passed[filtered.$key]}

	printf '    %-22s %14s %14s %14s %14s\n' "$label" "$(comma "${sent[$key]}")" \
		"$(comma "$before")" "$(comma "$after")" \
		"$(comma $((sent[$key] - after)))"
}

row() {
	printf '    %-22s %14s %14s %14s\n' "$@"
}

# ratio KCUCKOO IPSET
ratio() {
	local quotient

	quotient=$(quotient 1 "$2" "$1")
	[ "$quotient" = - ] || quotient="1 : $quotient"
	echo "$quotient"
}

# What the kernel as a whole has more by tells nothing about a few entries.
forget_noise() {
	[ "$entries" -lt 10000 ] || return 0
	load_memory=0
	ipset_memory=0
}

some() {
	if [ "$1" -gt 0 ]; then
		comma "$1"
	else
		echo -
	fi
}

report() {
	title "What happened"
	forget_noise
	row 'The list' IPv4 IPv6 both
	row 'addresses, networks' "$(comma "$entries4")" "$(comma "$entries6")" \
		"$(comma "$entries")"
	echo
	row 'Loading it' kcuckoo ipset ratio
	row 'seconds' "$(quotient 2 "$load_time" 1000000)" \
		"$(quotient 2 "$ipset_time" 1000000)" "$(ratio "$load_time" "$ipset_time")"
	row 'kernel memory, bytes' "$(some "$load_memory")" "$(some "$ipset_memory")" \
		"$(ratio "$load_memory" "$ipset_memory")"
	row '  bytes per entry' "$(quotient 1 "$load_memory" "$entries")" \
		"$(quotient 1 "$ipset_memory" "$ipset_entries")" ''
	row '  by its own account' "$(comma "$memory_bytes")" "$(some "$ipset_own")" \
		"$(ratio "$memory_bytes" "$ipset_own")"
	echo
	printf '    %-22s %14s %14s %14s %14s\n' 'Packets' '' 'arrived' 'arrived' 'dropped' \
		'from sources' 'sent' 'without rule' 'with rule' 'with rule'
	packet_row 'IPv4, listed' ipv4.listed
	packet_row 'IPv4, not listed' ipv4.unlisted
	packet_row 'IPv6, listed' ipv6.listed
	packet_row 'IPv6, not listed' ipv6.unlisted
	printf '    %-67s %14s\n' "counted by the rule itself" "$(comma "$counted")"
	echo
}

# Exit status 1: a promise was broken.
fail() {
	echo "FAILED: $*"
	verdict=1
}

judge() {
	local listed unlisted number

	verdict=0
	listed=$(total listed)
	unlisted=$(total unlisted)
	number=$((listed + unlisted - $(through open listed) - $(through open unlisted)))
	[ $number = 0 ] || fail "$number packets were lost before there was a rule"
	number=$(through filtered listed)
	[ "$number" = 0 ] || fail "$number packets from listed addresses got through"
	number=$((unlisted - $(through filtered unlisted)))
	[ $number = 0 ] || fail "$number packets from addresses that are not listed were dropped"
	[ "$counted" = "$listed" ] ||
		fail "the rule counted $counted packets, $listed were sent from listed addresses"
	[ $verdict = 0 ] || return 0
	echo "All $(comma "$listed") packets from listed addresses were dropped;" \
		"all $(comma "$unlisted") others passed."
}

echo "Linux $(uname -r), $(nproc) processors, $(awk '/^MemTotal:/ {
	printf "%.1f GB of memory", $2 / 1048576 }' /proc/meminfo)"
make_namespaces "$@"
load "$@"
traffic
compare
report
judge
exit $verdict
