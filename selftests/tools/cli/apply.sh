#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb apply: a filter becomes equal to lists, at once or not at all.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

# The name servers of the host that runs the machine are none of ours.
: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
# The next program mounts a file there, too.
trap 'umount /etc/resolv.conf; rm -rf "$scratch"' EXIT

list=$scratch/list
other=$scratch/other

# list_of LINE...: write these lines to $list.
list_of() {
	printf '%s\n' "$@" >"$list"
}

# fails COMMAND...: its exit status is 2, and it says the words in $why.
fails() {
	k "$@"
	status_is 2
	err_has "${why[@]}"
}

# remember: the members of bl are those that unchanged expects after commands that failed.
remember() {
	k list bl
	members=$out
}

unchanged() {
	k list bl
	out_is "$members"
	k list
	out_is bl
}

# many COUNT [FIRST]: that many addresses with a distance of two, so that none can be merged.
many() {
	awk -v count="$1" -v first="${2:-0}" 'BEGIN {
		for (i = first; i < first + count; i++) {
			n = 2 * i
			print "45." int(n / 65536) "." int(n / 256) % 256 "." n % 256
		}
	}'
}

test_first() { # creates the filter; the second time there is nothing to do
	list_of 198.51.100.1 198.51.100.0/24 2001:db8:1::/48 198.51.100.1
	k apply bl "$list"
	status_is 0
	out_is ''
	err_has 'bl: added 3, removed 0, unchanged 0' 'bl: created'
	members_are 198.51.100.0/24 198.51.100.1 2001:db8:1::/48
	k -j info bl
	[[ $out == *'"bits": 0,'*'"value_bits": 0, "timeout": null'* ]] || complain "info: $out"
	k apply bl "$list"
	status_is 0
	err_has 'bl: nothing to do'
	err_has_not exchanged
	k -q apply bl "$list"
	status_is 0
	err_is_empty
}

test_difference() { # its numbers are right, and only they change
	list_of 198.51.100.1 198.51.100.2 2001:db8::1
	k -q apply bl "$list"
	list_of 198.51.100.2 198.51.100.3 198.51.100.4 2001:db8::1
	k apply new "$list" --dry-run --diff
	status_is 1
	out_is $'+198.51.100.2\n+198.51.100.3\n+198.51.100.4\n+2001:db8::1'
	k apply bl "$list" --dry-run --diff
	status_is 1
	err_has 'added 2, removed 1, unchanged 2' 'a dry run: nothing was changed'
	out_is $'-198.51.100.1\n+198.51.100.3\n+198.51.100.4'
	members_are 198.51.100.1 198.51.100.2 2001:db8::1
	k apply bl "$list" --diff
	status_is 0
	err_has 'added 2, removed 1, unchanged 2' 'bl: exchanged'
	out_is $'-198.51.100.1\n+198.51.100.3\n+198.51.100.4'
	members_are 198.51.100.2 198.51.100.3 198.51.100.4 2001:db8::1
	k apply bl "$list" --dry-run
	status_is 0
	err_has 'nothing to do'
	k -j apply bl "$list"
	[[ $out == *'"outcome": "nothing"'*'"unchanged": 4'* ]] || complain "json: $out"
	k apply new "$list" --dry-run
	status_is 1
	k list
	out_is bl
}

test_commas() { # long numbers are readable
	many 2000 >"$list"
	k apply bl "$list"
	err_has 'added 2,000, removed 0'
	{ many 1000; many 5 7000; } >"$list"
	k apply bl "$list"
	err_has 'added 5, removed 1,000, unchanged 1,000'
	k list bl
	[ "$(sort "$scratch/out")" = "$(sort "$list")" ] || complain "other members"
}

test_several_lists() { # their union, also from standard input
	list_of 198.51.100.1 198.51.100.2
	printf '198.51.100.2\n198.51.100.3-198.51.100.4\n' >"$other"
	input=$'203.0.113.0/24 # net\n'
	k_input apply bl "$list" "$other" -
	status_is 0
	members_are 198.51.100.1 198.51.100.2 198.51.100.3 198.51.100.4 203.0.113.0/24
}

