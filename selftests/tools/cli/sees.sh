#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What a rule sees: the table in the manual, as far as packets can be sent for it here.
# Namespaces see-a, see-m and see-b are in a row; the rules are in the middle.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

if ! modprobe -n br_netfilter 2>/dev/null; then
	echo "TAP version 13"
	echo "1..0 # SKIP needs a kernel whose br_netfilter is a module"
	exit 4
fi

# in_ns NAMESPACE COMMAND...
in_ns() {
	local name=see-$1

	shift
	ip netns exec "$name" "$@"
}

m() {
	k -n see-m "$@"
}

away() {
	printf 'netns del see-%s\n' a m b g | ip -force -batch - 2>/dev/null
}

# links NAMESPACE: lines of standard input are commands of ip there.
links() {
	ip -n "see-$1" -batch - || complain "ip in see-$1 failed"
}

# The row: a0 in see-a, m0 and m1 in see-m, b0 in see-b.
row() {
	away
	printf 'netns add see-%s\n' a m b | ip -batch -
	ip -batch - <<-'END'
		link add a0 netns see-a type veth peer name m0 netns see-m
		link add b0 netns see-b type veth peer name m1 netns see-m
	END
	links a < <(printf 'link set %s up\n' lo a0)
	links m < <(printf 'link set %s up\n' lo m0 m1)
	links b < <(printf 'link set %s up\n' lo b0)
	m create bl
	m add bl 192.0.2.2
	status_is 0
}

address() { # NAMESPACE DEVICE ADDRESS
	ip -n "see-$1" addr add "$3" dev "$2"
}

# A router in the middle: see-a is 192.0.2.2 at $1, see-m 192.0.2.1 at $2, see-b 198.51.100.2.
router() {
	links a <<-END
		addr add 192.0.2.2/24 dev $1
		route add default via 192.0.2.1
	END
	links m <<-END
		addr add 192.0.2.1/24 dev $2
		addr add 198.51.100.1/24 dev m1
	END
	links b <<-END
		addr add 198.51.100.2/24 dev b0
		route add default via 198.51.100.1
	END
	in_ns m sysctl -qw net.ipv4.ip_forward=1
}

routed() {
	row
	router a0 m0
}

# A router like that of routed(), with VLAN 5 between see-a and see-m.
routed_vlan() {
	row
	links a < <(printf '%s\n' 'link add link a0 name a0.5 type vlan id 5' 'link set a0.5 up')
	links m < <(printf '%s\n' 'link add link m0 name m0.5 type vlan id 5' 'link set m0.5 up')
	router a0.5 m0.5
}

# A bridge in the middle, whose own address is 192.0.2.1.
bridged() {
	row
	links m <<-'END'
		link add br0 type bridge
		link set m0 master br0
		link set m1 master br0
		link set br0 up
		addr add 192.0.2.1/24 dev br0
	END
	address a a0 192.0.2.2/24
	address b b0 192.0.2.3/24
}

# Send three packets from see-a, that are answered.
three() {
	in_ns a ping -q -c 3 -i 0.01 -W 5 "$@" >"$scratch/ping" ||
		complain "ping $*: $(tail -n 2 "$scratch/ping")"
}

# count DEVICE [WORDS]: rules that count, of all hooks that packets from see-a may meet.
count() {
	local device=$1

	shift
	m attach bl action count hook prerouting "$@"
	m attach bl action count hook input "$@"
	m attach bl action count hook forward "$@"
	m attach bl action count hook ingress dev "$device" "$@"
	[ -z "$has_xdp" ] || m attach bl action count hook xdp dev "$device" mode generic "$@"
	status_is 0
}

# seen_is HOOK=PACKETS...: what each rule has counted, and no other any.
seen_is() {
	local hook expected seen line

	m rules
	for hook in xdp ingress prerouting input forward; do
		[ "$hook" != xdp ] || [ -n "$has_xdp" ] || continue
		[[ " $* " == *" $hook=all "* ]] && expected=3 || expected=0
		seen=
		while read -r -a line; do
			[ "${line[1]}" != "$hook" ] || seen+=${line[5]}
		done <<<"$out"
		[ "$seen" = "$expected" ] || complain "hook $hook did not see $expected packets: $out"
	done
	m detach --all
}

