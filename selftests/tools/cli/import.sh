#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb import: sets of ipset and nft become filters with the same members, and rules that
# drop packets by them become rules that drop the same packets. The sets and rules are real
# ones, and what ipset and nft list is compared with what kcuckoo lists.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run
folder=$scratch/folder
# The name servers of the host that runs the machine are none of ours.
: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
trap 'clean; umount /etc/resolv.conf; rm -rf "$scratch"' EXIT

clean() {
	iptables -F 2>/dev/null
	ip6tables -F 2>/dev/null
	ipset destroy 2>/dev/null
	nft flush ruleset 2>/dev/null
}

begin() {
	clean
	kcuckoo -q down
	rm -rf "$KCUCKOO_STATE" "$KCUCKOO_RUN" "$folder"
	mkdir "$folder"
}

# import OPTION...: and the configuration is accepted and applied.
import() {
	k import "$@" --to "$folder"
	status_is 0
	k apply --check --config "$folder"
	status_is 0
	k -q apply --config "$folder" --keep-own
	status_is 0
}

# same WHAT FILE FILE: both have the same lines.
same() {
	cmp -s "$2" "$3" && return
	complain "$1 differ"
	diff "$2" "$3" | head -n 10 | indent
}

# members SET: what ipset lists, as kcuckoo lists it, in the same order.
members() {
	ipset list "$1" | sed '1,/^Members:/d' | sed 's/ .*//' | sort
}

random_sets() {
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		print "create nets hash:net family inet"
		print "create hosts hash:ip family inet comment counters"
		print "create nets6 hash:net family inet6"
		print "create map bitmap:ip range 198.51.0.0-198.51.255.255"
		print "create wide hash:ip family inet netmask 24"
		for (i = 0; i < 400; i++) {
			plen = 16 + int(rand() * 17)
			a = 1 + int(rand() * 8); b = int(rand() * 256)
			printf "add nets %d.%d.%d.%d/%d -exist\n", a, b, int(rand() * 256), int(rand() * 256), plen
			printf "add hosts 5.%d.%d.%d comment \"number %d\" -exist\n", b, int(rand() * 256), int(rand() * 256), i
			printf "add nets6 2a00:%x:%x::/%d -exist\n", int(rand() * 65536), int(rand() * 65536), 20 + int(rand() * 29)
			printf "add map 198.51.%d.%d -exist\n", int(rand() * 256), int(rand() * 256)
			printf "add wide 9.%d.%d.7 -exist\n", b, int(rand() * 256)
		}
	}'
}

