#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Each recipe of kcuckoo-recipes(7) is run as it stands there, and packets show that it does
# what it says. Namespace rec-m is the host of the recipes: its eth0 is 192.0.2.1. On the same
# network are rec-bad, 192.0.2.66, whose address the list has, and rec-good, 192.0.2.130.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

page=$(dirname "$0")/../../../userspace/man/kcuckoo-recipes.7
world=$(realpath "$(dirname "$0")/world.mmdb")
spaces=(rec-sw rec-bad rec-good rec-m rec-in)
connector=

# in_ns NAMESPACE COMMAND...: without another /sys, which takes "ip netns exec" longer.
in_ns() {
	nsenter --net="/run/netns/rec-$1" "${@:2}"
}

# link NAMESPACE DEVICE NAMESPACE DEVICE: a cable between both.
link() {
	ip link add "$2" netns "rec-$1" type veth peer name "$4" netns "rec-$3"
	ip -n "rec-$1" link set dev "$2" up
	ip -n "rec-$3" link set dev "$4" up
}

# address NAMESPACE DEVICE ADDRESS
address() {
	local nodad=

	[[ $3 != *:* ]] || nodad=nodad
	ip -n "rec-$1" addr add "$3" dev "$2" $nodad
}

away() {
	local name

	[ -z "$connector" ] || kill "$connector"
	for name in "${spaces[@]}"; do
		[ ! -e "/run/netns/$name" ] || ip netns del "$name"
	done
}

# connector: connects the namespaces, and listens in them.
connector() {
	local words

	coproc connections { exec "$(dirname "$0")/connect.py"; }
	# shellcheck disable=SC2154 # bash sets it
	connector=$connections_PID
	read -rt 60 words <&"${connections[0]}"
	[ "$words" = ready ] || echo '# the listeners do not begin'
}

network() {
	local name

	printf 'netns add %s\n' "${spaces[@]}" | ip -batch -
	for name in "${spaces[@]}"; do
		ip -n "$name" link set lo up
	done
	ip -n rec-sw -batch - <<-'END'
		link add sw type bridge
		link set sw up
	END
	for name in bad good m; do
		link "$name" eth0 sw "to-$name"
		ip -n rec-sw link set dev "to-$name" master sw
	done
	ip -n rec-m -batch - <<-'END'
		addr add 192.0.2.1/24 dev eth0
		addr add 2001:db8::1/64 dev eth0 nodad
	END
	ip -n rec-bad -batch - <<-'END'
		addr add 192.0.2.66/24 dev eth0
		addr add 192.0.2.67/24 dev eth0
		addr add 2001:db8::66/64 dev eth0 nodad
	END
	ip -n rec-good -batch - <<-'END'
		addr add 192.0.2.130/24 dev eth0
		addr add 2001:db8::130/64 dev eth0 nodad
	END
	connector
}

# fresh: no filter, rule or list of another test.
fresh() {
	local name

	in_ns m nft flush ruleset
	k -n rec-m -q detach --all
	for name in $(kcuckoo -n rec-m list); do
		kcuckoo -n rec-m destroy "$name"
	done
	rm -rf "$scratch/folder" /var/lib/kcuckoo
	mkdir "$scratch/folder"
	printf '%s\n' '# a list' 192.0.2.64/29 198.51.100.66 2001:db8::66 >"$scratch/folder/bad.txt"
}

# block NAME: the literal block of this recipe.
block() {
	awk -v name="$1" '
		$2 == "recipe:" && $3 == name { found = 1 }
		found && /^\.Ed/ { exit }
		inside { gsub(/\\e/, "\\"); print }
		found && /^\.Bd -literal/ { inside = 1 }' "$page"
}

# recipe NAME: run it in the namespace of the host. The machine has another one, so the folders
# that are the usual ones there are named.
recipe() {
	block "$1" >"$scratch/block"
	[ -s "$scratch/block" ] || complain "no recipe $1 in the manual page"
	if ! (cd "$scratch/folder" && KCUCKOO_STATE=/var/lib/kcuckoo KCUCKOO_RUN=/run/kcuckoo in_ns m bash -euo pipefail "$scratch/block") \
		>"$scratch/out" 2>"$scratch/err" </dev/null; then
		complain "the recipe $1 fails"
		indent <"$scratch/err"
	fi
}