test_parameters() { # the new filter has those of the old one, and its rules
	k -q create bl capacity 100 value 8 timeout 1h steps 200
	k -q attach bl action count
	list_of '198.51.100.1 value 7' '198.51.100.2 timeout 0'
	k apply bl "$list"
	status_is 0
	err_has 'added 2'
	k -j info bl
	[[ $out == *'"capacity": 100,'*'"rules": 1'* ]] || complain "info: $out"
	k list bl
	[[ $out =~ ^198.51.100.1\ value\ 7\ timeout\ 3[56]..$'\n'198.51.100.2\ value\ 0\ timeout\ 0$ ]] ||
		complain "list: $out"
	many 101 >"$list"
	why=('holds at most 100 members' 'nothing was changed')
	k apply bl "$list"
	status_is 2
	err_has "${why[@]}"
}

test_values() { # a new filter has them if the lists do; another value is a change
	list_of '198.51.100.1 value 7' '198.51.100.2 value 300'
	k apply bl "$list" --diff
	status_is 0
	out_is $'+198.51.100.1 value 7\n+198.51.100.2 value 300'
	k list bl
	out_is $'198.51.100.1 value 7\n198.51.100.2 value 300'
	k -j info bl
	[[ $out == *'"value_bits": 16'* ]] || complain "info: $out"
	list_of '198.51.100.1 value 8' '198.51.100.2 value 300'
	k apply bl "$list" --diff
	status_is 0
	err_has 'added 0, removed 0, changed 1, unchanged 1'
	out_is '~198.51.100.1 value 8'
	list_of '198.51.100.1 value 8' '198.51.100.1 value 300' '198.51.100.2 value 300'
	k apply bl "$list"
	err_has '1 key has different values' 'changed 1'
	k list bl
	out_is $'198.51.100.1 value 300\n198.51.100.2 value 300'
	list_of '198.51.100.1 value 65536' '198.51.100.2 value 300'
	k apply bl "$list" --dry-run
	err_has 'list:1: no number that fits'
}

test_timeouts() { # each apply begins them again, and that is no difference
	k -q create bl timeout 1h
	list_of 198.51.100.1 '198.51.100.2 timeout 0'
	k -q apply bl "$list"
	sleep 2.1
	k apply bl "$list" --dry-run
	status_is 0
	err_has 'unchanged 2, 1 of these with a new timeout' 'a dry run: nothing was changed'
	k list bl
	[[ $out =~ timeout\ 359[0-8] ]] || complain "list: $out"
	k apply bl "$list"
	status_is 0
	err_has 'added 0, removed 0, unchanged 2, 1 of these with a new timeout'
	k list bl
	[[ $out =~ timeout\ (3600|3599) ]] || complain "list: $out"
	list_of 198.51.100.1 '198.51.100.2 timeout 1h'
	k apply bl "$list" --dry-run
	status_is 1
	err_has 'changed 1'
}

test_exclude() { # also parts of wider networks, in as few prefixes as can be
	list_of 198.51.100.0/24 203.0.113.7 2001:db8::/126 192.0.2.0/25
	printf '198.51.100.128/26 # ours\n203.0.113.0/24\n2001:db8::1\n' >"$other"
	k apply bl "$list" --exclude "$other"
	status_is 0
	err_has '1 key was left out, and parts of 2, because they are excluded'
	members_are 192.0.2.0/25 198.51.100.0/25 198.51.100.192/26 2001:db8:: 2001:db8::2/127
	k apply bl "$list" --exclude "$other" --dry-run
	status_is 0
	remember
	: >"$other"
	why=('--exclude' 'contains no address')
	fails apply bl "$list" --exclude "$other"
	echo 'no address' >"$other"
	why=('other:1: ' '1 bad line; nothing was changed')
	fails apply bl "$list" --exclude "$other"
	why=('cannot read' 'nothing was changed')
	fails apply bl "$list" --exclude "$scratch/none"
	unchanged
}

test_optimize() { # the fewest prefixes with the same addresses
	list_of 198.51.100.0/26 198.51.100.64/26 198.51.100.128/25 198.51.100.9 203.0.113.0 203.0.113.1
	k apply bl "$list" --optimize
	status_is 0
	members_are 198.51.100.0/24 203.0.113.0/31
	k apply bl "$list" --optimize
	err_has 'nothing to do'
}

