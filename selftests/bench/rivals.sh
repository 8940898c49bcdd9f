#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# rivals.sh: PID 1 of user-mode Linux. Loads the same list into kcuckoo, ipset, nft
# and BPF maps, each in a network namespace of its own, and sends them the same
# packets in turn. What it measures goes to the file that RESULT names, "done" last
# of all.
#
# From bench.sh, in the environment:
#	HERE		folder of this file
#	MODULES		folder of kcuckoo.ko and kcuckoo_packet.ko
#	PROGRAMS	folder of the programs of this folder, and of kcuckoo
#	LISTS		folder of the lists
#	DATA		folder of the results
#	RESULT		name of the result's file
#	JOB		what to measure: a function below and its arguments, with
#			commas between them
#	ROUNDS		how often each is asked in turn

set -Eeuo pipefail
trap 'fail "line $LINENO of rivals.sh failed"' ERR

# What the lists are called in each namespace.
name=bad

# Packets of a run of pktgen.
GENERATED=50000

fail() {
	echo "rivals.sh: $*" >&2
	leave
}

leave() {
	sync
	echo o >/proc/sysrq-trigger
	sleep 100
}

# shellcheck source=selftests/harness/memory.sh
. "$HERE/../harness/memory.sh"

# say FIELD...: a line of the result.
say() {
	local IFS=$'\t'

	echo "$*" >>"/run/data/$RESULT"
}

start_machine() {
	export PATH=$PROGRAMS:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/
	mount -t proc proc /proc
	mount -t sysfs sys /sys
	mount -t devtmpfs dev /dev
	mount -t tmpfs run /run
	mkdir /run/lock /run/bench /run/data
	mount -t hostfs -o "$DATA" host /run/data
	# The C library asks for it at each address that ipset reads: a system call
	# of the host, if it is there.
	: >/run/resolv.conf
	[ ! -e /etc/resolv.conf ] || mount --bind /run/resolv.conf /etc/resolv.conf
	ip link set lo up
	insmod "$MODULES/kcuckoo.ko"
	insmod "$MODULES/kcuckoo_packet.ko"
}

# into NAMESPACE COMMAND...
into() {
	nsenter "--net=/run/netns/$1" "${@:2}"
}

make_namespaces() {
	local namespace

	for namespace; do
		ip netns add "$namespace"
		ip -n "$namespace" link add bench0 type dummy
		ip -n "$namespace" link set bench0 up
	done
}

# verdict NAMESPACE NUMBER: a hook function without a set.
verdict() {
	into "$1" sh -c "echo $2 >/sys/module/kcuckoo_packet/parameters/verdict"
}

# Words of the families: what each tool calls them, an address that no packet has.
declare -A xt=([4]=iptables-legacy [6]=ip6tables-legacy)
declare -A nf=([4]=ip [6]=ip6)
declare -A inet=([4]=inet [6]=inet6)
declare -A never=([4]=255.255.255.255 [6]=ffff::1)

# xt_rule FAMILY NAMESPACE MATCH...
xt_rule() {
	into "$2" "${xt[$1]}" -t raw -A PREROUTING "${@:3}" -j DROP
}

# nft_rule FAMILY NAMESPACE MATCH
nft_rule() {
	into "$2" nft -f - <<-END
		table ${nf[$1]} $name {
			chain drops {
				type filter hook prerouting priority raw
				$3 drop
			}
		}
	END
}

# The hooks without a set: an address that no packet has is compared with, for
# packets that pass; nothing is, for those that are dropped.
make_bases() {
	local family

	make_namespaces none accept drop xt-pass xt-drop nft-pass nft-drop empty
	verdict accept 0
	verdict drop 1
	for family in 4 6; do
		xt_rule $family xt-pass -s "${never[$family]}"
		xt_rule $family xt-drop
		nft_rule $family nft-pass "${nf[$family]} saddr ${never[$family]}"
		nft_rule $family nft-drop ''
	done
	into empty kcuckoo -q create $name
	into empty kcuckoo -q attach $name
}

# timed WHAT RIVAL NAMESPACE COMMAND...: a line of what the command took.
timed() {
	local status=0

	into "$3" spent "${@:4}" 3>/run/bench/spent >/run/bench/output || status=$?
	[ $status = 0 ] || fail "${*:4}: exit status $status"
	# shellcheck disable=SC2046 # five words
	say spent "$size" "$1" "$2" $(cat /run/bench/spent)
}

# loaded RIVAL BEFORE ENTRIES: what the kernel has more.
loaded() {
	say memory "$size" "$1" $(($(kernel_memory) - $2)) "$3"
}

# Into memory, so that nobody's time is that of the disk.
warm() {
	cat "$@" >/dev/null
}