# try SECONDS NAMESPACE PORT ADDRESS...: $words has for each address whether there was a
# connection: connected, failed, or timeout.
try() {
	words=
	echo "$*" >&"${connections[1]}"
	read -rt 60 words <&"${connections[0]}"
}

# A connection that does not come about is waited for so long that its first packet is sent
# twice.
short=1.5

# connects NAMESPACE ADDRESS PORT WORDS: a connection comes about, ...
connects() {
	try 30 "$1" "$3" "$2"
	[ "$words" = connected ] || complain "$4: $words"
}

# ... and here none.
blocked() {
	try $short "$1" "$3" "$2"
	[[ $words = timeout || $words = failed ]] || complain "$4: $words"
}

# passes NAMESPACE PORT: connections of both families to the host come about, ...
passes() {
	try 30 "$1" "$2" 192.0.2.1 2001:db8::1
	[ "$words" = 'connected connected' ] ||
		complain "$1: no connection to port $2 by IPv4 or IPv6: $words"
}

# ... and here none.
drops() {
	try $short "$1" "$2" 192.0.2.1 2001:db8::1
	[[ $words =~ ^(timeout|failed)\ (timeout|failed)$ ]] ||
		complain "$1: a connection to port $2 by IPv4 or IPv6: $words"
}

# pings NAMESPACE ARGUMENT...: an echo comes back, to the first request or a later one, ...
pings() {
	in_ns "$1" ping -q -c 1 -w 10 -i 0.2 "${@:2}" >/dev/null || complain "no echo: $*"
}

# ... and here none.
silent() {
	! in_ns "$1" ping -q -c 2 -i 0.2 -W 1 "${@:2}" >/dev/null || complain "an echo: $*"
}

# rules_have EXPRESSION: a line of the rules matches.
rules_have() {
	k -n rec-m rules
	[[ $out =~ $1 ]] || complain "no rule like '$1': $out"
}

test_count() { # count before you drop
	fresh
	recipe count
	passes bad 22
	rules_have 'bad +prerouting +both +src +count +[1-9]'
	recipe drop
	[[ $(<"$scratch/out") == *count* ]] || complain "no counters: $(<"$scratch/out")"
	drops bad 22
	passes good 22
}

# Listed hosts cannot begin a connection, and the host can connect to them.
only_new() {
	drops bad 22
	passes good 22
	connects m 192.0.2.66 22 'no connection to a listed host'
	connects m 2001:db8::66 22 'no connection to a listed host by IPv6'
}

test_new_iptables() { # only new connections, with iptables
	fresh
	recipe new-iptables
	only_new
}

# A tunnel to rec-bad, whose outer address is listed, and its inner address is not.
ipip() {
	ip -n rec-m link add t0 type ipip local 192.0.2.1 remote 192.0.2.66
	ip -n rec-bad link add t0 type ipip local 192.0.2.66 remote 192.0.2.1
	ip -n rec-m link set t0 up
	ip -n rec-bad link set t0 up
	address m t0 10.9.0.1/24
	address bad t0 10.9.0.66/24
	# The host begins, so that the outer packets are not those of a new connection.
	pings m 10.9.0.66
	connects bad 10.9.0.1 22 'no connection in a tunnel whose outer source is listed'
	ip -n rec-m link del t0
	ip -n rec-bad link del t0
}

test_new_nft() { # only new connections, with nft
	fresh
	recipe new-nft
	only_new
	ipip
}

some_ports() {
	drops bad 22
	drops bad 25
	passes bad 443
	passes good 22
}

test_ports_iptables() { # some ports only, with iptables
	fresh
	recipe ports-iptables
	some_ports
}

test_ports_nft() { # some ports only, with nft
	fresh
	recipe ports-nft
	some_ports
	ipip
}

test_log() { # the log has what is dropped, and not more than the limit
	local lines start pings=400

	[ -z "${KCUCKOO_SOAK:-}" ] || pings=1000
	sysctl -qw net.netfilter.nf_log_all_netns=1
	fresh
	recipe log
	start=$SECONDS
	drops bad 22
	passes good 22
	in_ns bad ping -q -c $pings -i 0.002 -W 1 192.0.2.1 >/dev/null
	lines=$(dmesg | grep -c 'bad: .*SRC=192\.0\.2\.66 .*DST=192\.0\.2\.1 ')
	[ "$lines" -ge 1 ] || complain 'nothing is logged'
	[ "$lines" -le $((10 * (SECONDS - start + 2))) ] || complain "$lines lines are logged"
	dmesg | grep -q 'bad: .*SRC=192\.0\.2\.130 ' && complain 'passed packets are logged'
	sysctl -qw net.netfilter.nf_log_all_netns=0
}

