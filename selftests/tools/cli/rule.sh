#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# attach, detach and rules.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

# hook family match action of every rule of bl, a line each.
rules_are() {
	k rules
	status_is 0
	out=$(awk 'NR > 1 { print $2, $3, $4, $5 }' <<<"$out")
	out_is "$(printf '%s\n' "$@")"
}

test_defaults() { # prerouting, both families, source, drop
	k create bl
	k attach bl
	status_is 0
	out_is ''
	err_has 'attached bl: hook prerouting family both match src action drop'
	rules_are 'prerouting both src drop'
	k -q attach bl hook input
	status_is 0
	err_is_empty
}

test_words() { # every hook, family, match and action
	local rule hook family match action

	k create bl
	for rule in 'prerouting ipv4 dst drop' 'input ipv6 src count' \
			'forward both src drop' 'output both dst count'; do
		read -r hook family match action <<<"$rule"
		k attach bl match "$match" family "$family" \
			action "$action" hook "$hook"
		status_is 0
		rules_are "$rule"
		k detach bl family "$family" hook "$hook" match "$match"
		status_is 0
	done
}

test_marks() { # a number, in decimal or not, or the value of the address
	local action

	k create bl value 32
	k attach bl hook input action mark=7
	k attach bl hook output action mark=0xffffffff
	k attach bl hook forward action mark=value
	err_has 'action mark=value'
	k rules
	for action in 'input +both +src +mark=7 ' \
			'output +both +src +mark=4294967295 ' \
			'forward +both +src +mark=value '; do
		[[ $out =~ $action ]] || complain "no $action in: $out"
	done
}

test_refused_words() { # unknown, unfinished and repeated words
	local action

	k create bl
	k attach bl hook inptu
	refused "did you mean 'input'"
	k attach bl hook sideways
	refused "hook 'sideways'" prerouting forward
	k attach bl family ipv5
	refused "family 'ipv5'"
	k attach bl hock input
	refused "did you mean 'hook'"
	k attach bl hook
	refused "'hook' needs a value"
	k attach bl hook input hook output
	refused "'hook' was given twice"
	k attach bl action makr=1
	refused 'drop, count, mark=N'
	for action in mark mark= mark=x mark=-1 mark=4294967296 marks; do
		k attach bl action "$action"
		status_is 2
	done
	k attach bl action mark=value
	refused 'no values'
	k detach bl action drop
	refused "unknown argument 'action' for 'detach'"
	k rules
	out_is ''
}

test_log() { # where a rule logs, and how much at most
	local action

	k create bl
	k attach bl action drop log
	status_is 0
	err_has 'attached bl: hook prerouting family both match src action drop log'
	k attach bl hook input limit 100/s group 7 log action count
	status_is 0
	err_has 'action count log group 7 limit 100/s'
	k attach bl hook output log limit 10/s
	k rules
	for action in 'prerouting +both +src +drop +0 +0 +log$' \
			'input +both +src +count +0 +0 +log group 7 limit 100/s$' \
			'output +both +src +drop +0 +0 +log$'; do
		grep -qE "$action" <<<"$out" || complain "no $action in: $out"
	done
	k attach --exist bl hook output log
	status_is 0
	err_is_empty
	k attach --exist bl hook output
	refused 'log: requested none, is log'
	k attach --exist bl hook input action count log group 7
	refused 'log: requested log group 7, is log group 7 limit 100/s'
}

test_log_refused() { # what cannot log, and what is no limit or group
	local word

	k create bl
	k attach bl group 7
	refused 'group is for rules that log'
	k attach bl limit 7/s
	refused 'limit is for rules that log'
	k attach bl log log
	refused "'log' was given twice"
	k attach bl log action mark=7
	refused 'action mark=7 does not log'
	k attach bl log action mark=value
	refused 'action mark=value does not log'
	k attach bl hook xdp dev lo log
	refused 'hook xdp does not log'
	for word in 0/s 10001/s 10 /s 1.5/s 10/m ten/s ''; do
		k attach bl log limit "$word"
		refused "limit '$word' is not a number of packets in a second from 1/s to 10000/s"
	done
	for word in 65536 -1 x; do
		k attach bl log group "$word"
		status_is 2
	done
	k attach bl log group
	refused "'group' needs a value"
	k detach bl log
	refused "unknown argument 'log' for 'detach'"
	k rules
	out_is ''
}