# load_kcuckoo NAMESPACE FILE WORD...: a filter created with these words.
load_kcuckoo() {
	warm "$2"
	into "$1" kcuckoo -q create $name "${@:3}"
	timed load "$1" "$1" kcuckoo -q load $name "$2"
	into "$1" kcuckoo -q attach $name
}

# load_map NAMESPACE KIND COUNT FILE: a BPF map, and a function that looks into it.
load_map() {
	warm "$4"
	timed load "$1" "$1" map "$2" "$3" <"$4"
}

# load_ipset FAMILY FILE: FILE in the form of `ipset save`.
load_ipset() {
	warm "$2"
	timed load ipset ipset ipset restore -file "$2"
	xt_rule "$1" ipset -m set --match-set "$name$1" src
}

# fill_ipset KIND FAMILY COUNT FILE: COUNT addresses or networks, not by ipset.
fill_ipset() {
	warm "$4"
	into ipset ipset create "$name$2" "hash:$1" family "${inet[$2]}" maxelem $((2 * $3))
	timed fill ipset ipset elements ipset "$name$2" <"$4"
	xt_rule "$2" ipset -m set --match-set "$name$2" src
}

# make_nft NAMESPACE FAMILY SET: a set, without elements, and a rule.
make_nft() {
	into "$1" nft "add table ${nf[$2]} $name"
	into "$1" nft "add set ${nf[$2]} $name $name { $3; }"
	nft_rule "$2" "$1" "${nf[$2]} saddr @$name"
}

# load_nft FILE: of commands.
load_nft() {
	warm "$1"
	timed load nft nft nft -f "$1"
}

# fill_nft NAMESPACE FILE: addresses, not by nft.
fill_nft() {
	warm "$2"
	timed fill "$1" "$1" elements nft "$name" "$name" <"$2"
}

# ask KIND NAMESPACE...: ROUNDS times, all in turn; the sources are there.
ask() {
	local kind=$1 round namespace

	for ((round = 0; round < ROUNDS; round++)); do
		for namespace in "${@:2}"; do
			# shellcheck disable=SC2046 # three words
			say packet "$size" "$kind" "$namespace" \
				$(into "$namespace" cat /proc/kcuckoo_packet)
		done
	done
}

# sources WORD ARGUMENT...: addresses for the packets to come.
sources() {
	addresses "$@" >/proc/kcuckoo_packet
}

# load_addresses RIVAL COUNT: of more than a million nothing is said about the
# time of ipset and nft, which get them in a faster way than they come otherwise.
load_addresses() {
	local before word=load

	[ "$2" -le 1000000 ] || word=fill
	before=$(kernel_memory)
	case $1-$word in
	kcuckoo-*) load_kcuckoo kcuckoo "$LISTS/$size.list" ;;
	timeout-*) load_kcuckoo timeout "$LISTS/$size.list" timeout 1h ;;
	bpf-*) load_map "$1" "${1#bpf-}" "$2" "$LISTS/$size.list" ;;
	ipset-load) load_ipset 4 "$LISTS/$size.ipset" ;;
	ipset-fill) fill_ipset ip 4 "$2" "$LISTS/$size.list" ;;
	esac
	case $1 in
	nft) make_nft nft 4 'type ipv4_addr' ;;
	nft-sized) make_nft nft-sized 4 "type ipv4_addr; size $2" ;;
	esac
	case $1-$word in
	nft-load) load_nft "$LISTS/$size.nft" ;;
	nft*) fill_nft "$1" "$LISTS/$size.list" ;;
	esac
	loaded "$1" "$before" "$2"
}

# weigh SIZE COUNT: a set of ipset, for its memory alone.
weigh() {
	local before

	size=$1
	make_namespaces ipset
	before=$(kernel_memory)
	fill_ipset ip 4 "$2" "$LISTS/$size.list"
	loaded ipset "$before" "$2"
}

# packets SIZE COUNT RIVAL...: single addresses. "generator" behind the rivals has the
# kernel's own make packets, too.
packets() {
	local count=$2 rivals=("${@:3}") rival generator=

	size=$1
	if [ "${rivals[-1]}" = generator ]; then
		generator=yes
		unset 'rivals[-1]'
	fi
	make_bases
	make_namespaces "${rivals[@]}"
	for rival in "${rivals[@]}"; do
		load_addresses "$rival" "$count"
	done
	sources miss 4000000
	ask miss none accept xt-pass nft-pass empty "${rivals[@]}"
	sources hit "$count" 4000000
	ask hit none drop xt-drop nft-drop "${rivals[@]}"
	[ -z "$generator" ] || generate accept xt-pass nft-pass "${rivals[@]}"
}