# 192.0.2.66 is blocked, 192.0.2.67 of the same network is not.
one_allowed() {
	silent bad -I 192.0.2.66 192.0.2.1
	pings bad -I 192.0.2.67 192.0.2.1
	pings good 192.0.2.1
}

test_allow() { # addresses that a rule never blocks, private and own ones too
	fresh
	printf '%s\n' 192.0.2.67 10.0.0.0/8 192.0.2.1 >"$scratch/folder/good.txt"
	recipe allow
	one_allowed
	k -n rec-m list good
	out_is $'10.0.0.0/8\n192.0.2.1\n192.0.2.67'
}

test_exclude() { # addresses that are left out of a list
	fresh
	echo 192.0.2.67 >"$scratch/folder/good.txt"
	recipe exclude
	one_allowed
}

test_countries() { # whole countries
	fresh
	recipe countries
	drops bad 22
	passes good 22
}

test_one_country() { # new connections from one country and the own networks only
	fresh
	echo 10.0.0.0/8 >"$scratch/folder/own.txt"
	recipe one-country
	drops good 22
	passes bad 22
	try 30 m 22 192.0.2.130
	[ "$words" = failed ] || complain "no answer of a host of another country: $words"
	connects m 127.0.0.1 22 'no connection to itself'
	k -n rec-m test home 10.1.2.3
	status_is 0
}

test_country_marks() { # each country has a mark of its own
	fresh
	recipe country-marks
	drops bad 22
	passes bad 443
	passes good 22
	ipip
}

# Docker's bridge, its rules, and a container whose port 443 is the host's port 8443.
containers() {
	fresh
	link in eth0 m veth1
	ip -n rec-m -batch - <<-'END'
		link add docker0 type bridge
		link set veth1 master docker0
		link set docker0 up
		addr add 172.17.0.1/16 dev docker0
	END
	ip -n rec-in -batch - <<-'END'
		addr add 172.17.0.2/16 dev eth0
		route add default via 172.17.0.1
	END
	in_ns m sysctl -qw net.ipv4.ip_forward=1
	in_ns m iptables -N DOCKER-USER
	in_ns m iptables -A DOCKER-USER -j RETURN
	in_ns m iptables -A FORWARD -j DOCKER-USER
	in_ns m iptables -t nat -A PREROUTING -p tcp --dport 8443 -j DNAT --to 172.17.0.2:443
	in_ns m iptables -t nat -A POSTROUTING -s 172.17.0.0/16 ! -o docker0 -j MASQUERADE
	connects bad 192.0.2.1 8443 'no connection to the container without rules'
	connects in 192.0.2.66 443 'no connection of the container without rules'
}

no_containers() {
	ip -n rec-m link del docker0
	ip -n rec-m link del veth1
}

test_containers() { # packets for containers, and those back to them
	containers
	recipe containers
	blocked bad 192.0.2.1 8443 'a listed host connects to the container'
	connects good 192.0.2.1 8443 'another host does not connect to the container'
	blocked in 192.0.2.66 443 'the container connects to a listed host'
	no_containers
}

test_containers_new() { # only new connections to containers
	containers
	recipe containers-new
	blocked bad 192.0.2.1 8443 'a listed host connects to the container'
	connects good 192.0.2.1 8443 'another host does not connect to the container'
	connects in 192.0.2.66 443 'the container does not connect to a listed host'
	no_containers
}

# A bridge of eth0 and eth1, which has a host behind it.
bridge() {
	fresh
	link in eth0 m eth1
	ip -n rec-m -batch - <<-'END'
		link add br0 type bridge
		link set eth0 master br0
		link set eth1 master br0
		link set br0 up
	END
	address in eth0 192.0.2.5/24
	# Another test had a host of this address, with another device.
	ip -n rec-bad neigh flush dev eth0
	ip -n rec-good neigh flush dev eth0
	pings bad 192.0.2.5
}