test_log_missing() { # without the module of a logger there is no rule, and it is named
	local modprobe

	k create bl
	modprobe=$(</proc/sys/kernel/modprobe)
	echo /bin/false >/proc/sys/kernel/modprobe
	# Kernels with checks have the loggers without modules: then they are always there.
	if modprobe -r nf_log_syslog nfnetlink_log 2>/dev/null; then
		k attach bl log
		refused 'the kernel has no logger for its log, and could not load the module nf_log_syslog'
		k attach bl log group 0
		refused 'could not load the module nfnetlink_log'
		k rules
		out_is ''
	elif [ "${KCUCKOO_KERNEL:-stock}" = stock ]; then
		complain 'the loggers cannot be unloaded'
	fi
	echo "$modprobe" >/proc/sys/kernel/modprobe
	k attach bl log
	status_is 0
}

test_log_elsewhere() { # another namespace logs nothing by default, and that is said
	ip netns add other
	k -n other create bl
	k -n other attach bl log
	status_is 0
	err_has "the rule of 'bl' logs nothing" 'net.netfilter.nf_log_all_netns=1'
	k -n other rules
	err_has "the rule of 'bl' logs nothing"
	sysctl -qw net.netfilter.nf_log_all_netns=1
	k -n other rules
	err_is_empty
	sysctl -qw net.netfilter.nf_log_all_netns=0
	ip netns del other
}

test_zero() { # counters are shown once more, and begin from zero; those of some filters
	# Expressions of awk.
	# shellcheck disable=SC2016
	local counts='NR > 1 { print $1, $2, $6 }'

	ip link set lo up
	ip link add d0 type veth peer d1
	ip link set d0 up
	ip link set d1 up
	ip address add 192.0.2.1/24 dev d0
	k create bl
	k create other
	k add bl 192.0.2.2
	k add other 192.0.2.2
	k attach bl hook output match dst
	k attach other hook output match dst action count
	k attach bl hook forward
	ping -c 3 -i 0.01 -W 1 192.0.2.2 >/dev/null 2>&1
	k rules --zero other bl other
	status_is 0
	out=$(awk "$counts" <<<"$out")
	out_is $'other output 0\nbl forward 0\nbl output 3'
	k rules
	out=$(awk "$counts" <<<"$out")
	out_is $'bl forward 0\nbl output 0\nother output 0'
	ping -c 2 -i 0.01 -W 1 192.0.2.2 >/dev/null 2>&1
	k -j rules --zero bl
	[[ $out == *'"hook": "output"'*'"packets": 2'* ]] || complain "as JSON: $out"
	k rules bl
	out=$(awk "$counts" <<<"$out")
	out_is $'bl forward 0\nbl output 0'
	k rules --zero none
	refused "there is no filter 'none'"
	k rules none
	refused "there is no filter 'none'"
	k rules 'no name'
	status_is 2
	ip link del d0
}

test_same_rule() { # the same rule twice is refused
	k create bl
	k attach bl family ipv4
	k attach bl family both
	refused 'already' 'kcuckoo rules'
	k attach bl family ipv4 action count
	refused 'already'
	k attach bl family ipv6
	status_is 0
}

