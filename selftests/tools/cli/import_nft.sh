#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb import with nft: sets become filters with the same members, and rules that drop packets
# by them become rules that drop the same packets. Where JSON is written here, it is as nft prints
# it.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"
# shellcheck source=selftests/tools/cli/importing.sh
. "$(dirname "$0")/importing.sh"

table_json='{"table": {"family": "ip", "name": "t"}}'

# nft_json OBJECT...: a file of JSON with these objects, and with the table t.
nft_json() {
	local IFS=,

	set -- "$table_json" "$@"
	printf '{"nftables": [%s]}' "$*" | tr -d '\n' >"$scratch/nft"
	echo >>"$scratch/nft"
}

# set_json NAME and rule_json EXPRESSION...: a set, and a rule in the chain input.
set_json() {
	printf '{"set": {"family": "ip", "table": "t", "name": "%s", "type": "ipv4_addr", "elem": ["198.51.100.1"]}}' "$1"
}

chain_json='{"chain": {"family": "ip", "table": "t", "name": "c", "hook": "input", "type": "filter", "prio": 0}}'

rule_json() {
	local IFS=,

	printf '{"rule": {"family": "ip", "table": "t", "chain": "c", "handle": 9, "expr": [%s]}}' "$*"
}

# match_json SET: "ip saddr @SET".
match_json() {
	printf '{"match": {"op": "==", "left": {"payload": {"protocol": "ip", "field": "saddr"}}, "right": "@%s"}}' "$1"
}

drop='{"drop": null}'

test_documents() { # all documents of JSON are read
	begin
	nft_json "$(set_json a)"
	cp "$scratch/nft" "$scratch/first"
	nft_json "$(set_json b)" "$chain_json" "$(rule_json "$(match_json a)" "$drop")"
	cat "$scratch/first" "$scratch/nft" >"$scratch/both"
	k import --from-nft "$scratch/both"
	status_is 0
	[[ $out == *'[filter a]'*'[filter b]'*'filter = a'* ]] || complain "printed: $out"
	printf '{"nftables": [' >>"$scratch/first"
	k import --from-nft "$scratch/first" --skip
	refused "$scratch/first: line 2: "
	printf '\n{}\n' >>"$scratch/nft"
	k import --from-nft "$scratch/nft" --skip
	refused "$scratch/nft: line 3: this is not JSON output of nft"
	k import --from-nft "$scratch/nothing"
	refused 'is not JSON output of nft'
}

test_many() { # 20,000 rules take no time that grows with their square
	local rule

	begin
	rule=$(rule_json '{"match": {"op": "==", "left": {"meta": {"key": "l4proto"}}, "right": "tcp"}}' "$drop")
	nft_json "$(set_json a)" "$chain_json" "$(yes "$rule" | head -n 20000 | paste -sd ,)" \
		"$(rule_json "$(match_json a)" "$drop")"
	timeout 60 kcuckoo import --from-nft "$scratch/nft" >"$scratch/out" || complain "exit status $?"
	[[ $(<"$scratch/out") == *'filter = a'* ]] || complain "printed: $(<"$scratch/out")"
}

test_twice() { # a chain or table that occurs twice, with differences, is an error
	begin
	nft_json "$(set_json a)" "$chain_json" "${chain_json/input/output}"
	k import --from-nft "$scratch/nft" --skip
	refused "$scratch/nft: the chain ip t c occurs twice, with differences"
	nft_json "$(set_json a)" '{"table": {"family": "ip", "name": "t", "flags": "dormant"}}'
	k import --from-nft "$scratch/nft" --skip
	refused "$scratch/nft: the table ip t occurs twice, with differences"
	nft_json "$(set_json a)" "$chain_json" "$chain_json"
	k import --from-nft "$scratch/nft"
	status_is 0
	nft_json "$(set_json a)" "$chain_json" "$(rule_json | sed "s/\"c\"/\"$(printf 'c%.0s' {1..1100})\"/")"
	k import --from-nft "$scratch/nft" --skip
	refused "$scratch/nft: a rule is in a chain with a name that is too long"
}