no_bridge() {
	silent bad 192.0.2.5
	pings good 192.0.2.5
	k -n rec-m -q detach --all
	ip -n rec-m link del br0
	ip -n rec-m link del eth1
}

test_bridge() { # the ports of a bridge
	bridge
	recipe bridge
	no_bridge
}

test_br_netfilter() { # a bridge whose packets pass the hooks of IP
	bridge
	recipe br-netfilter
	no_bridge
	in_ns m sysctl -qw net.bridge.bridge-nf-call-iptables=0 net.bridge.bridge-nf-call-ip6tables=0
	# Its removal by modprobe takes the module of the bridges along.
	rmmod br_netfilter
}

# wireguard NAMESPACE PEER ADDRESS OTHER: one end of the tunnel.
wireguard() {
	ip -n "rec-$1" link add wg0 type wireguard || complain 'no WireGuard'
	in_ns "$1" wg set wg0 private-key "$scratch/$1.key" listen-port 51820 \
		peer "$(wg pubkey <"$scratch/$2.key")" endpoint "$4:51820" allowed-ips 198.51.100.0/24
	address "$1" wg0 "$3/24"
	ip -n "rec-$1" link set wg0 up
}

test_tunnel() { # senders inside a tunnel that comes later, and again
	fresh
	recipe tunnel
	rules_have 'waits for device wg0'
	(umask 077 && wg genkey >"$scratch/m.key" && wg genkey >"$scratch/good.key")
	wireguard m good 198.51.100.1 192.0.2.130
	wireguard good m 198.51.100.66 192.0.2.1
	address good wg0 198.51.100.67/24
	pings good -I 198.51.100.67 198.51.100.1
	silent good -I 198.51.100.66 198.51.100.1
	ip -n rec-m link del wg0
	wireguard m good 198.51.100.1 192.0.2.130
	# The host knows the other end first: that one still has keys of the device before.
	pings m 198.51.100.67
	pings good -I 198.51.100.67 198.51.100.1
	silent good -I 198.51.100.66 198.51.100.1
	ip -n rec-m link del wg0
	ip -n rec-good link del wg0
}

# long_list COUNT: bad.txt, and so many entries more.
long_list() {
	printf '%s\n' 192.0.2.66 2001:db8::66 >"$scratch/folder/bad.txt"
	awk -v count="$1" 'BEGIN {
		for (i = 0; i < count; i++) print "198.18." int(i / 250) "." i % 250 + 1
	}' >>"$scratch/folder/bad.txt"
}

test_replace() { # a listed host gets no packet through, whatever the new list is
	local flood length

	fresh
	long_list 1500
	recipe replace
	k -n rec-m attach bad
	ip netns exec rec-bad ping -q -i 0.01 -w 600 192.0.2.1 >"$scratch/flood" &
	flood=$!
	for length in 1600 1700 1600; do
		long_list "$length"
		recipe replace
		k -n rec-m -j info bad
		[[ $out == *"\"entries\": $((length + 2)),"* ]] || complain "not $length: $out"
	done
	for length in 1100 100 0; do
		long_list "$length"
		block replace >"$scratch/block"
		(cd "$scratch/folder" && in_ns m bash -e "$scratch/block") 2>/dev/null
		[ $? = 2 ] || complain "a list of $length is taken"
	done
	k -n rec-m -j info bad
	[[ $out == *'"entries": 1602,'* ]] || complain "the old list is gone: $out"
	kill -INT "$flood"
	wait "$flood"
	grep -qE '^[0-9]{2,} packets transmitted, 0 received' "$scratch/flood" ||
		complain "a gap, or no flood: $(<"$scratch/flood")"
	pings good 192.0.2.1
}

test_ban() { # for one hour, or until it is deleted
	fresh
	recipe ban
	silent bad 192.0.2.1
	pings good 192.0.2.1
	k -n rec-m list bans
	[[ $out =~ ^192\.0\.2\.66\ timeout\ 3(5[0-9][0-9]|600)$ ]] || complain "bans: $out"
	k -n rec-m del bans 192.0.2.66
	pings bad 192.0.2.1
}

