#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb explain. For random filters, rules and packets it says what the counters of the
# rules then show (explain.py). The other tests are about what else it prints.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run
here=$(dirname "$0")
geo=$(realpath "$here/geo.mmdb")
etc=$scratch/etc
trap 'ip netns del exp-a 2>/dev/null; ip netns del exp-m 2>/dev/null; ip netns del exp-s 2>/dev/null; ip netns del exp-t 2>/dev/null; rm -rf "$scratch"' EXIT

# out_has WORDS...: the output has all of these.
out_has() {
	local words

	for words; do
		[[ $out == *"$words"* ]] || complain "$last: no '$words' in: $out"
	done
}

out_has_not() {
	[[ $out != *"$1"* ]] || complain "$last: '$1' in: $out"
}

test_packets() { # random packets: the counters of random rules are as explain says
	ip netns add exp-a
	ip netns add exp-m
	ip link add a0 netns exp-a address 02:00:00:00:00:0a type veth \
		peer name m0 netns exp-m address 02:00:00:00:00:0b
	ip -n exp-a link set a0 up
	ip -n exp-m link set m0 up
	ip -n exp-m link set lo up
	ip -n exp-m addr add 192.0.2.1/24 dev m0
	ip -n exp-m addr add 2001:db8:ffff::1/64 dev m0 nodad
	ip netns exec exp-m sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.m0.rp_filter=0
	if ! python3 "$here/explain.py" >"$scratch/log" 2>&1; then
		complain "$(tail -n 20 "$scratch/log")"
	fi
	indent <"$scratch/log"
	ip netns del exp-a
	ip netns del exp-m
}

test_members() { # all members, with value and remaining time, the longest first
	k -q create bl value 8 timeout 0
	k -q add bl 198.51.100.0/24 --value 3
	k -q add bl 198.51.100.7 --value 9 --timeout 2h
	k -q add bl 0.0.0.0/1 128.0.0.0/1 198.51.101.0/24
	k explain 198.51.100.7
	status_is 0
	err_is_empty
	out=$(sed "s/timeout 7[12][0-9][0-9]\$/timeout SOON/" "$scratch/out")
	out_is "filter bl: IPv4 and IPv6 addresses and prefixes, exact
  member 198.51.100.7 value 9 timeout SOON
  member 198.51.100.0/24 value 3
  member 128.0.0.0/1 value 0
  no configuration made the filter, so its lists are not known
no rule looks up packets from 198.51.100.7"
	k explain 2001:db8::1
	status_is 1
	out_has 'no filter of addresses covers 2001:db8::1'
	k explain ::ffff:198.51.100.7/128
	out_has 'member 198.51.100.7 value 9'
}

test_fingerprints() { # a match may be a false positive, with this rate
	k -q create bl bits 8
	for i in {1..40}; do
		echo "198.51.100.$i"
	done >"$scratch/list"
	k -q load bl "$scratch/list"
	k -q attach bl
	k explain 198.51.100.7
	status_is 0
	rate=$(kcuckoo -j info bl | sed -n 's/.*"expected_fpr": \([0-9.e-]*\).*/\1/p')
	out_has 'fingerprints of 8 bits' 'member 198.51.100.7' 'this may be a false positive' \
		"is dropped at hook prerouting by the rule of filter bl" \
		"$(printf 'with a probability of %.3g, one in' "$rate")"
	k -j explain 198.51.100.7
	out_has '"exact": false'
}