test_not_loaded() { # looking for flowtables loads nothing
	routed
	modprobe -r nf_tables 2>/dev/null
	[ ! -d /sys/module/nf_tables ] || complain 'nf_tables is in use'
	m attach bl
	err_has_not flowtable
	m rules
	[ ! -d /sys/module/nf_tables ] || complain 'nf_tables was loaded'
	m detach bl
}

# flowtables TABLE...: a flowtable with the name of each of these tables.
flowtables() {
	local table

	for table; do
		in_ns m nft -f - <<-END
			table $table {
				flowtable f {
					hook ingress priority 0
					devices = { m0, m1 }
				}
			}
		END
	done
}

test_warning() { # where a flowtable forwards packets past a rule, words say so
	local hook

	routed
	flowtables 'inet t'
	for hook in input output; do
		m attach bl hook "$hook"
		status_is 0
		err_has_not flowtable
	done
	m rules
	err_has_not flowtable
	for hook in prerouting forward; do
		m attach bl hook "$hook"
		status_is 0
		err_has "warning: flowtable 'f' in table inet 't': packets of connections" \
			'traverse only hooks ingress and xdp' 'hook ingress dev DEVICE'
	done
	m rules
	status_is 0
	err_has "warning: flowtable 'f' in table inet 't'"
	[ "$(grep -c warning <<<"$err")" = 1 ] || complain "more than one warning: $err"
	m -q -j rules
	err_has "warning: flowtable 'f'"
	python3 -m json.tool <<<"$out" >"$scratch/json" || complain "no JSON: $out"
	m detach --all
	m rules
	err_has_not flowtable
	m attach bl hook ingress dev m0
	err_has_not flowtable
	m rules
	err_has_not flowtable
	# Neither in another namespace, nor when it has gone.
	k create bl
	k attach bl
	err_has_not flowtable
	flowtables 'ip u'
	m attach bl
	err_has 'flowtable' 'there are 2 flowtables in total'
	in_ns m nft flush ruleset
	m rules
	err_has_not flowtable
	m detach --all
}

test_routed() { # packets that are forwarded, and those for this host
	routed
	count m0
	three 198.51.100.2
	seen_is xdp=all ingress=all prerouting=all forward=all
	count m0
	three 192.0.2.1
	seen_is xdp=all ingress=all prerouting=all input=all
}

test_output() { # packets of this host, and those of its packet sockets
	routed
	m attach bl action count hook output match dst
	in_ns m ping -q -c 3 -i 0.01 -W 5 192.0.2.2 >"$scratch/ping" ||
		complain "ping: $(tail -n 2 "$scratch/ping")"
	m rules
	[[ $out =~ output\ +both\ +dst\ +count\ +3\  ]] || complain "$out"
	in_ns m python3 -IS - <<-'END'
		import _socket
		s = _socket.socket(_socket.AF_PACKET, _socket.SOCK_DGRAM)
		header = bytes([0x45, 0, 0, 20, 0, 0, 0, 0, 9, 17, 0, 0,
				192, 0, 2, 1, 192, 0, 2, 2])
		s.sendto(header, ('m0', 0x0800, 0, 0, b'\xff' * 6))
	END
	m rules
	[[ $out =~ output\ +both\ +dst\ +count\ +3\  ]] || complain "packet socket: $out"
}

test_bridge() { # frames that a bridge passes on, without br_netfilter and with
	modprobe -r br_netfilter 2>/dev/null
	bridged
	[ ! -e /sys/module/br_netfilter ] || in_ns m sysctl -qw net.bridge.bridge-nf-call-iptables=0
	count m0
	three 192.0.2.3
	seen_is xdp=all ingress=all
	count m0
	three 192.0.2.1
	seen_is xdp=all ingress=all prerouting=all input=all
	modprobe br_netfilter
	in_ns m sysctl -qw net.bridge.bridge-nf-call-iptables=1
	count m0
	three 192.0.2.3
	seen_is xdp=all ingress=all prerouting=all forward=all
}