test_guards() { # what looks wrong is refused, and nothing changes
	many 200 >"$list"
	k -q apply bl "$list"
	remember
	many 99 >"$list"
	why=('99 keys, 50.5 % fewer than the 200 members' '--max-shrink')
	fails apply bl "$list"
	why=('fewer than --min 100')
	fails apply bl "$list" --min 100 --max-shrink 100
	many 199 >"$list"
	why=('0.5 % fewer')
	fails apply bl "$list" --max-shrink 0
	many 221 >"$list"
	why=("'--max-grow 10' permits no more")
	fails apply bl "$list" --max-grow 10%
	{ many 200; echo 60.0.0.0/8; } >"$list"
	why=('--wide permits it' 'cover 16777416 IPv4 addresses')
	fails apply bl "$list"
	{ many 200; echo 60.0.0.0/5; } >"$list"
	why=('the lists contain 56.0.0.0/5')
	fails apply bl "$list"
	seq -f '%g.0.0.0/8' 50 73 >"$list"
	k apply new "$list"
	refused 'more than a tenth' 'name a country' 'nothing was changed'
	echo '<html>' >"$list"
	why=('1 bad line and no key')
	fails apply bl "$list"
	: >"$list"
	why=('contains no address')
	fails apply bl "$list"
	why=('cannot read' 'nothing was changed')
	fails apply bl "$scratch/none"
	unchanged
	k apply bl "$list" --allow-empty --max-shrink 100
	status_is 0
	err_has 'removed 200'
	k list bl
	out_is ''
}

test_bogons() { # addresses that the internet does not have, unless they are wanted
	list_of 198.51.100.1 10.1.2.3 192.168.0.0/15 224.0.0.0/4 fe80::1
	k apply bl "$list"
	status_is 0
	err_has '3 keys were left out, and parts of 1,' '--bogons keeps them'
	members_are 192.169.0.0/16 198.51.100.1
	k apply bl "$list" --bogons --wide
	status_is 0
	members_are 10.1.2.3 192.168.0.0/15 198.51.100.1 224.0.0.0/4 fe80::1
	list_of 10.1.2.3 10.1.2.4
	remember
	why=('the lists contain only bogons' '--bogons')
	fails apply bl "$list"
	unchanged
	# A list of addresses that may pass has its own network, too.
	k -q create good
	k -q attach bl allow good
	k apply good "$list"
	status_is 0
	k list good
	out_is $'10.1.2.3\n10.1.2.4'
}

own_network() {
	ip netns add cli-apply 2>/dev/null || return 0
	ip -n cli-apply link set lo up
	ip -n cli-apply link add dummy0 type dummy
	ip -n cli-apply link set dummy0 up
	ip -n cli-apply addr add 203.0.113.1/32 dev dummy0
	ip -n cli-apply route add default via 203.0.113.254 dev dummy0 onlink
}

test_own() { # what this host needs: refused at a terminal, left out elsewhere
	own_network
	list_of 203.0.113.254 203.0.113.0/31 198.51.100.1
	script -qec "kcuckoo -n cli-apply apply bl $list" /dev/null >"$scratch/out" </dev/null
	status=$?
	err=$(<"$scratch/out")
	status_is 2
	err_has '203.0.113.0/31 in the lists covers 203.0.113.1, an address of this host' \
		'covers 203.0.113.254, the default gateway' 'nothing was changed' '--skip-own'
	k -n cli-apply list
	out_is ''
	script -qec "kcuckoo -n cli-apply apply bl $list --skip-own" /dev/null >/dev/null </dev/null
	k -n cli-apply list bl
	out_is $'198.51.100.1\n203.0.113.0'
	k -n cli-apply apply bl "$list"
	status_is 0
	err_has 'warning: 203.0.113.254 in the lists covers' \
		'the default gateway: leaving this address out' 'nothing to do'
	k -n cli-apply apply bl "$list" --keep-own
	status_is 0
	k -n cli-apply list bl
	out_is $'198.51.100.1\n203.0.113.0/31\n203.0.113.254'
	k -n cli-apply destroy bl
}