test_states() { # rules that wait, and rules that an allow filter or a drop precedes
	k -q create bl
	k -q create good
	k -q add bl 198.51.100.0/24
	k -q add good 198.51.100.9
	k -q attach none
	k -q attach bl allow missing
	k -q attach bl allow good hook input
	k -q attach bl hook ingress dev 'kc*' --wait
	k explain 198.51.100.9
	status_is 0
	out_has 'hook ingress of kc*: the rule of filter bl matches nothing: it waits for device kc*' \
		'hook prerouting: the rule of filter none matches nothing: no filter of addresses has the name none' \
		'hook prerouting: the rule of filter bl matches nothing: no filter of addresses has the name missing of its allow filter' \
		'hook input: the rule of filter bl does not match: allow filter good covers the address' \
		'a packet from 198.51.100.9 passes hook prerouting: no rule drops it' \
		'a packet from 198.51.100.9 for this host passes hook input: no rule drops it'
	out_has_not 'of kc*: no rule drops'
	k -q create missing
	k explain 198.51.100.9
	out_has 'hook prerouting: the rule of filter bl drops it' \
		'a packet from 198.51.100.9 is dropped at hook prerouting by the rule of filter bl' \
		'a packet from 198.51.100.9 for this host does not reach hook input: the rule of filter bl drops it at hook prerouting'
	# Packets to the address: only rules that look up destinations.
	k explain 198.51.100.9 dst
	out_has 'a packet to 198.51.100.9 passes hook prerouting: no rule drops it, unless a rule with action drop matches its source'
	k -q attach bl match dst hook output action mark=7
	k explain 198.51.100.9
	out_has 'a packet to 198.51.100.9 that this host sends passes hook output: no rule drops it, and it has mark 7' \
		'a packet from 198.51.100.9 that this host sends passes hook output: no rule drops it'
	# The rule for destinations marks packets, and drops none.
	out_has_not 'unless a rule with action drop matches its destination'
	k -q attach bl match dst hook forward action count
	k explain 198.51.100.9 src
	out_has 'a packet from 198.51.100.9 that this host forwards does not reach hook forward'
	k -q -j explain 198.51.100.9 src
	[ "$(grep -o '"other_rules": 1' <<<"$out" | wc -l)" = 2 ] || complain "other rules: $out"
	k -q detach bl match dst
	k -q attach good match dst hook output
	k explain 198.51.100.9
	out_has 'a packet from 198.51.100.9 that this host sends passes hook output: no rule drops it, unless a rule with action drop matches its destination'
	k -q detach good match dst
	k -q attach bl match dst hook output action mark=7
	k -q -j explain 198.51.100.9
	out_has '"effect": "waits"' '"effect": "allowed"' '"verdict": "unreached"' '"mark": 7'
	python3 -m json.tool <<<"$out" >/dev/null || complain "no JSON: $out"
}

test_devices() { # each device has its own verdicts, and dev chooses one
	ip link add kc0 type dummy
	ip link add kc1 type dummy
	k -q create bl
	k -q add bl 198.51.100.9
	k -q attach bl hook ingress dev 'kc0'
	k -q attach bl hook ingress dev 'kc*' --wait action count
	k -q attach bl hook input
	k explain 198.51.100.9
	out_has 'a packet from 198.51.100.9 is dropped at hook ingress of kc0' \
		'a packet from 198.51.100.9 passes hook ingress of kc1: no rule drops it' \
		'a packet from 198.51.100.9 for this host is dropped at hook input' \
		'hook ingress of kc0: the rule of filter bl does not see it: an earlier rule drops it'
	out_has_not 'further user'
	k explain 198.51.100.9 dev kc0
	out_has 'for this host does not reach hook input: the rule of filter bl drops it at hook ingress of kc0'
	out_has_not kc1
	k explain 198.51.100.9 dev kc1
	out_has 'for this host is dropped at hook input'
	out_has_not 'of kc0'
	k explain 198.51.100.9 dev kc9
	refused "no network device 'kc9'"
	k explain 198.51.100.9 dev lo
	refused 'no rule sees its packets'
	ip link del kc0
	ip link del kc1
}

test_iptables() { # rules of iptables are named as users that are not explained
	k -q create bl
	k -q add bl 198.51.100.9
	k -q attach bl
	k explain 198.51.100.9
	out_has_not 'further user'
	iptables -A INPUT -m kcuckoo --match-filter bl src -j DROP
	k explain 198.51.100.9
	out_has '1 further user of it, such as rules of iptables or BPF programs, are not explained'
	iptables -F INPUT
}

test_templates() { # a rule with a pattern of devices is one user of its filters
	local i

	for i in 0 1 2; do
		ip link add "kc$i" type dummy
	done
	k -q create bl
	k -q create good
	k -q add bl 198.51.100.9
	k -q add good 198.51.100.9
	k -q attach bl allow good hook ingress dev 'kc*' --wait
	k -q attach bl hook ingress dev kc1 --wait
	k -q attach bl hook ingress dev kc2
	k -q attach bl hook ingress dev 'kc*' match dst family ipv4 --wait
	k -q attach bl hook ingress dev 'kc*' match dst family ipv6 --wait
	k -q attach bl hook ingress dev 'none*' --wait
	k explain 198.51.100.9
	out_has_not 'further user'
	iptables -A INPUT -m kcuckoo --match-filter bl src -j DROP
	iptables -A INPUT -m kcuckoo --match-filter good src -j ACCEPT
	iptables -A INPUT -m kcuckoo --match-filter good src -j RETURN
	k -q -j explain 198.51.100.9
	[ "$(grep -o '"other_users": [0-9]*' <<<"$out" | tr -dc '0-9\n' | paste -sd' ')" = '1 2' ] ||
		complain "other users: $out"
	iptables -F INPUT
	for i in 0 1 2; do
		ip link del "kc$i"
	done
}