test_exist() { # attach --exist is quiet about a rule that is there, and names all that differs
	k -q create bl
	k -q create ok
	k -q attach --exist bl
	status_is 0
	k attach bl --exist
	status_is 0
	out_is ''
	err_is_empty
	k -j attach bl --exist
	status_is 0
	[[ $out == *'"filter": "bl"'*'"hook": "prerouting"'* ]] || complain "as JSON: $out"
	k attach bl --exist action mark=7 allow ok
	refused "'bl' has a rule with other parameters: hook prerouting family both match src action drop" \
		'action: requested mark=7, is drop' 'allow: requested ok, is none'
	err_has_not 'family:'
	k attach bl --exist family ipv4 action count
	refused 'family: requested ipv4, is both' 'action: requested count, is drop'
	rules_are 'prerouting both src drop'
	# Another place is another rule.
	k attach bl --exist match dst
	status_is 0
	err_has 'attached bl'
	k attach bl --exist hook input allow ok action mark=7
	k attach bl --exist hook input allow ok action mark=7
	status_is 0
	err_is_empty
	k attach bl --exist hook input allow ok action mark=8
	refused 'action: requested mark=8, is mark=7'
	k attach bl --exist hook input action mark=7
	refused 'allow: requested none, is ok'
	k detach bl
	err_has '3 rules removed'
}

test_exist_families() { # rules of both families are as good as one; one family is not
	k -q create bl
	k -q attach bl family ipv4
	k attach bl --exist
	refused 'family: requested both, is ipv4'
	k attach bl --exist family ipv6
	status_is 0
	err_has 'attached bl'
	k attach bl --exist
	status_is 0
	err_is_empty
	k attach bl --exist family ipv4
	status_is 0
	k attach bl --exist action count
	refused 'family ipv4 match src action drop' 'family ipv6 match src action drop' \
		'action: requested count, is drop'
	rules_are 'prerouting ipv4 src drop' 'prerouting ipv6 src drop'
}

test_exist_waiting() { # a rule that waits is there, and it is said that it waits
	k -q attach --exist bl
	k attach --exist bl
	status_is 0
	err_has "there is no filter 'bl'. The rule waits"
	err_has_not 'attached'
	rules_are 'prerouting both src drop'
}

test_exist_device() { # the device of a rule, under any of its names
	ip link add d0 type dummy
	ip link add d1 type dummy
	ip link property add dev d0 altname other
	k -q create bl
	k -q attach --exist bl hook ingress dev d0
	k attach --exist bl hook ingress dev other
	status_is 0
	err_is_empty
	k attach --exist bl hook ingress dev d0 action count
	refused 'action: requested count, is drop'
	k attach --exist bl hook ingress dev d1 action count
	status_is 0
	err_has attached
	k -q detach bl
	ip link del d0
	ip link del d1
}

test_exist_races() { # of many at once none fails, and there is one rule
	local jobs=()

	k -q create bl
	for _ in {1..12}; do
		kcuckoo -q attach --exist bl &
		jobs+=($!)
	done
	all_succeed "${jobs[@]}"
	rules_are 'prerouting both src drop'
}

test_detach() { # removes all that fit and counts them
	k create bl
	k create other
	k attach bl
	k attach bl hook input family ipv4
	k attach bl hook input family ipv6 match dst
	k attach other
	k detach bl hook input family both
	refused 'no such rule'
	k detach bl hook input match dst
	status_is 0
	err_has '1 rule removed'
	k detach bl
	status_is 0
	err_has '2 rules removed'
	k detach bl
	refused "'bl' has no such rule"
	k rules
	[[ $out == *other* ]] || complain "the rule of another filter is gone"
}

test_detach_all() { # --all removes all, and none is an error
	k create bl
	k create other
	k attach bl
	k attach other hook output
	k detach --all
	status_is 0
	err_has '2 rules removed'
	k detach --all
	refused 'there are no rules'
	k detach bl --all
	refused 'not both'
	k detach
	refused 'needs more'
}