test_packets() { # a filter to which packets add is kept, unless --yes
	k -q create bl hash siphash timeout 1h
	k -q reserve bl 100
	k -q add bl 198.51.100.9
	list_of 198.51.100.1
	why=('packets can add members' '--yes')
	k apply bl "$list"
	status_is 2
	err_has "${why[@]}"
	k apply bl "$list" --yes
	status_is 0
	k list bl
	[[ $out == '198.51.100.1 timeout '* ]] || complain "list: $out"
}

test_fingerprints() { # no difference can be printed; the same keys are recognized
	k -q create bl type bytes capacity 1000 fpr 0.001
	printf 'one\ntwo\ntwo\n' >"$list"
	k apply bl "$list"
	status_is 0
	err_has '2 keys; the difference is unknown' exchanged
	k apply bl "$list"
	status_is 0
	err_has 'nothing to do'
	printf 'one\nthree\n' >"$list"
	k apply bl "$list"
	err_has exchanged
	k test bl one two three
	out_is $'1 one\n0 two\n1 three'
	k apply bl "$list" --diff
	refused 'does not store its members'
	k apply bl "$list" --exclude "$list"
	refused 'holds byte strings'
	k -q create b2 fpr 0.001 capacity 1000
	list_of 198.51.100.1 198.51.100.0/24
	k apply b2 "$list"
	status_is 0
	k apply b2 "$list"
	err_has 'nothing to do'
	k test b2 --exact 198.51.100.0/24
	status_is 0
}

test_changed_by_others() { # compared again; after three times it gives up
	local adder i

	many 100000 >"$list"
	k -q apply bl "$list"
	many 100000 1 >"$list"
	rm -f "$scratch/stop"
	while [ ! -e "$scratch/stop" ]; do
		kcuckoo -q add bl 198.51.100.1
		kcuckoo -q del bl 198.51.100.1
	done 2>/dev/null &
	adder=$!
	k -v apply bl "$list"
	# Not by a signal: that would end the shell, while its last command goes on.
	: >"$scratch/stop"
	wait "$adder"
	status_is 2
	err_has 'comparison 3: the filter was changed' \
		"other programs changed 'bl' during each of 3 comparisons; this command changed nothing"
	[ "$(kcuckoo list bl | sort)" = "$(many 100000 | sort)" ] || complain 'other members'
	k list
	out_is bl
}

test_killed() { # the process is killed at any time: the old or the new members, and no more
	local first second took i count=2000 rounds=6 before members

	if [ "${KCUCKOO_SOAK:-}" = yes ]; then
		count=60000
		rounds=20
	fi
	many $count >"$list"
	many $count $((count / 2)) >"$other"
	k -q apply bl "$list"
	k list bl
	first=$out
	took=${EPOCHREALTIME/[.,]/}
	k -q apply bl "$other"
	took=$(((${EPOCHREALTIME/[.,]/} - took) / 1000))
	k list bl
	second=$out
	for ((i = 0; i < rounds; i++)); do
		{ timeout -s KILL "$(milliseconds $((RANDOM % took + 1)))" \
			kcuckoo -q apply bl "$list"; } 2>/dev/null
		k list bl
		[[ $out == "$first" || $out == "$second" ]] || complain 'other members'
		[[ $out == "$second" ]] || kcuckoo -q apply bl "$other" || complain 'not applied'
		k list
		out_is bl
	done
	# The kernel frees tables a little later.
	before=$(kcuckoo -j info bl | sed -n 's/.*"memory_bytes": \([0-9]*\).*/\1/p')
	for ((i = 0; i < 50; i++)); do
		members=$(kcuckoo -j stats | sed -n 's/.*"memory_bytes": \([0-9]*\).*/\1/p' | head -1)
		[ "$members" != "$before" ] || return
		sleep 0.1
	done
	complain "$members bytes of memory, bl has $before"
}

# milliseconds NUMBER: print it in seconds.
milliseconds() {
	printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000))
}