# guest TYPE MODE: a guest see-g of a device upon m0, as 192.0.2.9.
guest() {
	row
	address a a0 192.0.2.2/24
	ip netns add see-g
	ip -n see-m link add g0 link m0 type "$1" mode "$2" ||
		complain "no device $1 mode $2"
	ip -n see-m link set g0 netns see-g
	ip -n see-g link set lo up
	ip -n see-g link set g0 up
	address g g0 192.0.2.9/24
	k -n see-g create bl
	k -n see-g add bl 192.0.2.2
	k -n see-g attach bl action count
	count m0
	three 192.0.2.9
	k -n see-g rules
	[[ $out =~ prerouting\ +both\ +src\ +count\ +3\  ]] ||
		complain "the guest's rule: $out"
}

test_guests() { # packets for macvlan and ipvlan devices
	guest macvlan bridge
	seen_is xdp=all ingress=all
	guest ipvlan l2
	seen_is xdp=all ingress=all
}

# A tunnel from see-a to see-m; the inner addresses are 203.0.113.2 and 203.0.113.1.
ipip() {
	links a <<-'END'
		link add t0 type ipip local 192.0.2.2 remote 192.0.2.1
		link set t0 up
		addr add 203.0.113.2/24 dev t0
	END
	links m <<-'END'
		link add t0 type ipip local 192.0.2.1 remote 192.0.2.2
		link set t0 up
		addr add 203.0.113.1/24 dev t0
	END
}

test_tunnel() { # a packet within another: each is seen by itself
	routed
	ipip
	# The outer source.
	count m0
	three 203.0.113.1
	seen_is xdp=all ingress=all prerouting=all input=all
	# The inner source, at the device below and at that of the tunnel.
	m del bl 192.0.2.2
	m add bl 203.0.113.2
	count m0
	three 203.0.113.1
	seen_is prerouting=all input=all
	has_xdp='' count t0
	three 203.0.113.1
	has_xdp='' seen_is ingress=all prerouting=all input=all
}

# esp NAMESPACE OWN OTHER INNER-OWN INNER-OTHER: IPsec in tunnel mode, both ways.
esp() {
	local key=0x000102030405060708090a0b0c0d0e0f10111213 ns=see-$1 side

	for side in "$2 $3" "$3 $2"; do
		# shellcheck disable=SC2086 # two words
		set -- "$1" "$2" "$3" "$4" "$5" $side
		ip -n "$ns" xfrm state add src "$6" dst "$7" proto esp spi 0x100 reqid 1 \
			mode tunnel aead 'rfc4106(gcm(aes))' "$key" 128 ||
			complain 'no IPsec'
	done
	ip -n "$ns" xfrm policy add dir out src "$4" dst "$5" \
		tmpl src "$2" dst "$3" proto esp reqid 1 mode tunnel
	ip -n "$ns" xfrm policy add dir in src "$5" dst "$4" \
		tmpl src "$3" dst "$2" proto esp reqid 1 mode tunnel
	ip -n "$ns" addr add "$4/32" dev lo
	ip -n "$ns" route add "$5" via "$3" src "$4"
}

test_ipsec() { # the inner packet comes from the device of the outer one
	routed
	esp a 192.0.2.2 192.0.2.1 203.0.113.2 203.0.113.1
	esp m 192.0.2.1 192.0.2.2 203.0.113.1 203.0.113.2
	count m0
	three 203.0.113.1
	seen_is xdp=all ingress=all prerouting=all input=all
	m del bl 192.0.2.2
	m add bl 203.0.113.2
	# XDP of mode generic sees what returns to the device, too. Since 6.9 its packets have
	# no Ethernet header.
	count m0
	three 203.0.113.1
	if since 6.9; then
		seen_is ingress=all prerouting=all input=all
	else
		seen_is xdp=all ingress=all prerouting=all input=all
	fi
}