test_waiting() { # a rule may come before its filter, and says that it waits
	k create blocklist
	k attach bloklist
	status_is 0
	out_is ''
	err_has 'attached bloklist: hook prerouting' "no filter 'bloklist'" \
		"did you mean 'blocklist'" 'it matches nothing' 'kcuckoo create bloklist'
	k rules
	[[ $out =~ bloklist\ +prerouting\ +both\ +src\ +drop\ +0\ +0\ +waits ]] ||
		complain "rules: $out"
	k list
	out_is blocklist
	k info bloklist
	refused "no filter 'bloklist'"
	k detach bloklist hook input
	refused "'bloklist' has no such rule" "'kcuckoo rules' shows all rules"
	k detach blocklis
	refused "no filter 'blocklis'" "did you mean 'blocklist'"
	k stats
	[[ $out == *'waiting  1 name without a filter'* ]] || complain "stats: $out"
	k create bloklist
	status_is 0
	err_has '1 rule or program that waited for the filter uses it now'
	k rules
	[[ $out != *waits* ]] || complain "rules: $out"
	k stats
	[[ $out != *waiting* ]] || complain "stats: $out"
	k -q attach other
	err_has 'warning: ' "no filter 'other'"
	k create other type bytes capacity 10
	status_is 0
	err_has 'warning: 1 rule or program waited' 'byte strings'
	k attach other hook input
	refused 'byte strings'
	k detach other
	err_has '1 rule removed'
}

test_waiting_renamed() { # rename and restore bring the filter, too
	k create built
	k attach bl
	k rename built bl
	status_is 0
	k destroy bl
	refused 'rules use it' 'hook prerouting'
	k save bl "$scratch/bl"
	k detach bl
	k destroy bl
	k attach bl
	k restore "$scratch/bl"
	status_is 0
	k rules
	[[ $out != *waits* ]] || complain "rules: $out"
	k detach bl
	k destroy bl
	k attach bl
	k restore --replace "$scratch/bl"
	status_is 0
	k rules
	[[ $out == *bl* && $out != *waits* ]] || complain "rules: $out"
}

test_allow() { # what a rule spares, named and shown
	k create bl
	k attach bl allow good
	status_is 0
	err_has 'attached bl: hook prerouting family both match src action drop allow good' \
		"no filter 'good'" 'matches nothing until' 'kcuckoo create good'
	k rules
	[[ $out =~ bl\ .*\ 0\ \ allow\ good\ \ waits\ for\ good$ ]] || complain "rules: $out"
	k create good
	err_has '1 rule or program that waited'
	k rules
	[[ $out =~ bl\ .*\ 0\ \ allow\ good$ ]] || complain "rules: $out"
	k destroy good
	refused 'rules use it' 'hook prerouting family both match src action drop allow good' \
		"'kcuckoo detach bl' removes the rules of 'bl' that use it as allow filter"
	k attach good hook input
	k destroy good
	refused "'kcuckoo detach bl'" "'kcuckoo detach good' removes them"
	k attach bl hook input allow
	refused "'allow' needs a value"
	k attach bl hook input allow a/b
	refused "'a/b' is not a valid filter name"
	k attach bl hook input allow bl
	refused 'would never match'
	k create words type bytes capacity 10
	k attach bl hook input allow words
	refused "'words' holds byte strings"
	k detach bl allow good
	refused "unknown argument 'allow' for 'detach'"
	k detach bl
	k detach good
	k destroy good
	status_is 0
}