test_ipset() { # random sets of ipset have the same members afterwards
	local set seed=$RANDOM

	begin
	echo "# seed $seed"
	random_sets $seed | ipset restore || complain 'no sets'
	ipset save >"$scratch/sets"
	import --from-ipset "$scratch/sets"
	for set in nets hosts nets6 map wide; do
		members $set >"$scratch/before"
		[ "$(wc -l <"$scratch/before")" -gt 50 ] || complain "$set has no members"
		[ $set != wide ] || sed -i 's/$/\/24/' "$scratch/before"
		kcuckoo list $set | sort >"$scratch/after"
		same "the members of $set" "$scratch/before" "$scratch/after"
	done
	k rules
	err_has 'there are no rules'
	# Standard input, and a file that exists.
	input=$(<"$scratch/sets")
	rm "$folder/nets.txt"
	k_input import --from-ipset --to "$folder"
	refused "cannot create $folder/import.conf: File exists"
	[ ! -e "$folder/nets.txt" ] || complain 'a list was written'
	rm "$folder/import.conf"
	k_input import --from-ipset --to "$folder"
	refused "cannot create $folder/hosts.txt: File exists"
	[ ! -e "$folder/nets.txt" ] || complain 'a list was left'
	[ ! -e "$folder/import.conf" ] || complain 'the configuration was left'
	rm "$folder"/*
	k_input import --from-ipset --to "$folder"
	status_is 0
	k_input import --from-ipset
	status_is 0
	[[ $out == *'[filter nets]'*'list = nets'* ]] || complain "printed: $out"
}

test_timeouts() { # entries keep their remaining time
	begin
	ipset create bans hash:ip timeout 600
	ipset add bans 198.51.100.7 timeout 5000
	ipset add bans 198.51.100.8 timeout 0
	ipset add bans 198.51.100.9
	ipset save >"$scratch/sets"
	import --from-ipset "$scratch/sets"
	k list bans
	out_is ''
	k -q load bans "$folder/bans.txt"
	status_is 0
	k list bans
	out=$(sed 's/timeout 4[89]..$/timeout T4/; s/timeout [56]..$/timeout T6/' <<<"$out")
	out_is $'198.51.100.7 timeout T4\n198.51.100.8 timeout 0\n198.51.100.9 timeout T6'
	k -q add bans 198.51.100.10
	k list bans
	[[ $out == *'198.51.100.10 timeout 600'* || $out == *'198.51.100.10 timeout 59'* ]] ||
		complain "the timeout: $out"
}

# rule_is FILTER HOOK MATCH: a rule of the module.
rule_is() {
	k -j rules
	[[ $out =~ \"filter\":\ \"$1\",\ \"hook\":\ \"$2\",\ \"family\":\ \"both\",\ \"match\":\ \"$3\",\ \"action\":\ \"drop\" ]] ||
		complain "no rule $*: $out"
}

rules_are() { # COUNT
	k -j rules
	[ "$(grep -c '"filter"' <<<"$out")" = "$1" ] || complain "not $1 rules: $out"
}

test_iptables() { # rules of iptables that drop by a set, and nothing else
	begin
	ipset create bl4 hash:net
	ipset add bl4 198.51.100.0/24
	ipset create bl6 hash:net family inet6
	ipset add bl6 2001:db8::/32
	iptables -A INPUT -m set --match-set bl4 src -m comment --comment 'a "b" c' -j DROP
	iptables -A FORWARD -j LOG
	iptables -A FORWARD -m set --match-set bl4 dst -j DROP
	ip6tables -t raw -A PREROUTING -m set --match-set bl6 src -j DROP
	ipset save >"$scratch/sets"
	iptables-save -c >"$scratch/rules4"
	ip6tables-save >"$scratch/rules6"
	import --from-ipset "$scratch/sets" --rules "$scratch/rules4" --rules "$scratch/rules6"
	rules_are 3
	rule_is bl4 input src
	rule_is bl4 forward dst
	rule_is bl6 prerouting src
}

test_old_name() { # --set is an old name of --match-set, and an option of recent
	begin
	printf 'create bl hash:ip\nadd bl 198.51.100.1\n' >"$scratch/sets"
	cat >"$scratch/rules" <<-'END'
		-A INPUT -m set --set bl src -j DROP
		-A INPUT -m recent --set --name bl --rsource -j DROP
	END
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	status_is 0
	[[ $out == *'filter = bl'*'match = src'* ]] || complain "printed: $out"
	echo '-A INPUT -m set ! --set bl src -j DROP' >"$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	refused "rules:1: it has a further condition, '!'"
	echo '-A INPUT -m set --set bl src -m recent --set --name x -j DROP' >"$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	refused "rules:1: it has a further condition, '-m'"
}

test_left() { # what cannot be taken over is named with its place, and nothing is written
	begin
	cat >"$scratch/sets" <<-'END'
		create bl hash:net family inet
		add bl 198.51.100.0/24
		create ports hash:ip,port family inet
		add ports 198.51.100.1,tcp:80
		create nm hash:net family inet
		add nm 198.51.0.0/16
		add nm 198.51.100.0/24 nomatch
		create all list:set size 8
		add all bl
		create priv hash:net family inet
		add priv 10.0.0.0/8
		create odd hash:net family inet
		add odd 198.51.100.300
		create skb hash:ip family inet skbinfo
	END
	cat >"$scratch/rules" <<-'END'
		*filter
		:INPUT ACCEPT [0:0]
		-A INPUT -m set --match-set bl src -j DROP
		-A INPUT -p tcp -m set --match-set bl src -j DROP
		-A INPUT -m set ! --match-set bl src -j DROP
		-A INPUT -m set --match-set priv src -j DROP
		-A INPUT -m set --match-set ports src,dst -j DROP
		-A INPUT -m set --match-set bl src -j REJECT --reject-with icmp-port-unreachable
		-A INPUT -m set --match-set bl src -g chain
		-A INPUT -m set --match-set bl src -j DROP
		-A chain -m set --match-set bl src -j DROP
		-A INPUT -j SET --add-set bl src
		COMMIT
	END
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --to "$folder"
	refused "sets:3: set ports: it has type hash:ip,port" 'sets:5: set nm: it has entries with nomatch (1)' \
		'sets:8: set all: it has type list:set' 'sets:10: set priv: it has entries with private' \
		"sets:13: set odd: '198.51.100.300': " \
		'sets:14: set skb: ' "rules:4: it has a further condition, '-p'" \
		"rules:5: it has a further condition, '!'" 'rules:7: its set ports is not taken over' \
		'rules:8: its target is REJECT' 'rules:9: its target is chain' \
		"rules:10: the rule of $scratch/rules:9 can let packets pass before it" \
		'rules:11: its chain is not one of a hook' 'rules:12: it changes the set bl' \
		'nothing was written: 14 things cannot be taken over' '--skip'
	[ -z "$(ls -A "$folder")" ] || complain 'files were written'
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --to "$folder" --skip
	status_is 0
	[ "$(grep -c '^\[filter' "$folder/import.conf")" = 2 ] || complain "$(cat "$folder/import.conf")"
	grep -q "^# $scratch/rules:4:$" "$folder/import.conf" || complain 'no comment'
	k apply --check --config "$folder"
	status_is 0
	[[ $out == *'rule input-1: filter bl priv hook input family both match src'* ]] || complain "$out"
	# Text that is none of these programs'.
	echo 198.51.100.1 >"$scratch/list"
	k import --from-ipset "$scratch/list"
	refused 'list:1: the line is neither'
	k import --from-ipset "$scratch/nothing"
	refused 'has no set'
	k import --from-nft "$scratch/list"
	status_is 2
	printf 'create a hash:ip\nadd b 198.51.100.1\n' >"$scratch/half"
	k import --from-ipset "$scratch/half" --skip
	refused 'half:2: no line before creates the set b'
	k import --from-ipset "$scratch/sets" --rules "$scratch/list" --skip
	refused 'list:1: the line is not one of iptables-save'
	k import "$scratch/sets"
	refused 'one of --from-ipset and --from-nft'
	k import --from-ipset --from-nft "$scratch/sets"
	refused 'one of --from-ipset and --from-nft'
	k import --from-ipset "$scratch/none"
	refused "$scratch/none: No such file"
	k import --from-ipset "$scratch/sets" --skip --to "$scratch/none"
	refused "folder $scratch/none"
}

test_bogons() { # only a filter with a list needs a device for private addresses
	begin
	printf 'create priv hash:net\nadd priv 10.0.0.0/8\n' >"$scratch/sets"
	printf '%s\n' '*filter' ':INPUT ACCEPT [0:0]' '-A INPUT -m set --match-set priv src -j DROP' \
		>"$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	refused 'set priv: it has entries with private' 'nothing was written: 1 thing'
	# A rule that adds entries leaves the filter without a list.
	echo '-A INPUT -j SET --add-set priv src' >>"$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	refused 'it changes the set priv' 'nothing was written: 1 thing'
	err_has_not private
	sed -i '$d' "$scratch/rules"
	sed -i '1s/$/ timeout 60/' "$scratch/sets"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	status_is 0
}

test_place() { # the first entry that cannot be understood is named with its place and reason
	begin
	printf 'create a hash:ip\nadd a 198.51.100.1\nadd a junk comment "x"\nadd a 198.51.100.2 no\nadd a 1,2\n' >"$scratch/sets"
	k import --from-ipset "$scratch/sets"
	refused "$scratch/sets:3: set a: 'junk': " ', and 2 more'
	printf 'create a hash:ip\nadd a 198.51.100.2 no x\n' >"$scratch/sets"
	k import --from-ipset "$scratch/sets"
	refused "$scratch/sets:2: set a: '198.51.100.2': a word after the entry is not known"
	err_has_not more
	nft_json '{"set": {"family": "ip", "table": "t", "name": "a", "type": "ipv4_addr",
		"elem": ["198.51.100.1", "junk", 7]}}'
	k import --from-nft "$scratch/nft"
	refused "$scratch/nft: set a of table ip t: elem[1]: junk: " ', and 1 more'
}

test_options() { # options of create: with two dashes, and unknown ones
	begin
	cat >"$scratch/sets" <<-'END'
		-N a iphash --hashsize 1024 --netmask 24
		-A a 198.51.100.0
		create b hash:ip --timeout 300
		create c hash:ip foobar 3
		create d hash:ip timeout
	END
	k import --from-ipset "$scratch/sets"
	refused "sets:4: set c: it has type hash:ip: its option 'foobar' is not known" \
		"sets:5: set d: it has type hash:ip: its option 'timeout' has no value" \
		'nothing was written: 2 things'
	k import --from-ipset "$scratch/sets" --skip --to "$folder"
	status_is 0
	grep -qx 198.51.100.0/24 "$folder/a.txt" || complain "$(cat "$folder/a.txt")"
	grep -q 'timeout = 300' "$folder/import.conf" || complain "$(cat "$folder/import.conf")"
}

test_lines() { # a line that is cut off, or changes the sets in another way, is an error
	local line

	begin
	for line in 'create b' create 'add a' add 'flush a' flush 'del a 198.51.100.1' 'destroy a' x; do
		printf '# x\n\ncreate a hash:ip\nadd a 198.51.100.1\n%s' "$line" >"$scratch/sets"
		k import --from-ipset "$scratch/sets" --skip
		refused "$scratch/sets:5: the line is neither 'create SET TYPE' nor 'add SET ENTRY'"
	done
	echo COMMIT >"$scratch/end"
	input=$(sed '$d' "$scratch/sets"; cat "$scratch/end")
	k_input import --from-ipset
	status_is 0
}

# nft_json OBJECT...: a file of JSON with these objects.
nft_json() {
	local IFS=,

	printf '{"nftables": [%s]}' "$*" | tr -d '\n' >"$scratch/nft"
	echo >>"$scratch/nft"
}

# set_json NAME and rule_json EXPRESSION...: a set, and a rule in the chain input.
set_json() {
	printf '{"set": {"family": "ip", "table": "t", "name": "%s", "type": "ipv4_addr", "elem": ["198.51.100.1"]}}' "$1"
}

chain_json='{"chain": {"family": "ip", "table": "t", "name": "c", "hook": "input"}}'

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
	refused "$scratch/nft: line 3: this is no output of nft"
	k import --from-nft "$scratch/nothing"
	refused 'is no output of nft'
}

test_dormant() { # rules of a dormant table are left out, its sets are not
	local flags

	begin
	for flags in '"d"' '"ip"' '"dormant"' '["owner", "dormant"]'; do
		nft_json "{\"table\": {\"family\": \"ip\", \"name\": \"t\", \"flags\": $flags}}" \
			"$(set_json a)" "$chain_json" "$(rule_json "$(match_json a)" "$drop")"
		k import --from-nft "$scratch/nft"
		refused 'rule of set a in chain ip t c, handle 9: ' dormant
		k import --from-nft "$scratch/nft" --skip
		status_is 0
		[[ $out == *'[filter a]'* && $out != *'[rule'* ]] || complain "printed: $out"
	done
	nft_json "{\"table\": {\"family\": \"ip\", \"name\": \"t\", \"flags\": \"owner\"}}" \
		"$(set_json a)" "$chain_json" "$(rule_json "$(match_json a)" "$drop")"
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
		'nothing was written: 4 things'
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
		'set ports of table inet filter: its elements are no addresses' \
		'map m of table inet filter: a filter is no map' \
		'it has a further condition' 'it matches addresses that are not in the set' \
		'can let packets pass before it' 'its chain is not one of a hook' \
		'nothing was written: 8 things'
	k import --from-nft "$scratch/nft" --to "$folder" --skip
	status_is 0
	k apply --check --config "$folder"
	out_is 'filter bl: lists bl'
	# Two sets of one name cannot both be filters.
	nft 'add table ip t; add set ip t bl { type ipv4_addr; }'
	nft -j list ruleset >"$scratch/nft"
	k import --from-nft "$scratch/nft" --skip
	refused 'have the same name'
}

main "$0"
result=$?
clean
[ "$result" = 0 ]
