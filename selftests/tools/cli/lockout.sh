#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Warnings before a rule locks its author out.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/harness.sh"

# A namespace with addresses, gateways and nothing else: networks come in tests.
ip netns add cli-lockout 2>/dev/null
ip -n cli-lockout link set lo up
ip -n cli-lockout link add dummy0 type dummy
ip -n cli-lockout link set dummy0 up
ip -n cli-lockout addr add 192.0.2.1/32 dev dummy0
ip -n cli-lockout addr add 2001:db8::1/128 dev dummy0 nodad
ip -n cli-lockout route add default via 192.0.2.254 dev dummy0 onlink
ip -n cli-lockout -6 route add default via 2001:db8::fe dev dummy0 onlink

# The name servers of the host that runs the machine are none of ours.
: >"$scratch/nothing"
mount --bind "$scratch/nothing" /etc/resolv.conf

g() {
	k -n cli-lockout "$@"
}

begin() {
	g detach --all
	g destroy bl
	g create bl
}

test_local() { # an address of this host, of either family
	begin
	g add bl 192.0.2.1
	err_has_not warning
	g attach bl
	status_is 0
	err_has 'warning: 192.0.2.1 in' 'covers 192.0.2.1, an address of this host' \
		'kcuckoo del bl 192.0.2.1'
	g add bl 2001:db8::/127
	status_is 0
	err_has 'warning: 2001:db8::/127 in' 'covers 2001:db8::1,'
	err_has_not 192.0.2.1
}

test_loopback() { # an address of this host may be on the loopback device
	begin
	ip -n cli-lockout addr add 203.0.113.9/32 dev lo
	ip -n cli-lockout addr add 2001:db8:9::9/128 dev lo
	g attach bl
	g add bl 127.0.0.1 ::1
	err_has_not covers
	g add bl 203.0.113.0/24 2001:db8:9::/48
	err_has 'covers 203.0.113.9, an address of this host' \
		'covers 2001:db8:9::9, an address of this host'
	ip -n cli-lockout addr del 203.0.113.9/32 dev lo
	ip -n cli-lockout addr del 2001:db8:9::9/128 dev lo
}

test_waiting() { # a filter that comes to a rule that waits
	begin
	g add bl 192.0.2.1
	g attach later
	g rename bl later
	status_is 0
	err_has 'warning: 192.0.2.1 in' 'covers 192.0.2.1, an address of this host'
	g detach later
	g rename later bl
	err_is_empty
}

test_waiting_allow() { # a rule that waits for what it spares, and no longer
	begin
	g add bl 192.0.2.0/24
	g attach bl allow good
	status_is 0
	err_has "there is no filter 'good'"
	err_has_not covers
	g add bl 192.0.2.1
	err_has_not covers
	g create good
	status_is 0
	err_has "192.0.2.1 in 'bl' covers 192.0.2.1, an address of this host"
	g detach bl
	g destroy good
}

test_allowed() { # what a rule spares is at no risk
	begin
	g create good
	g add bl 192.0.2.0/24
	g add good 192.0.2.1
	g attach bl allow good
	status_is 0
	err_has 'covers 192.0.2.254, the default gateway'
	err_has_not 'covers 192.0.2.1,'
	g detach bl
	g destroy good
}

test_stopped() { # what was added before the kernel took no more
	begin
	g destroy bl
	g create bl capacity 2
	g attach bl
	g add bl 192.0.2.1 198.51.100.1 198.51.100.2
	status_is 2
	err_has '2 of 3 keys were added' 'warning: 192.0.2.1 in' 'covers 192.0.2.1,'
	g add bl 198.51.100.2
	status_is 2
	err_has_not warning
	g flush bl
	printf '192.0.2.1\n198.51.100.1\n198.51.100.2\n' >"$scratch/list"
	g load bl "$scratch/list"
	status_is 2
	err_has '2 of 3 keys were added' 'warning: 192.0.2.1 in' 'covers 192.0.2.1,'
}

# spare: a rule that spares this host's address.
spare() {
	begin
	g create good
	g create other
	g add bl 192.0.2.0/25
	g add good 192.0.2.1 198.51.100.1
	g attach bl allow good
	err_is_spared
}

err_is_spared() {
	status_is 0
	err_has_not warning
}

err_is_lost() {
	status_is 0
	err_has "warning: 192.0.2.0/25 in 'bl' covers 192.0.2.1, an address of this host" \
		'kcuckoo del bl 192.0.2.0/25'
}