test_ingress() { # rules of a device, which must be there, and no loopback
	ip link add d0 type dummy
	k create bl
	k attach bl hook ingress
	refused 'hook ingress needs a device' 'dev eth0'
	k attach bl dev d0
	refused 'hook prerouting has no device' 'hook ingress dev d0'
	k attach bl hook input dev d0
	refused 'hook input has no device'
	k attach bl hook ingress dev none
	refused "no network device 'none'" 'ip link'
	k attach bl hook ingress dev 0123456789abcdef
	refused "'0123456789abcdef' is not a valid name of a network device"
	k attach bl hook ingress dev lo
	refused "'lo'" 'loopback'
	k attach bl hook ingress dev
	refused "'dev' needs a value"
	k rules
	out_is ''
	k attach bl hook input
	k attach bl hook ingress dev d0 family ipv4 action count
	status_is 0
	err_has 'attached bl: hook ingress dev d0 family ipv4 match src action count'
	k attach bl hook ingress dev d0
	refused "on 'd0' already"
	k rules
	[[ $out =~ bl\ +ingress\ +ipv4\ +src\ +count\ .*\ 0\ \ dev\ d0[[:space:]]bl\ +input ]] ||
		complain "rules: $out"
	k -j rules
	[[ $out == *'"dev": "d0"'* ]] || complain "rules: $out"
	k destroy bl
	refused 'hook ingress dev d0 family ipv4 match src action count'
	ip link set d0 name d1
	k detach bl dev d0
	refused "no network device 'd0'"
	k detach bl dev d1
	err_has '1 rule removed'
	k detach bl dev d1
	refused "'bl' has no such rule"
	k -q attach bl hook ingress dev d1
	ip link del d1
	k rules
	[[ $out != *ingress* && $out == *input* ]] || complain "rules: $out"
}

test_wait() { # a rule that waits for a device says so, and applies when it comes
	k create bl
	k attach bl hook ingress dev d0 --wait
	status_is 0
	err_has "no network device has the name 'd0'. The rule waits"
	err_has 'attached bl: hook ingress dev d0 family both match src action drop --wait'
	k rules
	[[ $out == *' 0  waits for device d0' ]] || complain "rules: $out"
	ip link add d0 type dummy
	k rules
	[[ $out == *' 0  dev d0' ]] || complain "rules: $out"
	k attach bl hook ingress dev d0 --wait
	refused "on 'd0' already"
	k attach bl hook ingress dev d0 --wait --exist
	status_is 0
	err_is_empty
	k attach bl hook ingress dev d0 --wait --exist action count
	refused 'action: requested count, is drop'
	k destroy bl
	refused 'hook ingress dev d0 family both match src action drop --wait'
	# One that does not wait is another rule.
	k attach bl hook ingress dev d0 --exist
	err_has 'attached bl'
	ip link del d0
	k rules
	[[ $out == *' 0  waits for device d0' ]] || complain "rules: $out"
	k detach bl dev d0
	status_is 0
	err_has '1 rule removed'
	k detach bl dev d0
	refused "no network device 'd0'"
}

test_wait_pattern() { # a pattern of devices, and how it is removed
	k create bl
	ip link add d0 type dummy
	k attach bl hook ingress dev 'd*'
	refused "'d*' is a pattern of devices, which needs --wait" "dev 'd*' --wait"
	k attach bl hook xdp dev 'd*'
	refused "'d*' is a pattern of devices"
	k attach bl hook ingress dev 'd*' --wait
	status_is 0
	err_has_not 'waits'
	ip link add d1 type dummy
	k rules
	[[ $out == *'dev d0 (d*)'*'dev d1 (d*)' ]] || complain "rules: $out"
	k destroy bl
	refused "hook ingress dev d* family"
	err_has_not 'more user'
	k detach bl dev d1
	refused "the rule of 'bl' on 'd1' belongs to the pattern 'd*'" "detach bl dev 'd*'"
	k detach bl dev d1 match dst
	refused "'bl' has no such rule"
	err_has_not 'belongs to the pattern'
	k create other
	k detach other dev 'd*'
	refused "'other' has no such rule"
	k detach bl dev 'x*'
	refused "no rule has the pattern 'x*'"
	k detach bl label wan
	refused "'bl' has no such rule"
	k detach bl dev 'd*'
	status_is 0
	err_has '2 rules removed'
	k attach bl hook ingress dev 'none*' --wait
	err_has "no network device matches 'none*'. The rule waits"
	k detach bl
	err_has '1 rule removed'
	ip link del d0
	ip link del d1
}

