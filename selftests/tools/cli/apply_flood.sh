#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb apply while packets arrive and another program adds bans to the same filter.
# EXCHANGES= how many there are: 6 in 'make test', 20 with KCUCKOO_SOAK=yes, 'make endurance' has
# 1,000.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

exchanges=6
[ "${KCUCKOO_SOAK:-}" != yes ] || exchanges=20
exchanges=${EXCHANGES:-$exchanges}

: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
# The next program mounts a file there, too.
trap 'umount /etc/resolv.conf; rm -rf "$scratch"' EXIT

two_hosts() {
	ip netns add cli-a && ip netns add cli-b || return
	ip link add veth0 netns cli-a type veth peer name veth0 netns cli-b
	ip -n cli-a addr add 198.18.0.1/24 dev veth0
	for address in 2 3 4; do
		ip -n cli-b addr add 198.18.0.$address/24 dev veth0
	done
	ip -n cli-a link set veth0 up
	ip -n cli-b link set veth0 up
	# The first packet waits for no neighbour.
	ip netns exec cli-b ping -c 1 -W 5 198.18.0.1 >/dev/null 2>&1
}

# exchange LIST: apply it until it is taken; others may change the filter at the same time.
# A comparison is repeated if a ban was added after its members were read.
exchange() {
	while :; do
		k -v -n cli-a apply bl "$1" --diff
		repeats=$((repeats + $(grep -c 'comparison .*: the filter was changed' <<<"$err")))
		[ "$status" != 0 ] || break
		if [ "$status" != 2 ] || [[ $err != *'other programs changed'* ]]; then
			complain "$last: exit status $status: $err"
			return
		fi
		retries=$((retries + 1))
	done
	sed -n 's/^-\(100\..*\)/\1/p' <<<"$out" >>"$scratch/removed"
}

# Milliseconds of an exchange.
exchange_time() {
	local start

	start=$(date +%s%N)
	kcuckoo -q -n cli-a apply bl "$scratch/list2"
	echo $((($(date +%s%N) - start) / 1000000))
}

test_flood() { # each listed packet is dropped, no other is, and no ban is lost unnoticed
	local i retries=0 repeats=0 probes bans gap before after

	two_hosts || complain 'no network'
	for i in 1 2; do
		{ echo 198.18.0.2; seq -f "45.$i.%g.0/26" 0 255; seq -f '46.0.%g.1' 0 255; } \
			>"$scratch/list$i"
	done
	# Cut off: it would drop what the others let pass.
	printf '198.18.0.3\n198.18.0.4\n' >"$scratch/short"
	k -n cli-a apply bl "$scratch/list1"
	k -n cli-a -q attach bl
	: >"$scratch/removed"
	./probes cli-b cli-a 198.18.0.1 198.18.0.2 198.18.0.3 198.18.0.4 >"$scratch/probes" &
	probes=$!
	# Some exchanges meet bans between their comparison and the exchange, and few meet them
	# three times.
	gap=$(($(exchange_time) / 4 + 1))
	ip netns exec cli-a ./bans bl "$gap" >"$scratch/banned" &
	bans=$!
	before=0
	for ((i = 1; i <= exchanges || (repeats < 1 && i <= 3 * exchanges); i++)); do
		exchange "$scratch/list$((2 - i % 2))"
		after=$(kcuckoo -n cli-a -j rules | sed -n 's/.*"packets": \([0-9]*\).*/\1/p')
		[ "$after" -gt "$before" ] || complain "no packet dropped in interval $i"
		before=$after
		[ $((i % 5)) != 0 ] || {
			k -n cli-a apply bl "$scratch/short"
			status_is 2
			err_has 'nothing was changed'
		}
		[ "$failed" = 0 ] || break
	done
	kill "$bans" "$probes"
	all_succeed "$bans" "$probes"
	sed 's/^/# probes: /' "$scratch/probes"
	echo "# $((i - 1)) exchanges, $repeats comparisons and $retries commands repeated," \
		"a ban after $gap ms, $(wc -l <"$scratch/banned") bans," \
		"$(wc -l <"$scratch/removed") removed by an exchange"
	awk '$2 < 100 || ($1 == "198.18.0.2" ? $3 : $2 - $3) { exit 1 }' "$scratch/probes" ||
		complain "wrong packets arrived"
	# Each ban that was added is in the filter, or an exchange has printed it.
	{ kcuckoo -n cli-a list bl | grep '^100\.'; cat "$scratch/removed"; } | sort >"$scratch/found"
	sort "$scratch/banned" | comm -23 - "$scratch/found" >"$scratch/lost"
	[ ! -s "$scratch/lost" ] || complain "lost: $(head -3 "$scratch/lost" | xargs)"
	[ -s "$scratch/removed" ] || complain "no exchange met a ban"
	[ "$exchanges" -lt 100 ] || [ "$repeats" -gt 0 ] || complain "no comparison was repeated"
	k -n cli-a list
	out_is bl
	ip netns del cli-a
	ip netns del cli-b
}

main "$0"