test_dormant() { # rules of a dormant table are left out, its sets are not
	local flags table_json

	begin
	for flags in '"d"' '"ip"' '"dormant"' '["owner", "dormant"]' '["owner", "foo"]' 7 ''; do
		table_json="{\"table\": {\"family\": \"ip\", \"name\": \"t\", \"flags\": $flags}}"
		# A table that is not in the file may be dormant, too.
		[ -n "$flags" ] || table_json='{"table": {"family": "ip6", "name": "t"}}'
		nft_json "$(set_json a)" "$chain_json" "$(rule_json "$(match_json a)" "$drop")"
		k import --from-nft "$scratch/nft"
		refused 'rule of set a in chain ip t c, handle 9: ' dormant
		k import --from-nft "$scratch/nft" --skip
		status_is 0
		[[ $out == *'[filter a]'* && $out != *'[rule'* ]] || complain "printed: $out"
	done
	table_json='{"table": {"family": "ip", "name": "t", "flags": "owner"}}'
	nft_json "$(set_json a)" "$chain_json" "$(rule_json "$(match_json a)" "$drop")"
	k import --from-nft "$scratch/nft"
	status_is 0
	# What nft of this system prints.
	nft 'add table ip t { flags dormant; }; add set ip t a { type ipv4_addr; }; add chain ip t c { type filter hook input priority 0; }; add rule ip t c ip saddr @a drop' ||
		complain 'no rules'
	nft -j list ruleset >"$scratch/nft"
	k import --from-nft "$scratch/nft"
	refused 'chain ip t c, handle' dormant
}

# typed_json NAME TYPE [ELEMENTS]: a set with these members in JSON.
typed_json() {
	printf '{"set": {"family": "ip", "table": "t", "name": "%s", "type": %s, "elem": %s}}' \
		"$1" "$2" "${3:-[]}"
}

test_typeof() { # the type of a set can be that of an expression
	begin
	nft_json "$(typed_json a '{"typeof": {"payload": {"protocol": "ip", "field": "saddr"}}}' '["198.51.100.1"]')" \
		"$(typed_json b '{"typeof": {"payload": {"protocol": "ip6", "field": "daddr"}}}' '["2001:db8::1"]')" \
		"$(typed_json c '{"typeof": {"payload": {"protocol": "tcp", "field": "dport"}}}' '[80]')" \
		"$(typed_json d '{"typeof": {"concat": []}}')" "$(typed_json e 7)" \
		"$(typed_json f '"ipv4_addr"' '"198.51.100.1"')"
	k import --from-nft "$scratch/nft"
	refused 'set c of table ip t: its type cannot be read' \
		'set d of table ip t: its elements are concatenations' \
		'set e of table ip t: its type cannot be read' \
		"set f of table ip t: " "'elem' of the set 'f' is not an array" \
		'nothing was written: 4 sets or rules'
	k import --from-nft "$scratch/nft" --skip --to "$folder"
	status_is 0
	[ "$(tail -qn 1 "$folder"/[ab].txt)" = $'198.51.100.1\n2001:db8::1' ] ||
		complain "$(cat "$folder"/*.txt)"
}

test_uses() { # only the parts of a rule that name a set do so
	local part

	begin
	nft_json "$(set_json a)" "$chain_json" "$(rule_json '{"log": {"prefix": "@ssh"}}' "$drop")"
	k import --from-nft "$scratch/nft"
	status_is 0
	for part in '{"match": {"op": "==", "left": {"meta": {"key": "mark"}}, "right": "@a"}}' \
		'{"set": {"op": "add", "elem": {"payload": {"protocol": "ip", "field": "saddr"}}, "set": "@a"}}' \
		'{"vmap": {"key": {"meta": {"key": "mark"}}, "data": "@a"}}' \
		'{"snat": {"addr": {"map": {"key": {"meta": {"key": "mark"}}, "data": "@a"}}}}'; do
		nft_json "$(set_json a)" "$chain_json" "$(rule_json "$part")"
		k import --from-nft "$scratch/nft"
		refused 'rule of set a in chain ip t c, handle 9: '
	done
}