test_wait_refused() { # what cannot wait changes nothing
	k create bl
	k attach bl hook input --wait
	refused 'hook input does not wait for devices'
	k attach bl hook xdp dev d0 --wait
	refused 'hook xdp does not wait for devices'
	k attach bl hook ingress --wait
	refused 'hook ingress needs a device'
	k attach bl hook ingress dev 'a*b' --wait
	refused "'a*b' is not a valid pattern of devices" 'ppp*'
	k attach bl hook ingress dev a/b --wait
	refused "'a/b' is not a valid name of a network device"
	k attach bl hook ingress dev .. --wait
	refused "'..' is not a valid name"
	k attach bl hook ingress dev lo --wait
	refused "'lo'" 'loopback'
	k attach bl label wan
	refused "unknown argument 'label' for 'attach'"
	k detach bl label 'a b'
	status_is 2
	k detach bl --wait
	refused 'no option --wait'
	k rules
	out_is ''
}

test_escapes() { # what a terminal would obey in the name of a device is told, not sent
	local device=$'d\e[1m'

	ip link add "$device" type dummy
	k create bl
	k attach bl hook ingress dev "$device"
	status_is 0
	err_has 'attached bl: hook ingress dev d\x1b[1m family'
	k rules
	[[ $out == *'dev d\x1b[1m' && $out != *$'\e'* ]] || complain "rules: $out"
	k destroy bl
	refused 'hook ingress dev d\x1b[1m family'
	err_has_not $'\e'
	k attach bl hook input dev "$device"
	refused 'hook ingress dev d\x1b[1m'
	err_has_not $'\e'
	k detach bl dev $'none\e'
	refused "no network device 'none\\x1b'"
	err_has_not $'\e'
	k detach bl dev $'0123456789\e[2Jabcdef'
	refused "'0123456789\\x1b[2Jabcdef' is not a valid name of a network device"
	err_has_not $'\e'
	k detach bl dev "$device"
	status_is 0
	ip link del "$device"
}

test_busy() { # destroy and rename name the rules and how to end them
	local verb

	k create bl
	k attach bl hook input match dst action count
	for verb in 'destroy bl' 'rename bl other'; do
		# shellcheck disable=SC2086 # words, split
		k $verb
		refused 'rules use it' 'hook input family both match dst action count' \
			'kcuckoo detach bl'
	done
	k detach bl
	k destroy bl
	status_is 0
}

test_swap() { # rules follow the name
	k create bl
	k create other
	k attach bl
	k swap bl other
	status_is 0
	k destroy other
	status_is 0
	k destroy bl
	refused 'rules use it'
}

test_no_rules() { # an empty table is not an error
	k rules
	status_is 0
	out_is ''
}

test_packets() { # counters show what was seen
	ip netns add cli-a
	ip netns add cli-b
	ip link add veth0 netns cli-a type veth peer name veth0 netns cli-b
	ip -n cli-a addr add 192.0.2.1/24 dev veth0
	ip -n cli-b addr add 192.0.2.2/24 dev veth0
	ip -n cli-a link set veth0 up
	ip -n cli-b link set veth0 up
	k -n cli-a create bl
	k -n cli-a add bl 192.0.2.2
	k -n cli-a attach bl action count
	# Three datagrams of 28 + 4 bytes; whoever answers is not listed.
	ip netns exec cli-b bash -c '
		for i in 1 2 3; do printf "abcd" >/dev/udp/192.0.2.1/9; done'
	for _ in {1..600}; do
		k -n cli-a -j rules
		[[ $out == *'"packets": 3, "bytes": 96'* ]] && break
		sleep 0.1
	done
	[[ $out == *'"packets": 3, "bytes": 96'* ]] || complain "rules: $out"
	k -n cli-a rules
	[[ $out =~ bl\ +prerouting\ +both\ +src\ +count\ +3\ +96 ]] ||
		complain "rules: $out"
	ip netns del cli-a
	ip netns del cli-b
}

main "$0"