end() {
	g detach --all
	g destroy good
	g destroy other
}

test_spared() { # what a rule spares no longer
	spare
	g del good 198.51.100.1 203.0.113.1
	err_is_spared
	g del good 192.0.2.1 198.51.100.1
	err_is_lost
	g del good 192.0.2.1
	err_is_spared
	g add good 192.0.2.1
	err_is_spared
	g flush good
	err_is_lost
	g flush other
	err_is_spared
	g add other 192.0.2.0/24
	g swap good other
	err_is_spared
	g swap good other
	err_is_lost
	g merge good other
	err_is_spared
	g flush other
	g intersect good other
	err_is_lost
	end
}

test_spared_anew() { # where what a rule spares comes, or is replaced
	spare
	g flush other
	g save other "$scratch/saved"
	chmod 600 "$scratch/saved"
	g restore "$scratch/saved" as good --replace
	err_is_lost
	g detach bl
	g destroy good
	g attach bl allow good
	g create good
	err_is_lost
	g detach bl
	g destroy good
	g attach bl allow good
	g rename other good
	err_is_lost
	g create other type bytes capacity 9
	g detach bl
	g attach bl allow later
	g rename other later
	err_is_spared
	g flush later
	err_is_spared
	g detach bl
	g rename later other
	end
}

test_gateway() { # the default gateways
	begin
	g add bl 192.0.2.128/25 2001:db8::fe
	g attach bl
	status_is 0
	err_has '192.0.2.128/25 in' 'covers 192.0.2.254, the default gateway' \
		'2001:db8::fe in' 'covers 2001:db8::fe, the default gateway'
	err_has_not 'this host'
}

test_peer() { # the other end of the SSH connection
	begin
	g add bl 203.0.113.0/24
	export SSH_CONNECTION='203.0.113.9 50000 192.0.2.1 22'
	g attach bl
	unset SSH_CONNECTION
	status_is 0
	err_has '203.0.113.0/24 in' 'covers 203.0.113.9, the other end'
}

test_sudo() { # the variable is found where sudo took it away
	begin
	g add bl 203.0.113.0/24
	SSH_CONNECTION='203.0.113.9 50000 192.0.2.1 22' bash -c '
		env -u SSH_CONNECTION kcuckoo -n cli-lockout attach bl; :' \
		2>"$scratch/err"
	err=$(<"$scratch/err")
	last='attach under sudo'
	err_has 'covers 203.0.113.9, the other end'
}

test_most_specific() { # the closest of several members is named
	begin
	g add bl 0.0.0.0/0 192.0.0.0/8 192.0.2.0/30
	g attach bl
	err_has '192.0.2.0/30 in' 'covers 192.0.2.1,' '192.0.0.0/8 in' \
		'covers 192.0.2.254,'
}

test_load() { # into a filter that is attached
	begin
	g attach bl
	err_has_not warning
	printf '192.0.0.0/16\n' >"$scratch/list"
	g load bl "$scratch/list"
	status_is 0
	err_has 'warning: 192.0.0.0/16 in' 'covers 192.0.2.1,'
	g -q load bl "$scratch/list"
	err_has warning
}

test_swap() { # a list that goes live by a swap, under either name
	begin
	g create new
	g add new 203.0.113.0/24 198.51.100.1
	g attach bl
	err_has_not warning
	export SSH_CONNECTION='203.0.113.9 50000 192.0.2.1 22'
	g swap bl new
	status_is 0
	err_has "warning: 203.0.113.0/24 in 'bl' covers 203.0.113.9, the other end" \
		'kcuckoo del bl 203.0.113.0/24'
	g swap bl new
	status_is 0
	err_is_empty
	g swap new bl
	status_is 0
	err_has "warning: 203.0.113.0/24 in 'bl' covers 203.0.113.9,"
	unset SSH_CONNECTION
	g detach bl
	g destroy new
}

test_sets() { # what merge and intersect leave in a filter that is attached
	begin
	g create other
	g add other 192.0.2.1 198.51.100.1
	g attach bl
	err_has_not warning
	g merge bl other
	status_is 0
	err_has 'warning: 192.0.2.1 in' 'covers 192.0.2.1, an address of this host'
	g intersect bl other
	status_is 0
	err_has 'warning: 192.0.2.1 in'
	g destroy other
}

test_add_own() { # an add warns of its own keys only
	begin
	g attach bl
	g add bl 192.0.2.0/24
	err_has warning
	g add bl 198.51.100.1
	err_has_not warning
}