test_stacked() { # rules of the devices below a device see its packets first
	local packet='a packet from 198.51.100.9'

	ip netns add exp-s
	for i in 0 1 2; do
		ip -n exp-s link add "kc$i" type dummy
	done
	ip -n exp-s link add link kc0 name kc0.5 type vlan id 5
	ip -n exp-s link add link kc0.5 name kc0.5.6 type vlan id 6
	k -q -n exp-s create bl
	k -q -n exp-s add bl 198.51.100.9
	k -q -n exp-s attach bl hook ingress dev kc0
	k -q -n exp-s attach bl hook ingress dev kc0.5 action count
	k -q -n exp-s attach bl hook ingress dev kc1
	k -q -n exp-s attach bl hook input
	# All packets of a VLAN device, also of a VLAN inside a VLAN, arrive at the device below.
	k -n exp-s explain 198.51.100.9 dev kc0.5.6
	status_is 0
	out_is "$(head -n 3 <<<"$out")
hook ingress of kc0: the rule of filter bl drops it
hook ingress of kc0.5: the rule of filter bl does not see it: an earlier rule drops it
hook input: the rule of filter bl does not see it: an earlier rule drops it
$packet is dropped at hook ingress of kc0 by the rule of filter bl
$packet does not reach hook ingress of kc0.5: the rule of filter bl drops it at hook ingress of kc0
$packet for this host does not reach hook input: the rule of filter bl drops it at hook ingress of kc0"
	k -n exp-s explain 198.51.100.9 dev kc0
	out_has_not kc0.5
	# A device above does not matter, and a packet arrives at one port of a bridge.
	ip -n exp-s link add kcbr type bridge
	ip -n exp-s link set kc0 master kcbr
	ip -n exp-s link set kc1 master kcbr
	ip -n exp-s link set kc2 master kcbr
	k -q -n exp-s attach bl hook ingress dev kc2 action count
	k -q -n exp-s detach bl hook input
	k -q -n exp-s attach bl hook input action count
	k -n exp-s explain 198.51.100.9 dev kcbr
	out_has "$packet is dropped at hook ingress of kc0" "$packet is dropped at hook ingress of kc1" \
		"$packet passes hook ingress of kc2: no rule drops it" \
		"$packet for this host passes hook input: no rule drops it, unless it arrives at kc0 or kc1"
	out_has_not 'kc2 or' 'of kc0.5'
	[[ $out != *'hook ingress of kc2'*'unless'*'hook input:'* ]] || complain "kc2: $out"
	k -q -n exp-s -j explain 198.51.100.9 dev kcbr
	out_has '"lower_drops": [{"dev": "kc0"}, {"dev": "kc1"}]' '"lower_drops": []'
	# With a rule at each port that drops it, no packet reaches the next hook.
	k -q -n exp-s detach bl hook ingress dev kc2
	k -q -n exp-s attach bl hook ingress dev kc2
	k -n exp-s explain 198.51.100.9 dev kcbr
	out_has "$packet is dropped at hook ingress of kc2" \
		"$packet for this host does not reach hook input: a rule drops it at each lower device"
	# If the bridge has one port, all packets arrive there.
	ip -n exp-s link set kc1 nomaster
	ip -n exp-s link set kc2 nomaster
	k -n exp-s explain 198.51.100.9 dev kcbr
	out_has "$packet for this host does not reach hook input: the rule of filter bl drops it at hook ingress of kc0"
	out_has_not kc1
	# Packets of a macvlan device can also come from its siblings.
	ip -n exp-s link set kc0 nomaster
	ip -n exp-s link add link kc0 name kcmac type macvlan mode bridge
	k -n exp-s explain 198.51.100.9 dev kcmac
	out_has "$packet is dropped at hook ingress of kc0" \
		'passes hook input: no rule drops it, unless it arrives at kc0'
	# In a tunnel, the device below sees the addresses of the tunnel.
	ip -n exp-s link add kcvx type vxlan id 5 dev kc0 dstport 4789
	k -n exp-s explain 198.51.100.9 dev kcvx
	out_has "$packet for this host passes hook input: no rule drops it"
	out_has_not 'of kc0'
	# Rules of another namespace are not known.
	ip netns add exp-t
	ip -n exp-s link set kcmac netns exp-t
	k -n exp-t explain 198.51.100.9 dev kcmac
	status_is 1
	err_has 'kcmac gets its packets from a device of another network namespace'
	k -q -n exp-s detach --all
	ip netns del exp-t
	ip netns del exp-s
}