test_statements() { # a set whose elements match only some packets is left out
	local part never=18446744073709551 statements='counter quota 25 mbytes'

	# Before, a set has at most one statement.
	since 5.11 || statements='quota 25 mbytes'

	begin
	for part in '"stmt": [{"quota": {"val": 25, "val_unit": "mbytes"}}]' \
		'"stmt": [{"counter": null}, {"limit": {"rate": 10, "per": "second"}}]' \
		'"flags": ["foo"]' '"foo": 1' \
		'"elem": [{"elem": {"val": "198.51.100.1", "quota": {"val": 25}}}]' \
		'"elem": [{"elem": {"val": "198.51.100.1", "ct count": {"val": 10}}}]' \
		'"elem": [{"elem": {"val": "198.51.100.1", "counter": {"packets": 0, "bytes": 0}}}]'; do
		nft_json "{\"set\": {\"family\": \"ip\", \"table\": \"t\", \"name\": \"a\", \"type\": \"ipv4_addr\", $part}}" \
			"$chain_json" "$(rule_json "$(match_json a)" "$drop")"
		k import --from-nft "$scratch/nft"
		refused "$scratch/nft: set a of table ip t: " 'its set is not taken over'
		k import --from-nft "$scratch/nft" --skip
		[[ $out != *'[filter'* && $out != *'[rule'* ]] || complain "printed: $out"
	done
	# What nft of this system prints.
	nft -f - <<-END || complain 'no rules'
		table ip t {
			set a { type ipv4_addr
				$statements
				elements = { 198.51.100.1 }
			}
			set b { type ipv4_addr; flags interval
				counter
				elements = { 198.51.100.0/24 }
			}
		}
	END
	nft -j list ruleset >"$scratch/nft"
	k import --from-nft "$scratch/nft" --skip
	status_is 0
	err_has "set a of table ip t: the statement 'quota' of its elements decides which packets match"
	[[ $out == *'[filter b]'* && $out != *'[filter a]'* ]] || complain "printed: $out"
	# An element that never expires, in a set with a timeout.
	nft_json "{\"set\": {\"family\": \"ip\", \"table\": \"t\", \"name\": \"a\", \"type\": \"ipv4_addr\", \"timeout\": 60,
		\"elem\": [{\"elem\": {\"val\": \"198.51.100.1\", \"timeout\": $never}}]}}"
	k import --from-nft "$scratch/nft" --to "$folder"
	grep -qx '198.51.100.1 timeout 0' "$folder/a.txt" || complain "$(cat "$folder/a.txt")"
}

test_place() { # the first element that cannot be understood is named with its place and reason
	begin
	nft_json '{"set": {"family": "ip", "table": "t", "name": "a", "type": "ipv4_addr",
		"elem": ["198.51.100.1", "junk", 7]}}'
	k import --from-nft "$scratch/nft"
	refused "$scratch/nft: set a of table ip t: elem[1]: junk: " ', and 1 more'
}

# left_with REASON: the rule that uses the set a is left out with this reason, and with --skip the
# filter gets no rule.
left_with() {
	k import --from-nft "$scratch/nft"
	refused 'rule of set a in chain ip t c, handle 9: ' "$1" 'nothing was written: 1 set or rule'
	k import --from-nft "$scratch/nft" --skip
	status_is 0
	[[ $out == *'[filter a]'* && $out != *'[rule'* ]] || complain "printed: $out"
}

# at_chain TYPE HOOK PRIORITY FIELD [OBJECT...]: a rule in a chain, and further objects.
at_chain() {
	local chain=$chain_json rule

	chain=${chain/'"type": "filter"'/'"type": "'$1'"'}
	chain=${chain/'"hook": "input"'/'"hook": "'$2'"'}
	chain=${chain/'"prio": 0'/'"prio": '$3}
	rule=$(rule_json "$(match_json a)" "$drop")
	nft_json "$(set_json a)" "$chain" "${rule/saddr/$4}" "${@:5}"
}