test_silence() { # no warning for count, forward, another family, others
	begin
	g add bl 192.0.2.0/24 127.0.0.0/8 ::1 198.51.100.0/24
	g attach bl action count
	err_is_spared
	g attach bl hook forward
	err_is_spared
	g attach bl hook input family ipv6
	err_is_spared
	begin
	g add bl 198.51.100.0/24 127.0.0.0/8
	g attach bl
	err_is_spared
}

test_destination() { # rules on destinations: what they would cut off
	begin
	g add bl 192.0.2.0/24
	g attach bl hook input match dst
	err_has 'covers 192.0.2.1, an address of this host' 'packets to it'
	err_has_not gateway
	g attach bl hook output match dst
	err_has 'covers 192.0.2.254, the default gateway' 'packets to it'
	err_has_not 'this host'
}

# networks COMMAND: a network of either family, which 'ip addr' adds or deletes.
networks() {
	ip -n cli-lockout addr "$1" 10.29.120.1/24 dev dummy0
	ip -n cli-lockout addr "$1" 2001:db8:1::1/64 dev dummy0 ${2:+nodad}
}

# warnings_are COUNT: so many were given.
warnings_are() {
	[ "$(grep -c 'warning:' <<<"$err")" = "$1" ] ||
		complain "$last: not $1 warnings: $err"
}

test_network() { # another host of a connected network, of either family
	begin
	networks add nodad
	g attach bl
	g add bl 10.29.120.50
	status_is 0
	err_has "warning: 10.29.120.50 in 'bl' lies in 10.29.120.0/24, the network of dummy0" \
		'kcuckoo del bl 10.29.120.50' "a rule with 'allow NAME2'"
	g add bl 10.29.121.50 198.51.100.1
	err_has_not warning
	g add bl 2001:db8:1::50
	err_has "2001:db8:1::50 in 'bl' lies in 2001:db8:1::/64, the network of dummy0"
	warnings_are 1
	printf '10.29.120.%d\n' {50..99} >"$scratch/list"
	g load bl "$scratch/list"
	err_has "10.29.120.50 and 49 more members in 'bl' lie in 10.29.120.0/24"
	warnings_are 2
	g detach bl
	g attach bl hook output match dst
	warnings_are 2
	g detach bl
	g attach bl hook forward
	warnings_are 2
	g detach bl
	g attach bl hook input match dst
	err_has_not warning
	networks del
}

test_network_whole() { # a member that covers a connected network
	begin
	networks add nodad
	g create lan
	g attach bl allow lan
	g add lan 10.29.120.1
	g add bl 10.0.0.0/8
	err_has "10.0.0.0/8 in 'bl' covers 10.29.120.0/24, the network of dummy0" \
		'kcuckoo add lan 10.29.120.0/24'
	warnings_are 1
	# Where an address of the network is named, that does.
	g del lan 10.29.120.1
	err_has "10.0.0.0/8 in 'bl' covers 10.29.120.1, an address of this host"
	warnings_are 1
	g add lan 10.29.120.0/24
	g add bl 10.29.120.50
	err_has_not warning
	g del lan 10.29.120.0/24
	err_has "10.0.0.0/8 in 'bl' covers 10.29.120.1, an address of this host"
	warnings_are 1
	g del bl 10.0.0.0/8
	g detach bl
	g attach bl allow lan
	err_has "10.29.120.50 in 'bl' lies in 10.29.120.0/24" \
		'kcuckoo add lan 10.29.120.50'
	warnings_are 1
	g detach bl
	g destroy lan
	networks del
}

test_network_swap() { # a list with hosts of a connected network that goes live by a swap
	begin
	networks add nodad
	g create new
	g add new 10.29.120.50 10.29.120.64/26
	err_has_not warning
	g attach bl
	g swap bl new
	err_has "10.29.120.50 and 1 more member in 'bl' lie in 10.29.120.0/24"
	warnings_are 1
	g swap bl new
	err_has_not warning
	g detach bl
	g destroy new
	networks del
}

test_unspecified() { # hosts that have no address yet
	begin
	g attach bl
	g add bl 0.0.0.0/8
	err_has "0.0.0.0/8 in 'bl' covers 0.0.0.0, the source of DHCP requests"
	g add bl ::
	err_has ":: in 'bl' covers ::, the source of IPv6 duplicate address detection"
	g detach bl
	g attach bl hook output
	err_has duplicate
	warnings_are 1
}