test_nat() { # destinations before and after they are translated
	routed
	in_ns m nft -f - <<-'END'
		table ip nat {
			chain prerouting {
				type nat hook prerouting priority dstnat
				ip daddr 203.0.113.9 dnat to 198.51.100.2
			}
		}
	END
	m del bl 192.0.2.2
	m add bl 203.0.113.9
	count m0 match dst
	three 203.0.113.9
	seen_is xdp=all ingress=all prerouting=all
	m del bl 203.0.113.9
	m add bl 198.51.100.2
	count m0 match dst
	three 203.0.113.9
	seen_is forward=all
	in_ns m nft delete table ip nat
}

test_ifb() { # packets that tc redirects to ifb come back after hook ingress
	local expected

	routed
	ip -n see-m link add ifb9 type ifb || complain 'no ifb'
	ip -n see-m link set ifb9 up
	in_ns m tc qdisc add dev m0 ingress
	in_ns m tc filter add dev m0 parent ffff: protocol ip matchall \
		action mirred egress redirect dev ifb9 || complain 'no redirection'
	has_xdp='' count m0
	three 192.0.2.1
	has_xdp='' seen_is prerouting=all input=all
	[ -n "$has_xdp" ] || return
	m attach bl action count hook xdp dev m0 mode generic
	three 192.0.2.1
	m rules
	# Since 6.9 packets that come back have no Ethernet header.
	expected=6
	! since 6.9 || expected=3
	[[ $(awk '$2 == "xdp" { print $6 }' <<<"$out") = "$expected" ]] ||
		complain "not $expected: $out"
	m detach --all
}

test_replies() { # replies to connections of one's own are dropped, too
	routed
	m attach bl
	in_ns m ping -q -c 1 -W 1 192.0.2.2 >/dev/null &&
		complain 'a reply was not dropped'
	m detach bl
}

# tries NAMESPACE ADDRESS [SECONDS]: whether a connection to port 7777 comes about.
tries() {
	in_ns "$1" timeout "${3:-3}" bash -c "exec 3<>/dev/tcp/$2/7777" 2>/dev/null
}

# blocked NAMESPACE ADDRESS: no connection comes about, which takes milliseconds otherwise.
blocked() {
	! tries "$1" "$2" 1
}

# Python imports the module socket in a second here, so programs use _socket.
listener() {
	rm -f "$scratch/listens"
	in_ns "$1" python3 -IS -c '
import _socket
s = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
s.bind(("", 7777))
s.listen(9)
print(flush=True)
while True: _socket.close(s._accept()[0])' >"$scratch/listens" &
	listeners+=($!)
	for _ in {1..500}; do
		[ ! -s "$scratch/listens" ] || return
		sleep 0.02
	done
	complain 'the listener does not begin'
}

only_new() {
	tries m 192.0.2.2 || complain "$1: a connection to a listed host fails"
	blocked a 192.0.2.1 || complain "$1: a listed host connects"
}

test_only_new() { # the manual's recipes: only new connections are blocked
	listeners=()
	routed
	listener a
	listener m
	tries a 192.0.2.1 || complain 'no connection without rules'
	in_ns m iptables -A INPUT -m conntrack --ctstate NEW -m kcuckoo --match-filter bl src -j DROP
	only_new iptables
	in_ns m iptables -F INPUT
	tries a 192.0.2.1 || complain 'no connection after the recipe'
	m attach bl action mark=7
	in_ns m nft -f - <<-'END'
		table inet kcuckoo {
			chain input {
				type filter hook input priority 0;
				ct state new meta mark 7 drop
				meta mark 7 meta mark set 0
			}
		}
	END
	only_new nft
	in_ns m nft delete table inet kcuckoo
	tries a 192.0.2.1 || complain 'no connection after the recipe'
	m detach bl
	kill "${listeners[@]}"
	wait "${listeners[@]}" 2>/dev/null
}