test_warnings() { # what a rule that drops does not see
	k -q create bl
	k -q add bl 198.51.100.9 127.0.0.1
	k -q attach bl
	k explain 127.0.0.1
	err_has '127.0.0.1 belongs to this host: no rule sees packets that the host sends to itself'
	k explain 198.51.100.9
	err_is_empty
	ip link add kc0 type dummy
	nft -f - <<-'END'
		table inet t {
			flowtable f {
				hook ingress priority 0
				devices = { kc0 }
			}
		}
	END
	k explain 198.51.100.9
	err_has "flowtable 'f' in table inet 't'"
	nft flush ruleset
	ip link del kc0
	ip link add kcbr type bridge
	k explain 198.51.100.9
	err_has 'frames that bridge kcbr forwards'
	ip link del kcbr
	k -q detach bl
	k -q attach bl action count
	ip link add kcbr type bridge
	k explain 198.51.100.9
	err_is_empty
	ip link del kcbr
}

# configure: standard input is the only file of the configuration
configure() {
	rm -rf "${etc:?}" "$KCUCKOO_STATE"
	mkdir "$etc"
	cat >"$etc/a.conf"
}

# copy NAME MEMBER...: the last good copy of a list with a url
copy() {
	local file=$KCUCKOO_STATE/lists/$1.list

	mkdir -p "${file%/*}"
	printf '%s\n' "${@:2}" >"$scratch/body"
	echo "# kcuckoo-list 1 $1 members $(wc -l <"$scratch/body") bytes $(stat -c %s "$scratch/body") sha256 $(sha256sum <"$scratch/body" | cut -d ' ' -f 1)" >"$file"
	cat "$scratch/body" >>"$file"
}

test_lists() { # every entry that covers the address, with file, line and text
	printf '%s\n' '# a list' '198.51.100.0/24   # the whole network' '' 203.0.113.1 \
		'198.51.100.1-198.51.100.9 scanners' >"$scratch/mine.txt"
	gzip -k "$scratch/mine.txt"
	echo '[{"cidr": "203.0.113.0/24"}, {"cidr": "198.51.100.8/30"}]' >"$scratch/list.json"
	echo 198.51.100.200 >"$scratch/never.txt"
	configure <<-END
		[list drop]
		url = https://192.0.2.1/list
		[list packed]
		file = $scratch/mine.txt.gz
		file = $scratch/list.json
		[filter bad]
		list = drop
		list = packed
		list = $scratch/mine.txt
		exclude = $scratch/never.txt
		[filter bans]
		timeout = 1h
		[rule wan]
		filter = bad bans
	END
	copy drop 192.0.2.0/24 198.51.100.9 203.0.113.0/24
	k -q apply --config "$etc" --keep-own
	status_is 0
	k explain 198.51.100.9
	status_is 0
	err_is_empty
	out_is "filter bad: IPv4 and IPv6 addresses and prefixes, exact
  member 198.51.100.9
  member 198.51.100.8/31
  member 198.51.100.8/30
  member 198.51.100.0/25
  list drop: $KCUCKOO_STATE/lists/drop.list:3: 198.51.100.9
  list packed: $scratch/mine.txt.gz:2: 198.51.100.0/24   # the whole network
  list packed: $scratch/mine.txt.gz:5: 198.51.100.1-198.51.100.9 scanners
  list packed: $scratch/list.json:1: entry 2: 198.51.100.8/30
  list $scratch/mine.txt: $scratch/mine.txt:2: 198.51.100.0/24   # the whole network
  list $scratch/mine.txt: $scratch/mine.txt:5: 198.51.100.1-198.51.100.9 scanners
hook prerouting: rule wan (filter bad) drops it
a packet from 198.51.100.9 is dropped at hook prerouting by rule wan (filter bad)"
	# A ban is in no list.
	k -q add bans 192.0.2.99
	k explain 192.0.2.99
	out_has 'filter bans' 'the configuration has no list for it'
	# Lists change after they were applied, and one is lost.
	echo 203.0.113.7 >"$scratch/mine.txt"
	rm "$scratch/mine.txt.gz"
	copy drop 203.0.113.0/24
	echo 198.51.100.9 >>"$scratch/never.txt"
	k explain 198.51.100.9
	out_has "list packed was not searched completely: cannot read $scratch/mine.txt.gz" \
		"list packed: $scratch/list.json:1: entry 2" \
		"exception of list $scratch/never.txt: $scratch/never.txt:2: 198.51.100.9"
	out_has_not 'list drop'
	echo damaged >>"$KCUCKOO_STATE/lists/drop.list"
	k explain 198.51.100.9
	out_has 'list drop was not searched completely: is damaged'
	k -j explain 198.51.100.9
	out_has '"lists_known": true' '"entry": 2' '"exception": true' '"not_searched": [{' \
		'"configuration_read": true'
	# The copy of the configuration is damaged, or lost.
	echo broken >"$KCUCKOO_STATE/applied/a.conf"
	k explain 198.51.100.9
	status_is 0
	out_has '  the configuration that made it cannot be read, so its lists are not known: see --config'
	rm -r "$KCUCKOO_STATE/applied"
	k explain 198.51.100.9
	out_has 'the configuration that made it cannot be read'
	k -j explain 198.51.100.9
	out_has '"configuration_read": false, "lists_known": false'
	k explain 198.51.100.9 --config "$etc"
	out_has "list packed: $scratch/list.json:1: entry 2"
	k down
}