test_link_local() { # neighbour discovery, once for all devices
	begin
	ip -n cli-lockout link add dummy1 type dummy
	ip -n cli-lockout link set dummy1 up
	g attach bl
	g add bl fe80::/10
	err_has "fe80::/10 in 'bl' covers fe80::/64, the link-local addresses"
	warnings_are 1
	g add bl fe80::1
	err_has "fe80::1 in 'bl' lies in fe80::/64, the link-local addresses"
	warnings_are 1
	ip -n cli-lockout link del dummy1
}

test_resolver() { # name servers, also those that a name server of this host asks
	local address

	begin
	g attach bl
	mkdir -p /run/systemd/resolve
	printf '# nameserver 203.0.113.1\nnameserver 203.0.113.53\nnameserver fe80::1%%eth0\n' \
		>"$scratch/resolv.conf"
	mount --bind "$scratch/resolv.conf" /etc/resolv.conf
	g add bl 203.0.113.0/24
	err_has "203.0.113.0/24 in 'bl' covers 203.0.113.53, a name server listed in /etc/resolv.conf"
	warnings_are 1
	printf 'nameserver 203.0.113.54\n' >/run/systemd/resolve/resolv.conf
	for address in 127.0.0.53 127.1 ::1 0:0:0:0:0:0:0:1; do
		printf 'nameserver %s\noptions edns0\n' "$address" >"$scratch/resolv.conf"
		g detach bl
		g attach bl
		err_has 'covers 203.0.113.54, a name server listed in /run/systemd/resolve/resolv.conf'
		warnings_are 1
	done
	umount /etc/resolv.conf
	rm -r /run/systemd/resolve
}

test_dhcp() { # the servers of leases, in the forms of four programs
	begin
	g add bl 203.0.113.0/24
	mount -t tmpfs none /var/lib
	mkdir -p /run/systemd/netif/leases /var/lib/{NetworkManager,dhcp,dhcpcd}
	printf 'ADDRESS=192.0.2.1\nSERVER_ADDRESS=203.0.113.1\n' >/run/systemd/netif/leases/2
	printf 'SERVER_ADDRESS=203.0.113.2\n' >/var/lib/NetworkManager/internal-x-eth0.lease
	{
		printf 'lease {\n  option dhcp-server-identifier 203.0.113.9;\n}\n'
		printf 'lease {\n  option dhcp-server-identifier 203.0.113.3;\n}\n'
	} >/var/lib/dhcp/dhclient.eth0.leases
	{
		head -c 236 /dev/zero
		printf '\x63\x82\x53\x63\x35\x01\x05\x00\x36\x04\xcb\x00\x71\x04\xff'
	} >/var/lib/dhcpcd/eth0.lease
	printf 'SERVER_ADDRESS=x\n' >/run/systemd/netif/leases/3
	head -c 300 /dev/urandom >/var/lib/dhcpcd/eth1.lease
	g attach bl
	err_has 'covers 203.0.113.1, the DHCP server in the lease file /run/systemd/netif/leases/2' \
		'covers 203.0.113.2, the DHCP server in the lease file /var/lib/NetworkManager/internal-x-eth0.lease' \
		'covers 203.0.113.3, the DHCP server in the lease file /var/lib/dhcp/dhclient.eth0.leases' \
		'covers 203.0.113.4, the DHCP server in the lease file /var/lib/dhcpcd/eth0.lease'
	warnings_are 4
	umount /var/lib
	rm -r /run/systemd/netif
}

test_roles() { # an address that is several things is named once
	begin
	printf 'nameserver 192.0.2.254\n' >"$scratch/resolv.conf"
	mount --bind "$scratch/resolv.conf" /etc/resolv.conf
	g add bl 192.0.2.254
	g attach bl
	err_has 'covers 192.0.2.254, the default gateway and a name server listed in /etc/resolv.conf'
	warnings_are 1
	umount /etc/resolv.conf
}

test_few() { # the number of warnings has an end
	local i

	begin
	for i in {1..30}; do
		ip -n cli-lockout addr add "10.1.$i.1/24" dev dummy0
	done
	g attach bl
	g add bl 10.0.0.0/8
	err_has 'warning: and 20 more such warnings'
	warnings_are 11
	for i in {1..30}; do
		ip -n cli-lockout addr del "10.1.$i.1/24" dev dummy0
	done
}

main "$0"
result=$?
umount /etc/resolv.conf
ip netns del cli-lockout
[ "$result" = 0 ]
