#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What a rule holds, and when it lets go.

# shellcheck source=selftests/kernel/xt/packets.sh
. ./packets.sh

check_busy() {
	k create bl hash siphash
	rule -A INPUT -m kcuckoo --match-filter bl src
	k destroy bl
	refused '1 more user: iptables'
	k rename bl other
	refused 'iptables-save'
	rule -A INPUT -j KCUCKOO --add bl src
	k attach bl
	k destroy bl
	refused '2 more users' 'kcuckoo detach bl'
	k detach bl
	flush
	k info bl
	refused 'no filter'
}

test_busy() { # a filter that a rule uses is neither destroyed nor renamed
	each check_busy "${two_tools[@]}"
}

# modules_are_held: neither module can be unloaded
modules_are_held() {
	rmmod xt_kcuckoo 2>/dev/null && complain "$tool: xt_kcuckoo was unloaded"
	rmmod kcuckoo 2>/dev/null && complain "$tool: kcuckoo was unloaded"
}

check_modules() {
	k create bl hash siphash
	rule -A INPUT -m kcuckoo --match-filter bl src
	modules_are_held
	rule -R INPUT 1 -j KCUCKOO --add bl src
	modules_are_held
	"$tool" -F
	unloads xt_kcuckoo
	rmmod kcuckoo || complain "kcuckoo cannot be unloaded"
	modprobe -a kcuckoo xt_kcuckoo
}

test_modules() { # neither module goes while a rule uses it
	tool=iptables-legacy
	check_modules
	tool=iptables-nft
	check_modules
}

check_namespace() {
	ip netns add gone
	ip -n gone link set lo up
	tool="ip netns exec gone $tool"
	ip netns exec gone bash -c "kcuckoo -q create bl hash siphash &&
		kcuckoo -q reserve bl 10" || complain "no filter in the namespace"
	# shellcheck disable=SC2086 # words, split
	{
		$tool -A INPUT -m kcuckoo --match-filter bl src
		$tool -A INPUT -m kcuckoo ! --match-filter nobody src
		$tool -A INPUT -j KCUCKOO --add bl src
		$tool -A INPUT -j KCUCKOO --add nobody src
	} || complain "$tool: no rule in the namespace"
	ip netns exec gone ping -q -c 1 -W $patience "$2" >/dev/null 2>&1 ||
		complain "$tool: the packet was dropped"
	ip netns exec gone kcuckoo list bl | grep -qxF "$2" ||
		complain "$tool: the packet added nothing"
	ip netns del gone
	unloads xt_kcuckoo
	modprobe xt_kcuckoo
}

test_namespace() { # rules end with their namespace, after its filters
	local pair

	for pair in iptables-legacy:127.0.0.1 iptables-nft:127.0.0.1 \
			ip6tables-legacy:::1 ip6tables-nft:::1; do
		tool=${pair%%:*}
		check_namespace "$tool" "${pair#*:}"
	done
}

main "$0"