test_three_commands() { # from an installed module to the first dropped packet
	local drop

	ip netns add cli-a && ip netns add cli-b || return
	ip link add veth0 netns cli-a type veth peer name veth0 netns cli-b
	ip -n cli-a addr add 192.0.2.1/24 dev veth0
	ip -n cli-b addr add 192.0.2.2/24 dev veth0
	ip -n cli-a link set veth0 up
	ip -n cli-b link set veth0 up
	list_of 192.0.2.2
	ip netns exec cli-a bash -c "
		modprobe kcuckoo 2>/dev/null || [ -e /dev/kcuckoo ]
		kcuckoo -q apply bad $list
		kcuckoo -q attach bad" 2>"$scratch/err" || complain 'the three commands failed'
	ip netns exec cli-b bash -c 'echo >/dev/udp/192.0.2.1/9'
	for _ in {1..50}; do
		drop=$(kcuckoo -n cli-a -j rules | sed -n 's/.*"packets": \([0-9]*\).*/\1/p')
		[ "${drop:-0}" -eq 0 ] || break
		sleep 0.1
	done
	[ "${drop:-0}" -gt 0 ] || complain "no packet was dropped"
	ip netns del cli-a
	ip netns del cli-b
}

# restore_seconds LIST: hundredths of a second that "ipset restore" takes for it.
restore_seconds() {
	local start

	{
		echo 'create new4 hash:net family inet maxelem 1000000'
		echo 'create new6 hash:net family inet6 maxelem 1000000'
		sed '/:/!s/^/add new4 /; /:/s/^/add new6 /' "$1"
	} >"$scratch/restore"
	start=$(hundredths)
	ipset restore -exist <"$scratch/restore" || return
	echo $(($(hundredths) - start))
	ipset destroy new4
	ipset destroy new6
}

hundredths() {
	sed 's/ .*//; s/\.//' /proc/uptime
}

# Why "ipset restore" cannot be compared with, or nothing.
no_comparison() {
	if [ -z "${OLDER:-}" ]; then
		echo 'OLDER and NEWER name no lists'
	elif ! command -v ipset >/dev/null; then
		echo 'there is no ipset'
	fi
}

test_month() { # lists of two days, in OLDER and NEWER or made here; at most 64 MB
	local older=${OLDER:-$scratch/older} newer=${NEWER:-$scratch/newer} ours theirs peak
	local count=3000 reason

	if [ -z "${OLDER:-}" ]; then
		[ "${KCUCKOO_SOAK:-}" != yes ] || count=100000
		many $count | sed 's/$/\/31/' >"$older"
		{ many $((count * 97 / 100)); many $((count / 25)) 200000; } | sed 's/$/\/31/' >"$newer"
	fi
	k apply bl "$older" --wide
	status_is 0
	ours=$(hundredths)
	./peak "$scratch/peak" kcuckoo apply bl "$newer" --wide >/dev/null 2>"$scratch/err" ||
		complain "$(<"$scratch/err")"
	ours=$(($(hundredths) - ours))
	peak=$(<"$scratch/peak")
	echo "# $(paste -sd';' "$scratch/err"), $peak KiB at most"
	[ "$peak" -lt 62500 ] || complain "needed $peak KiB, more than 64 MB"
	k -q create b2
	k -q load b2 "$newer"
	k compare bl b2
	status_is 0
	cmp -s <(kcuckoo list bl) <(kcuckoo list b2) || complain 'other members'
	reason=$(no_comparison)
	if [ -n "$reason" ]; then
		remark="not compared with ipset restore: $reason"
		return
	fi
	theirs=$(restore_seconds "$newer") || complain 'ipset restore failed'
	echo "# apply $ours, ipset restore $theirs hundredths of a second"
	remark='at least 10 times as fast as ipset restore'
	[ "$theirs" -ge $((10 * ours)) ] || complain "only $((theirs / ours)) times as fast"
}

test_memory() { # 10 bytes for each address, twice 5, and a few megabytes
	local count=30000 limit=6144 peak

	if [ "${KCUCKOO_SOAK:-}" = yes ]; then
		count=3000000
		limit=65536
	fi
	many "$count" >"$list"
	kcuckoo -q apply bl "$list"
	many "$count" 5000 >"$list"
	./peak "$scratch/peak" kcuckoo apply bl "$list" 2>"$scratch/err"
	status=$?
	err=$(<"$scratch/err")
	last='kcuckoo apply'
	status_is 0
	err_has 'added 5,000, removed 5,000, unchanged '
	peak=$(<"$scratch/peak")
	echo "# $count addresses: $peak KiB at most"
	[ "$peak" -lt "$limit" ] || complain "needed $peak KiB"
}

main "$0"
