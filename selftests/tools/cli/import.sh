#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb import with ipset and iptables: sets become filters with the same members, and rules
# that drop packets by them become rules that drop the same packets. The sets and rules are real
# ones, and what ipset lists is compared with what kcuckoo lists.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"
# shellcheck source=selftests/tools/cli/importing.sh
. "$(dirname "$0")/importing.sh"

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

# filter_rules RULE...: a file with rules of the table filter; the first rule is on line 2.
filter_rules() {
	printf '%s\n' '*filter' "$@" COMMIT >"$scratch/rules"
}

test_tables() { # only complete tables are read, and no rule of the table nat is taken over
	local line drop='-A PREROUTING -m set --match-set bl dst -j DROP'

	begin
	printf 'create bl hash:ip\nadd bl 198.51.100.1\n' >"$scratch/sets"
	for line in "# Table \`filter' is incompatible, use 'nft' tool." \
		'# Warning: iptables-legacy tables present, use iptables-legacy-save to see them'; do
		filter_rules "$line"
		k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --skip
		refused "$scratch/rules:2: tables are missing in the file: " "${line:0:8}"
	done
	: >"$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --skip
	refused "$scratch/rules: the file has no table"
	echo "$drop" >"$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --skip
	refused "$scratch/rules:1: the rule is in no table"
	printf '*raw\n%s\n' "$drop" >"$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --skip
	refused "$scratch/rules: the table raw has no end: the file is cut off"
	printf '*raw\n*filter\nCOMMIT\n' >"$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --skip
	refused "$scratch/rules:2: the table raw has no end: the file is cut off"
	printf '*raw\nCOMMIT\n%s\n' "$drop" >"$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --skip
	refused "$scratch/rules:3: the rule is in no table"
	printf '*raw\n%s\0 -p tcp\nCOMMIT\n' "$drop" >"$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --skip
	refused "$scratch/rules:2: the line is not output of iptables-save"
	for line in nat foo; do
		printf '*%s\n%s\nCOMMIT\n' $line "$drop" >"$scratch/rules"
		k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
		refused "$scratch/rules:2: " 'nothing was written: 1 set or rule'
		[ $line = foo ] || err_has 'rules of the table nat see only the first packet of each connection'
	done
	printf '*raw\n%s\nCOMMIT\n' "$drop" >"$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	status_is 0
	[[ $out == *'filter = bl'*'match = dst'* ]] || complain "printed: $out"
}

test_family() { # a rule of ip6tables matches no packet by a set of IPv4
	begin
	printf 'create bl hash:ip\nadd bl 198.51.100.1\n' >"$scratch/sets"
	filter_rules '-A INPUT -m set --match-set bl src -j DROP'
	sed -i '1i # Generated by ip6tables-save v1.8.9 (nf_tables) on Thu Jan  1 00:00:00 2026' "$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	refused 'rules:3: its set has addresses of another family'
	sed -i '1s/ip6tables/iptables/' "$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	status_is 0
}

test_nat() { # a rule for destinations that NAT at output may have changed is left out
	local table

	begin
	printf 'create bl hash:ip\nadd bl 198.51.100.1\n' >"$scratch/sets"
	printf '%s\n' '*nat' ':OUTPUT ACCEPT [0:0]' '-A OUTPUT -j DNAT --to-destination 192.0.2.1' COMMIT >"$scratch/nat"
	for table in filter security; do
		printf '%s\n' "*$table" '-A OUTPUT -m set --match-set bl dst -j DROP' COMMIT >"$scratch/rules"
		# The rules of NAT may come before or after it.
		k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --rules "$scratch/nat"
		refused "rules:2: the rule of $scratch/nat:3 can change the destination of a packet" \
			'nothing was written: 1 set or rule'
		k import --from-ipset "$scratch/sets" --rules "$scratch/nat" --rules "$scratch/rules" --skip
		status_is 0
		[[ $out == *'[filter bl]'* && $out != *'[rule'* ]] || complain "printed: $out"
		k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
		status_is 0
		[[ $out == *'[rule output-1]'* ]] || complain "printed: $out"
	done
	printf '%s\n' '*mangle' '-A OUTPUT -m set --match-set bl dst -j DROP' COMMIT \
		'*filter' '-A OUTPUT -m set --match-set bl src -j DROP' COMMIT >"$scratch/rules"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --rules "$scratch/nat"
	status_is 0
	[[ $out == *'[rule output-2]'* ]] || complain "printed: $out"
}

test_old_name() { # --set is an old name of --match-set, and an option of recent
	begin
	printf 'create bl hash:ip\nadd bl 198.51.100.1\n' >"$scratch/sets"
	cat >"$scratch/rules" <<-'END'
		*filter
		-A INPUT -m set --set bl src -j DROP
		-A INPUT -m recent --set --name bl --rsource -j DROP
		COMMIT
	END
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	status_is 0
	[[ $out == *'filter = bl'*'match = src'* ]] || complain "printed: $out"
	filter_rules '-A INPUT -m set ! --set bl src -j DROP'
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	refused "rules:2: it has a further condition, '!'"
	filter_rules '-A INPUT -m set --set bl src -m recent --set --name x -j DROP'
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	refused "rules:2: it has a further condition, '-m'"
}