# make_bans NAMESPACE RESERVE: a filter to which packets may add.
make_bans() {
	into "$1" kcuckoo -q create $name hash siphash timeout 1h
	into "$1" kcuckoo -q reserve $name "$2"
	into "$1" kcuckoo -q attach $name
}

# check_members NAMESPACE COUNT: a filter has COUNT entries, and no expired ones.
check_members() {
	local entries

	entries=$(into "$1" kcuckoo -j info $name |
		sed -n 's/.*"expiring": \([0-9]*\).*/\1/p')
	[ "$entries" = "$2" ] || fail "$1: $entries entries, and not $2"
}

# churn SIZE MEMBERS RESERVE GENERATIONS: two filters with the same MEMBERS. One is
# filled once. To the other, GENERATIONS times, RESERVE other addresses are added and
# expire. The next add finds no free entry and frees theirs.
churn() {
	local members=$2 reserve=$3 generations=$4 files file

	size=$1
	make_bases
	make_namespaces once churned
	make_bans once "$reserve"
	make_bans churned "$reserve"
	addresses list $((generations * reserve + members)) |
		split -l "$reserve" - /run/bench/generation.
	files=(/run/bench/generation.*)
	for file in "${files[@]:0:generations}"; do
		into churned kcuckoo -q add $name -f "$file" --timeout 1s
		sleep 2
	done
	for file in once churned; do
		into "$file" kcuckoo -q add $name -f "${files[-1]}"
		check_members "$file" "$members"
	done
	sources miss 4000000
	ask miss accept once churned
}

# observed SIZE COUNT: the same filter and rule in each namespace. In "logged" the rule logs
# to a group without a listener, in "subscribed" a program receives all events.
observed() {
	local namespace

	size=$1
	make_bases
	make_namespaces plain logged subscribed
	for namespace in plain logged subscribed; do
		into "$namespace" kcuckoo -q create $name
		into "$namespace" kcuckoo -q load $name "$LISTS/$size.list"
	done
	into plain kcuckoo -q attach $name
	into logged kcuckoo -q attach $name action drop log group 1
	into subscribed kcuckoo -q attach $name
	# shellcheck disable=SC2016 # for the inner shell to expand
	into subscribed sh -c 'echo $$ >/run/bench/subscriber; exec kcuckoo monitor' \
		>/run/bench/events &
	await_subscriber
	sources miss 4000000
	ask miss accept plain logged subscribed
	sources hit "$2" 4000000
	ask hit drop plain logged subscribed
	[ -d "/proc/$(</run/bench/subscriber)" ] || fail "kcuckoo monitor has ended"
}