test_nat() { # rules that see other addresses than kcuckoo are left out
	local nat

	begin
	at_chain nat prerouting -100 saddr
	left_with 'its chain has type nat, and sees only the first packet of a connection'
	at_chain foo input 0 saddr
	left_with 'the type or priority of its chain is not known'
	at_chain filter input '"filter"' saddr
	left_with 'the type or priority of its chain is not known'
	at_chain filter prerouting -100 daddr
	left_with 'it looks up the destination after NAT, and kcuckoo runs before NAT'
	at_chain filter input 100 saddr
	left_with 'it looks up the source after NAT'
	nat='{"chain": {"family": "ip", "table": "t", "name": "n", "type": "nat", "hook": "output", "prio": -100}}'
	at_chain filter output 0 daddr "$nat" \
		'{"rule": {"family": "ip", "table": "t", "chain": "n", "handle": 5, "expr": [{"dnat": {}}]}}'
	left_with "the rule of chain ip t n, handle 5 can change the destination of a packet"
	# What is the same before and after NAT.
	for nat in 'filter prerouting -101 daddr' 'filter prerouting 300 saddr' \
		'filter input 99 saddr' 'filter input 300 daddr' 'filter forward 300 daddr' \
		'filter output 300 saddr' 'route output -150 daddr' 'filter output 0 daddr'; do
		# shellcheck disable=SC2086 # words
		at_chain $nat
		k import --from-nft "$scratch/nft"
		status_is 0
		[[ $out == *'filter = a'* ]] || complain "$nat: $out"
	done
	# A rule that writes addresses, before all others.
	at_chain filter input 0 saddr \
		'{"rule": {"family": "ip", "table": "t", "chain": "x", "handle": 5, "expr": [{"mangle":
		{"key": {"payload": {"protocol": "ip", "field": "daddr"}}, "value": "198.51.100.1"}}]}}'
	left_with 'the rule with handle 5 changes addresses of packets'
	at_chain filter input 0 saddr \
		'{"rule": {"family": "ip", "table": "t", "chain": "x", "handle": 5, "expr": [{"mangle":
		{"key": {"payload": {"base": "nh", "offset": 96, "len": 32}}, "value": 7}}]}}'
	left_with 'the rule with handle 5 changes addresses of packets'
	at_chain filter input 0 saddr \
		'{"rule": {"family": "ip", "table": "t", "chain": "x", "handle": 5, "expr": [{"mangle":
		{"key": {"meta": {"key": "mark"}}, "value": 7}}]}}'
	k import --from-nft "$scratch/nft"
	status_is 0
}

test_parts() { # a rule with a part that is not known is left out
	local match rule

	begin
	match=$(match_json a)
	rule=$(rule_json "$match" "$drop")
	nft_json "$(set_json a)" "$chain_json" "${rule/'"protocol"'/'"tunnel": "vxlan", "protocol"'}"
	left_with 'it looks up another address than that of the packet'
	nft_json "$(set_json a)" "$chain_json" "${rule/'"op"'/'"foo": 1, "op"'}"
	left_with 'it has a further condition'
	nft_json "$(set_json a)" "$chain_json" "${rule/'"left": {'/'"left": {"foo": 1, '}"
	left_with 'it does not look up the source or destination address'
	nft_json "$(set_json a)" "$chain_json" "${rule/'"handle"'/'"foo": 1, "handle"'}"
	left_with "it has the key 'foo', which is not known"
	nft_json "$(set_json a)" "${chain_json/'"prio"'/'"foo": 1, "prio"'}" "$rule"
	left_with "its chain has the key 'foo', which is not known"
	nft_json "$(set_json a)" "$chain_json" "$(rule_json "$match" '{"drop": null, "foo": 1}')"
	left_with 'it has a statement other than counter and drop'
	nft_json "$(set_json a)" "$chain_json" "$(rule_json "$drop" "$match")"
	left_with 'it has a statement other than counter and drop'
	# A rule before it whose statement is not known may accept packets.
	nft_json "$(set_json a)" "$chain_json" "$(rule_json '{"counter": null, "foo": 1}')" "$rule"
	left_with 'the rule with handle 9 can let packets pass before it'
}