test_target() { # a rule with the target SET changes the sets of the target, not the matched set
	local target

	begin
	cat >"$scratch/sets" <<-'END'
		create bl hash:ip
		add bl 198.51.100.7
		create other hash:ip
		add other 203.0.113.9
		create third hash:ip
		create ports hash:ip,port
	END
	for target in '--add-set other src' '--del-set other src' '--del-set third src --add-set other src --exist'; do
		filter_rules '-A INPUT -m set --match-set bl src -j DROP' \
			"-A INPUT -m set --match-set bl src -j SET $target"
		k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
		refused 'rules:3: it changes the set other'
		err_has_not 'the set bl'
		k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --skip
		status_is 0
		[[ $out == *$'[filter bl]\nlist = bl'*$'[filter other]\nkeep = yes'*'filter = bl'* ]] ||
			complain "printed: $out"
		[[ $target != *third* || $out == *$'[filter third]\nkeep = yes'* ]] || complain "printed: $out"
	done
	filter_rules '-A INPUT -m set --match-set ports src,dst -j SET --add-set bl src' \
		'-A INPUT -j SET --add-set ports src' \
		'-A INPUT -j SET --map-set other src --map-mark' \
		'-A INPUT -j DROP -m set --match-set bl' \
		'-A INPUT -m comment --comment --add-set -m comment --comment third -j ACCEPT'
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	refused 'rules:2: it changes the set bl' 'rules:3: its set ports is not taken over' \
		'rules:4: its target is SET --map-set' "rules:5: it matches ''"
	err_has_not 'rules:6'
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules" --skip
	[[ $out == *$'[filter bl]\nkeep = yes'*$'[filter other]\nlist = other'* ]] || complain "printed: $out"
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
		'rules:11: its chain is not attached to a hook' 'rules:12: it changes the set bl' \
		'nothing was written: 14 sets or rules cannot be taken over' '--skip'
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
	refused 'nothing has no set' "is it the output of 'ipset save'?"
	k import --from-ipset
	refused 'standard input has no set' "is it the output of 'ipset save'?"
	k import --from-nft "$scratch/list"
	status_is 2
	printf 'create a hash:ip\nadd b 198.51.100.1\n' >"$scratch/half"
	k import --from-ipset "$scratch/half" --skip
	refused 'half:2: no line before creates the set b'
	k import --from-ipset "$scratch/sets" --rules "$scratch/list" --skip
	refused 'list:1: the line is not output of iptables-save'
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
	filter_rules '-A INPUT -m set --match-set priv src -j DROP'
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	refused 'set priv: it has entries with private' 'nothing was written: 1 set or rule'
	# A rule that adds entries leaves the filter without a list.
	filter_rules '-A INPUT -m set --match-set priv src -j DROP' '-A INPUT -j SET --add-set priv src'
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	refused 'it changes the set priv' 'nothing was written: 1 set or rule'
	err_has_not private
	filter_rules '-A INPUT -m set --match-set priv src -j DROP'
	sed -i '1s/$/ timeout 60/' "$scratch/sets"
	k import --from-ipset "$scratch/sets" --rules "$scratch/rules"
	status_is 0
}

test_own() { # entries with addresses that this host needs are named: apply leaves these out
	begin
	ip addr add 203.0.113.77/32 dev lo
	cat >"$scratch/sets" <<-END
		create bl hash:net family inet
		add bl 203.0.113.0/24
		create other hash:ip family inet
		add other 198.51.100.1
		create timed hash:ip family inet timeout 60
		add timed 203.0.113.77 timeout 50
	END
	k import --from-ipset "$scratch/sets" --to "$folder"
	status_is 0
	err_has "warning: $scratch/sets:1: set bl: 203.0.113.0/24 covers 203.0.113.77, an address of this host" \
		"'kcuckoo apply' refuses them, or leaves them out; with --keep-own it takes them over"
	err_has_not other
	err_has_not 'timed: 203'
	k apply --config "$folder"
	err_has '203.0.113.77, an address of this host: leaving this address out'
	ip addr del 203.0.113.77/32 dev lo
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
}

test_next() { # the commands to run next name the folder, unless it is the usual one
	begin
	printf 'create a hash:ip timeout 60\nadd a 198.51.100.1\n' >"$scratch/sets"
	k import --from-ipset "$scratch/sets" --to "$folder"
	status_is 0
	err_has "'kcuckoo apply --check --config $folder' shows them" \
		"after 'kcuckoo apply --config $folder', 'kcuckoo load a $folder/a.txt' adds its present entries"
	grep -qx "# kcuckoo apply --config $folder" "$folder/import.conf" || complain "$(cat "$folder/import.conf")"
	k import --from-ipset "$scratch/sets"
	status_is 0
	[[ $out == *$'\n# kcuckoo apply\n'* ]] || complain "printed: $out"
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
		'nothing was written: 2 sets or rules'
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
	printf 'create a hash:ip\nadd a 198.51.100.1\ncreate b hash:ip\ncreate a hash:ip\nadd a 198.51.100.2\n' >"$scratch/twice"
	k import --from-ipset "$scratch/twice" --skip
	refused "$scratch/twice:4: the file creates the set a twice"
	echo COMMIT >"$scratch/end"
	input=$(sed '$d' "$scratch/sets"; cat "$scratch/end")
	k_input import --from-ipset
	status_is 0
}

main "$0"
result=$?
clean
[ "$result" = 0 ]