test_namespace() { # a list of a namespace is named where its copy is
	ip netns add exp-n
	configure <<-END
		[list drop]
		url = https://192.0.2.1/list
		[filter bad]
		list = drop
	END
	copy ../lists/netns/exp-n/drop 198.51.100.9
	sed -i '1s|^# kcuckoo-list 1 [^ ]*|# kcuckoo-list 1 drop|' "$KCUCKOO_STATE/lists/netns/exp-n/drop.list"
	k -q -n exp-n apply --config "$etc" --keep-own
	status_is 0
	k -n exp-n explain 198.51.100.9
	out_has "list drop: $KCUCKOO_STATE/lists/netns/exp-n/drop.list:2: 198.51.100.9"
	ip netns del exp-n
}

test_databases() { # networks of a database are found as entries
	configure <<-END
		[filter countries]
		list = mmdb:$geo?country=LI
	END
	k -q apply --config "$etc"
	status_is 0
	address=$(kcuckoo list countries | sed -n '3s/\/.*//p')
	k explain "$address"
	status_is 0
	out_has "list mmdb:$geo?country=LI: $geo:" ': '
	k down
}

test_nothing() { # is changed
	k -q create bl timeout 1h
	k -q add bl 198.51.100.0/24 198.51.100.9
	k -q attach bl
	(kcuckoo -j list; kcuckoo -j info bl; kcuckoo -j rules) >"$scratch/before"
	k explain 198.51.100.9
	k -j explain 198.51.100.9 dst
	(kcuckoo -j list; kcuckoo -j info bl; kcuckoo -j rules) >"$scratch/after"
	cmp "$scratch/before" "$scratch/after" || complain 'explain changed something'
}

test_refused() { # no address, or no single one
	k explain
	refused 'needs more arguments'
	k explain 198.51.100.0/24
	refused 'is a network' "'kcuckoo test NAME 198.51.100.0/24'"
	k explain 198.51.100.1-198.51.100.9
	refused 'a range is not one address' "'explain' takes"
	err_has_not "'test'"
	k explain 198.51.100.1-198.51.100.4
	refused '198.51.100.1-198.51.100.4'
	k explain host.example
	refused 'not an IPv4 or IPv6 address'
	k explain 198.51.100.1 from
	refused "unknown argument 'from' for 'explain'"
	k explain 198.51.100.1 dev
	refused "'dev' needs"
	k explain 198.51.100.1 src dst
	refused "only one of 'src' and 'dst'"
	k explain 198.51.100.1 --config "$scratch/none"
	status_is 2
}

main "$0"