test_dynamic() { # a set to which rules add entries gets no list, also if nft prints no flag
	begin
	nft -f - <<-'END' || complain 'no rules'
		table ip t {
			set a { type ipv4_addr; flags dynamic
				elements = { 198.51.100.1 }
			}
			chain c {
				type filter hook input priority 0
				tcp dport 23 add @a { ip saddr }
			}
		}
	END
	nft -j list ruleset >"$scratch/nft"
	k import --from-nft "$scratch/nft" --skip
	status_is 0
	[[ $out == *$'[filter a]\nkeep = yes'* && $out != *'[list a]'* ]] || complain "printed: $out"
}

test_range() { # a timeout that no filter can have
	local timeout

	begin
	for timeout in -1 4294967296 4294967297 9223372036854775807 '"1h"' 1.5; do
		nft_json "{\"set\": {\"family\": \"ip\", \"table\": \"t\", \"name\": \"a\", \"type\": \"ipv4_addr\", \"timeout\": $timeout}}"
		k import --from-nft "$scratch/nft"
		refused 'set a of table ip t: its timeout is not a number of seconds that a filter can have'
	done
}

test_injected() { # names from a file add no lines to the files that are written
	local dev

	begin
	nft_json "$(set_json a | sed 's/"t"/"t\\n203.0.113.9\\n"/')"
	k import --from-nft "$scratch/nft" --to "$folder"
	status_is 0
	[ "$(grep -v '^#' "$folder/a.txt")" = 198.51.100.1 ] || complain "$(cat "$folder/a.txt")"
	! grep -q ^203 "$folder/import.conf" || complain "$(cat "$folder/import.conf")"
	for dev in 'a\nmatch = dst' 'a b' a/b a:b .x 'a*b' '' 0123456789abcdef; do
		nft_json "$(set_json a)" "${chain_json/\"input\"/\"ingress\", \"dev\": \"$dev\"}" \
			"$(rule_json "$(match_json a)" "$drop")"
		k import --from-nft "$scratch/nft"
		refused 'the device of its chain has a name that is not valid'
	done
	nft_json "$(set_json a)" "${chain_json/\"input\"/\"ingress\", \"dev\": \"eth0\"}" \
		"$(rule_json "$(match_json a)" "$drop")"
	k import --from-nft "$scratch/nft"
	status_is 0
	[[ $out == *$'\ndev = eth0'* ]] || complain "printed: $out"
}

ruleset() {
	cat <<-'END'
		table inet filter {
			set bl4 {
				type ipv4_addr
				flags interval
				elements = { 198.51.100.0/24, 203.0.113.7, 5.0.0.1-5.0.0.9 }
			}
			set bl6 {
				type ipv6_addr
				elements = { 2001:db8::1, 2001:db8::2 }
			}
			set bans {
				type ipv4_addr
				flags timeout
				timeout 1h
				elements = { 192.0.2.7 timeout 2h }
			}
			chain input {
				type filter hook input priority 0
				ip saddr @bl4 counter drop
				ip6 saddr @bl6 drop
				ip saddr @bans drop
			}
			chain output {
				type filter hook output priority 0
				ip daddr @bl4 drop
			}
		}
		table netdev early {
			set bl {
				type ipv4_addr
				elements = { 10.1.2.3 }
			}
			chain in {
				type filter hook ingress device "kc0" priority 0
				ip saddr @bl drop
			}
		}
	END
}

test_nft() { # sets and rules of nft
	begin
	ip link add kc0 type dummy
	ruleset | nft -f - || complain 'no rules'
	# nft of Debian 12 does not print the device of a chain, later ones do.
	nft -j list ruleset | sed 's/"hook": "ingress", "prio": 0/& , "dev": "kc0"/' >"$scratch/nft"
	import --from-nft "$scratch/nft"
	k list bl4
	out_is $'5.0.0.1\n5.0.0.2/31\n5.0.0.4/30\n5.0.0.8/31\n198.51.100.0/24\n203.0.113.7'
	k list bl6
	out_is $'2001:db8::1\n2001:db8::2'
	k list bl
	out_is 10.1.2.3
	k -q load bans "$folder/bans.txt"
	k list bans
	[[ $out == '192.0.2.7 timeout 71'?? ]] || complain "bans: $out"
	k -j info bans
	[[ $out == *'"timeout": 3600'* ]] || complain "$out"
	rules_are 5
	rule_is bl4 input src
	rule_is bl6 input src
	rule_is bans input src
	rule_is bl4 output dst
	rule_is bl ingress src
	ip link del kc0
}