test_trap() { # a host that tries a port is banned from all
	fresh
	recipe trap
	passes bad 22
	try $short bad 23 192.0.2.1
	blocked bad 192.0.2.1 22 'the host is not banned'
	passes good 22
	k -n rec-m list bans
	[[ $out =~ ^192\.0\.2\.66\ timeout\ 3[56][0-9][0-9]$ ]] || complain "bans: $out"
}

test_restart() { # filters come back with their remaining times after the module was unloaded
	fresh
	recipe count
	k -n rec-m create bans timeout 1h
	k -n rec-m add bans 203.0.113.1
	recipe save
	in_ns m nft flush ruleset
	k -n rec-m detach --all
	! grep -q ^xt_kcuckoo /proc/modules || unloads xt_kcuckoo
	unloads kcuckoo
	recipe restore
	drops bad 22
	passes good 22
	k -n rec-m list bans
	[[ $out =~ ^203\.0\.113\.1\ timeout\ 3[0-9]*$ ]] || complain "bans: $out"
}

test_ipset() { # a set of ipset and its rule
	fresh
	in_ns m ipset create blocklist hash:net timeout 0
	in_ns m ipset add blocklist 192.0.2.64/29 timeout 600
	in_ns m ipset add blocklist 198.51.100.0/24
	in_ns m iptables -A INPUT -m set --match-set blocklist src -j DROP
	recipe ipset
	silent bad 192.0.2.1
	pings good 192.0.2.1
	k -n rec-m list bad
	[[ $out =~ ^192\.0\.2\.64/29\ timeout\ [1-5][0-9]+$'\n'198\.51\.100\.0/24\ timeout\ 0$ ]] ||
		complain "members: $out"
	[ -z "$(in_ns m ipset list -n)" ] || complain 'the set is still there'
	in_ns m iptables -S INPUT | grep -q blocklist && complain 'the rule is still there'
}

test_nft() { # a set of nft and its rule
	fresh
	in_ns m nft -f - <<-'END'
		table inet filter {
			set blocklist {
				type ipv4_addr
				flags interval
				elements = { 192.0.2.64/29, 198.51.100.1-198.51.100.9 }
			}
			chain input {
				type filter hook input priority filter
				tcp dport 25 drop
				ip saddr @blocklist drop
			}
		}
	END
	recipe nft
	silent bad 192.0.2.1
	pings good 192.0.2.1
	k -n rec-m test bad 198.51.100.9
	status_is 0
	in_ns m nft list ruleset >"$scratch/ruleset"
	grep -q blocklist "$scratch/ruleset" && complain 'the set is still there'
	grep -q 'tcp dport 25 drop' "$scratch/ruleset" || complain 'another rule is gone'
}

test_import_ipset() { # all sets of ipset, and the rules of iptables
	fresh
	in_ns m ipset create blocklist hash:net
	in_ns m ipset add blocklist 192.0.2.64/29
	in_ns m iptables -A INPUT -m set --match-set blocklist src -j DROP
	recipe import-ipset
	silent bad 192.0.2.1
	pings good 192.0.2.1
	[ -z "$(in_ns m ipset list -n)" ] || complain 'the set is still there'
}

test_import_nft() { # all sets and rules of nft
	fresh
	in_ns m nft -f - <<-'END'
		table inet filter {
			set blocklist {
				type ipv4_addr
				flags interval
				elements = { 192.0.2.64/29 }
			}
			chain input {
				type filter hook input priority filter
				ip saddr @blocklist drop
			}
		}
	END
	recipe import-nft
	silent bad 192.0.2.1
	pings good 192.0.2.1
}

test_geoip() { # countries in rules of iptables
	fresh
	recipe geoip
	drops bad 22
	passes good 22
}

test_all() { # each block of the manual page is a recipe of a test
	local name blocks

	mapfile -t blocks < <(sed -n 's/^\.\\" recipe: //p' "$page")
	[ "$(grep -c '^\.Bd -literal' "$page")" = ${#blocks[@]} ] || complain 'a block has no name'
	for name in "${blocks[@]}"; do
		grep -qE "^	recipe $name\$" "$0" || complain "no test runs the recipe $name"
	done
}

: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf
mount -t tmpfs none /var/lib
mkdir /var/lib/GeoIP
cp "$world" /var/lib/GeoIP/GeoLite2-Country.mmdb
failed=0
away
network
main "$0"
result=$?
away
umount /var/lib /etc/resolv.conf
[ "$result" = 0 ]