# mark_chain RULE...: rules of nft after the one that drops connections with a mark.
mark_chain() {
	in_ns m nft -f - <<-END
		table inet kcuckoo {
			chain input {
				type filter hook input priority 0;
				tcp dport 7777 meta mark 7 drop
				$*
			}
		}
	END
}

test_tunnel_mark() { # the inner packet has the mark of the outer one, until it is reset
	listeners=()
	routed
	ipip
	listener m
	m attach bl action mark=7
	mark_chain
	blocked a 203.0.113.1 || complain 'the inner packet does not have the mark of the outer one'
	in_ns m nft delete table inet kcuckoo
	mark_chain meta mark 7 meta mark set 0
	tries a 203.0.113.1 || complain 'no connection from an inner source that is not listed'
	blocked a 192.0.2.1 || complain 'a listed host connects'
	in_ns m nft delete table inet kcuckoo
	m detach bl
	kill "${listeners[@]}"
	wait "${listeners[@]}" 2>/dev/null
}

# offload NETWORK: a connection from see-a to see-b that a flowtable forwards; echo_is tries it.
offload() {
	"$1"
	in_ns m nft -f - <<-'END'
		table inet t {
			flowtable f {
				hook ingress priority 0
				devices = { m0, m1 }
			}
			chain thru {
				type filter hook forward priority 0
				ip protocol tcp ct state established flow add @f
				counter accept
			}
		}
	END
	rm -f "$scratch/listens"
	in_ns b python3 -IS -c '
import _socket
s = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
s.bind(("", 7777))
s.listen(9)
print(flush=True)
while True:
    c = _socket.socket(fileno=s._accept()[0])
    while d := c.recv(100): c.send(d)' >"$scratch/listens" &
	listeners=($!)
	for _ in {1..500}; do
		[ ! -s "$scratch/listens" ] || break
		sleep 0.02
	done
	rm -f "$scratch/ask"
	mkfifo "$scratch/ask"
	in_ns a python3 -IS -c '
import _socket, sys
s = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
s.connect(("198.51.100.2", 7777))
s.settimeout(2)
for line in sys.stdin:
    done = 0
    try:
        for i in range(5):
            s.send(b"x")
            s.recv(1)
            done += 1
    except OSError:
        pass
    print(done, flush=True)' <"$scratch/ask" >"$scratch/answers" &
	listeners+=($!)
	exec {ask}>"$scratch/ask"
	echo_is 5
}

# echo_is COUNT: of five bytes that are sent so many come back.
echo_is() {
	local before

	before=$(wc -l <"$scratch/answers")
	echo >&"$ask"
	for _ in {1..1000}; do
		[ "$(wc -l <"$scratch/answers")" -gt "$before" ] && break
		sleep 0.02
	done
	[ "$(tail -n 1 "$scratch/answers")" = "$1" ] ||
		complain "$(tail -n 1 "$scratch/answers") of 5 echoes, not $1"
}

end_offload() {
	exec {ask}>&-
	kill "${listeners[@]}" 2>/dev/null
	wait "${listeners[@]}" 2>/dev/null
	m detach --all
	in_ns m nft delete table inet t
}

test_flowtable() { # an offloaded connection passes all hooks but ingress and xdp
	offload routed
	m attach bl
	m attach bl hook forward
	echo_is 5
	blocked a 198.51.100.2 || complain 'a new connection was not dropped'
	m attach bl hook ingress dev m0
	echo_is 0
	end_offload
	[ -n "$has_xdp" ] || return
	offload routed
	m attach bl hook xdp dev m0 mode generic
	echo_is 0
	end_offload
}

test_flowtable_vlan() { # the device below forwards packets past the rules of a VLAN device
	offload routed_vlan
	m attach bl hook ingress dev m0.5
	err_has "flowtable 'f' in table inet 't'" 'only hooks ingress and xdp of its devices'
	# The kernel forwards at the device below since 5.13.
	! since 5.13 || echo_is 5
	m attach bl hook ingress dev m0
	err_has_not flowtable
	echo_is 0
	end_offload
}

away
main "$0"
result=$?
away
[ "$result" = 0 ]