# await_subscriber: until the process in the file subscriber has opened the device.
await_subscriber() {
	local tries

	for ((tries = 0; tries < 100; tries++)); do
		[ ! -s /run/bench/subscriber ] ||
			! readlink /proc/"$(</run/bench/subscriber)"/fd/* | grep -qx /dev/kcuckoo ||
			return 0
		sleep 0.1
	done
	fail "kcuckoo monitor does not open the device"
}

# make_wires NAMESPACE...: a veth into each, from a namespace for the generator;
# packets end behind the rules that are compared.
make_wires() {
	local namespace

	ip netns add generator
	for namespace; do
		ip -n "$namespace" link add wire0 address 02:00:00:00:00:01 \
			type veth peer name "$namespace" netns generator
		ip -n "$namespace" link set wire0 up
		ip -n generator link set "$namespace" up
		into "$namespace" nft -f - <<-END
			table ip ${name}end {
				chain ends {
					type filter hook prerouting priority mangle
					counter drop
				}
			}
		END
	done
}

# generated NAMESPACE: nanoseconds a packet.
generated() {
	into generator sh -e -s <<-END
		cd /proc/net/pktgen
		echo rem_device_all >kpktgend_0
		echo add_device $1 >kpktgend_0
		for line in "count $GENERATED" "pkt_size 60" "delay 0" \
			"dst_mac 02:00:00:00:00:01" "dst 192.0.2.1" \
			"src_min 1.0.0.0" "src_max 223.255.255.255" \
			"flag IPSRC_RND"; do
			echo "\$line" >$1
		done
		echo start >pgctrl
		awk '{ for (i = 1; i <= NF; i++) if (\$i ~ /^[0-9]+pps\$/)
			printf "%.3f", 1e9 / \$i }' $1
	END
}

# generate NAMESPACE...: the kernel's own generator sends packets from random
# sources, through a veth and all that receives packets.
generate() {
	local round namespace took

	make_wires "$@"
	for ((round = 0; round < 2 * ROUNDS; round++)); do
		for namespace; do
			took=$(generated "$namespace")
			[ -n "$took" ] || fail "pktgen tells no rate for $namespace"
			say packet "$size" generated "$namespace" "$took" 0 $GENERATED
		done
	done
}

# operations SIZE: what else is done with sets.
operations() {
	local old=$LISTS/$1

	# Of this size others tell how long it takes.
	size=first
	make_namespaces kcuckoo ipset nft
	load_kcuckoo kcuckoo "$old.list"
	load_ipset 4 "$old.ipset"
	make_nft nft 4 'type ipv4_addr'
	load_nft "$old.nft"
	size=$1
	timed again kcuckoo kcuckoo kcuckoo -q load $name "$old.list"
	timed again ipset ipset ipset -exist restore -file "$old.ipset"
	timed again nft nft nft -f "$old.nft"
	timed start kcuckoo kcuckoo kcuckoo --version
	timed start ipset ipset ipset version
	timed start nft nft nft --version
	timed add kcuckoo kcuckoo kcuckoo -q add $name 0.0.0.1
	timed add ipset ipset ipset add ${name}4 0.0.0.1
	timed add nft nft nft "add element ip $name $name { 0.0.0.1 }"
	timed status kcuckoo kcuckoo kcuckoo info $name
	timed status ipset ipset ipset list -t ${name}4
	timed status nft nft nft -t list set ip $name $name
	sed 's/^add/del/' "$old.ipset" >/run/bench/del.ipset
	sed 's/^add/delete/' "$old.nft" >/run/bench/del.nft
	timed delete kcuckoo kcuckoo kcuckoo -q del $name -f "$old.list"
	timed delete ipset ipset ipset -exist restore -file /run/bench/del.ipset
	timed delete nft nft nft -f /run/bench/del.nft
}

# write_members FAMILY: what kcuckoo has of it, as the others read it.
write_members() {
	local members=/run/bench/members$1

	grep "${@:2}" : /run/bench/members >"$members" || :
	{
		echo "create $name$1 hash:net family ${inet[$1]} maxelem $(($(wc -l <"$members") * 2))"
		sed "s/^/add $name$1 /" "$members"
	} >"$members.ipset"
	{
		echo "add element ${nf[$1]} $name $name {"
		sed 's/$/,/' "$members"
		echo '}'
	} >"$members.nft"
}

# load_tries: BPF's, one for each family.
load_tries() {
	local before

	before=$(kernel_memory)
	load_map bpf-lpm lpm4 "$count4" /run/bench/members4
	load_map bpf-lpm lpm6 "$count6" /run/bench/members6
	loaded bpf-lpm "$before" $((count4 + count6))
}

# load_networks FAMILY...: into nft, as commands and intervals.
load_networks() {
	local family before

	before=$(kernel_memory)
	for family; do
		make_nft nft "$family" "type ipv${family}_addr; flags interval"
		load_nft "/run/bench/members$family.nft"
	done
	# Memory is compared by entries of both.
	[ $# -lt 2 ] || loaded nft "$before" $((count4 + count6))
}

# ipset_networks load|fill: as it reads them itself, or faster.
ipset_networks() {
	local members=/run/bench/members before

	before=$(kernel_memory)
	if [ "$1" = load ]; then
		load_ipset 4 ${members}4.ipset
		load_ipset 6 ${members}6.ipset
	else
		fill_ipset net 4 "$count4" ${members}4
		fill_ipset net 6 "$count6" ${members}6
	fi
	loaded ipset "$before" $((count4 + count6))
}

# prefixes SIZE load|fill FAMILY...: a list of networks of both families. Packets, and
# nft with its gigabytes, may do with one.
prefixes() {
	local rivals=(kcuckoo ipset nft bpf-lpm) before count4 count6 family

	size=$1
	make_bases
	make_namespaces "${rivals[@]}"
	before=$(kernel_memory)
	load_kcuckoo kcuckoo "$LISTS/$1.list"
	into kcuckoo kcuckoo list $name >/run/bench/members
	write_members 4 -v
	write_members 6
	count4=$(wc -l </run/bench/members4)
	count6=$(wc -l </run/bench/members6)
	loaded kcuckoo "$before" $((count4 + count6))
	ipset_networks "$2"
	load_tries
	load_networks "${@:3}"
	for family in "${@:3}"; do
		size=$1-ipv$family
		[ "$family" = 4 ] || echo 1 >/sys/module/kcuckoo_packet/parameters/ipv6
		sources "outside$family" "/run/bench/members$family" 1000000
		ask miss none accept xt-pass nft-pass empty "${rivals[@]}"
		sources "inside$family" "/run/bench/members$family" 1000000
		ask hit none drop xt-drop nft-drop "${rivals[@]}"
	done
}

size=
start_machine
# shellcheck disable=SC2086 # several words
${JOB//,/ }
say 'done'
leave