test_nft_left() { # sets and rules of nft that cannot be taken over
	begin
	nft -f - <<-'END' || complain 'no rules'
		table inet filter {
			set bl { type ipv4_addr; elements = { 198.51.100.1 }; }
			set pairs { type ipv4_addr . inet_service; elements = { 198.51.100.1 . 80 }; }
			set ports { type inet_service; elements = { 80 }; }
			map m { type ipv4_addr : verdict; elements = { 198.51.100.1 : drop }; }
			chain input {
				type filter hook input priority 0
				tcp dport 80 ip saddr @bl drop
				ip saddr != @bl drop
				tcp dport @ports drop
				ct state established accept
				ip saddr @bl drop
			}
			chain other { ip saddr @bl drop; }
		}
	END
	nft -j list ruleset >"$scratch/nft"
	k import --from-nft "$scratch/nft" --to "$folder"
	refused 'set pairs of table inet filter: its elements are concatenations' \
		'set ports of table inet filter: its elements are not addresses' \
		'map m of table inet filter: a filter cannot be a map' \
		'it has a further condition' 'it matches addresses that are not in the set' \
		'can let packets pass before it' 'its chain is not attached to a hook' \
		'nothing was written: 8 sets or rules'
	k import --from-nft "$scratch/nft" --to "$folder" --skip
	status_is 0
	k apply --check --config "$folder"
	out_is 'filter bl: lists bl'
}

test_names() { # sets with the same name in several tables get filters with different names
	local many

	begin
	nft -f - <<-'END' || complain 'no rules'
		table ip filter {
			set bl { type ipv4_addr; elements = { 198.51.100.1 }; }
			chain c { type filter hook input priority 0; ip saddr @bl drop; }
		}
		table ip6 filter {
			set bl { type ipv6_addr; elements = { 2001:db8::1 }; }
			chain c { type filter hook input priority 0; ip6 saddr @bl drop; }
		}
		table ip other {
			set bl-ip6 { type ipv4_addr; }
		}
	END
	nft -j list ruleset >"$scratch/nft"
	k import --from-nft "$scratch/nft"
	refused 'set bl of table ip6 filter: ' 'and the names bl and bl-ip6 are taken' \
		'rule of set bl in chain ip6 filter c' 'its set is not taken over' \
		'nothing was written: 2 sets or rules'
	k import --from-nft "$scratch/nft" --skip
	status_is 0
	[[ $out == *'[filter bl]'*'[filter bl-ip6]'*$'[rule input-1]\nfilter = bl\nhook'* ]] ||
		complain "printed: $out"
	nft delete table ip other
	nft -j list ruleset >"$scratch/nft"
	k import --from-nft "$scratch/nft" --to "$folder"
	status_is 0
	[ "$(tail -qn 1 "$folder"/bl{,-ip6}.txt)" = $'198.51.100.1\n2001:db8::1' ] ||
		complain "$(cat "$folder"/*.txt)"
	k apply --check --config "$folder"
	[[ $out == *'rule input-1: filter bl bl-ip6 hook input'* ]] || complain "$out"
	# A name that is as long as possible.
	many=$(printf 'x%.0s' {1..31})
	nft_json "$(set_json "$many")" "$(set_json "$many" | sed 's/"ip"/"ip6"/')"
	k import --from-nft "$scratch/nft"
	refused "set $many of table ip6 t: " 'is too long'
	nft_json "$(set_json a)" "$(set_json a)"
	k import --from-nft "$scratch/nft" --skip
	refused "$scratch/nft: the set ip t a occurs twice"
}

main "$0"
result=$?
clean
[ "$result" = 0 ]
