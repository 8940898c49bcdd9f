#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# attach, detach and rules of hook xdp, and what becomes of a rule whose device,
# program, filter or module goes.

# shellcheck source=selftests/tools/cli/harness.sh
. "$(dirname "$0")/../../tools/cli/harness.sh"

if [ ! -e /sys/kernel/btf/vmlinux ]; then
	echo 'TAP version 13'
	echo '1..0 # SKIP this kernel has no BTF'
	exit 4
fi
if [ "$(uname -r | cut -d. -f1)" -lt 6 ]; then
	echo 'TAP version 13'
	echo '1..0 # SKIP BPF programs cannot call a module of this kernel'
	exit 4
fi

# Devices that every test finds new.
begin() {
	ip link del v0 2>/dev/null
	# A namespace that goes takes some time to take v0 along.
	ip link del v1 2>/dev/null
	ip link add v0 type veth peer name v1
	ip link set v0 up
	ip link set v1 up
	k create bl
}

attached() {
	k attach bl hook xdp dev v0 "$@"
	status_is 0
}

program_is() {
	local what=$1

	ip -d link show v0 | grep -q "$what" ||
		complain "no '$what' in $(ip -d link show v0)"
}

no_program() {
	! ip -d link show v0 | grep -q prog/xdp ||
		complain "a program is left: $(ip -d link show v0)"
}

destroyed() {
	k destroy bl
	status_is 0
}

test_list() { # a rule is listed with its device
	begin
	attached
	out_is ''
	err_has 'attached bl: hook xdp dev v0 family both match src action drop'
	program_is 'xdp '
	k rules
	[[ $out =~ bl\ +xdp\ +both\ +src\ +drop\ +0\ +0\ +dev\ v0$ ]] ||
		complain "listed as: $out"
	k -j rules
	[[ $out == *'"hook": "xdp"'*'"dev": "v0"'* ]] || complain "listed as: $out"
	k detach bl
	status_is 0
	err_has '1 rule removed'
	no_program
	k rules
	out_is ''
	destroyed
}

test_escapes() { # what a terminal would obey in the name of a device is told, not sent
	local device=$'d\e[1m'

	begin
	ip link add "$device" type dummy
	loader_holds bl "$device"
	k attach bl hook xdp dev "$device" mode native
	refused "driver of 'd\\x1b[1m' has no XDP"
	err_has_not $'\e'
	k attach bl hook xdp dev "$device"
	status_is 0
	err_has 'hook xdp dev d\x1b[1m family' "'d\\x1b[1m' held 'bl' before"
	err_has_not $'\e'
	k attach bl hook xdp dev "$device"
	refused "'d\\x1b[1m' has a rule" "hook xdp dev d\\x1b[1m'"
	err_has_not $'\e'
	k rules
	[[ $out == *'dev d\x1b[1m' && $out != *$'\e'* ]] || complain "listed as: $out"
	k detach bl hook xdp dev "$device"
	status_is 0
	err_has "'d\\x1b[1m' still holds 'bl'"
	err_has_not $'\e'
	ip link set dev "$device" xdpgeneric obj pass.bpf.o sec xdp
	k attach bl hook xdp dev "$device"
	refused "'ip link set dev d\\x1b[1m xdpgeneric off'"
	err_has_not $'\e'
	ip link del "$device"
	destroyed
}

test_modes() { # in the driver, or behind it; the device chooses
	begin
	attached mode generic
	program_is xdpgeneric
	k detach bl hook xdp
	no_program
	attached mode native
	program_is 'xdp '
	k detach bl hook xdp dev v0
	ip link add d0 type dummy
	k attach bl hook xdp dev d0 mode native
	refused "driver of 'd0' has no XDP" 'mode generic'
	k attach bl hook xdp dev d0
	status_is 0
	k detach bl
	ip link del d0
	destroyed
}

test_refused() { # what cannot be is told, and leaves nothing behind
	begin
	k attach bl hook xdp
	refused 'hook xdp needs a device'
	k attach bl hook xdp dev nothing
	refused "no network device 'nothing'"
	k attach bl hook xdp dev lo
	refused loopback
	k attach bl hook xdp dev v0 mode fast
	refused 'mode'
	k attach bl hook xdp dev v0 action mark=5
	refused 'drop and count'
	k attach bl dev v0
	refused 'hook prerouting has no device'
	k attach bl mode native
	refused 'hook prerouting has no modes'
	k create bytes type bytes capacity 100 bits 12
	k attach bytes hook xdp dev v0
	refused 'byte strings'
	k detach bl hook xdp dev v0
	refused 'no such rule'
	k detach bl hook xdp dev nothing
	refused "no network device 'nothing'"
	no_program
	destroyed
}

# refuses DEVICE TYPE: a device whose packets have no Ethernet header is refused in
# every mode, with what works there; and that does work.
refuses() {
	local mode

	for mode in '' 'mode native' 'mode generic'; do
		# shellcheck disable=SC2086
		k attach bl hook xdp dev "$1" $mode
		refused "packets of '$1' ($2) have no Ethernet header" \
			"hook ingress works there: 'kcuckoo attach bl hook ingress dev $1'"
	done
	! ip -d link show "$1" | grep -q prog/xdp || complain "a program is on $1"
	k attach bl hook ingress dev "$1"
	status_is 0
	k detach bl hook ingress dev "$1"
	status_is 0
}

# made DEVICE ARGUMENT...: make a device; one that the kernel does not have is left out.
made() {
	ip link add "$@" 2>"$scratch/made" && return
	[ "$KCUCKOO_KERNEL" != stock ] ||
		complain "no device $1: $(<"$scratch/made")"
	return 1
}

test_no_ethernet() { # devices without an Ethernet header are refused by their type
	begin
	ip addr add 192.0.2.1/24 dev v0
	ip tuntap add dev n0 mode tun
	refuses n0 'no link layer, tun'
	ip link del n0
	if made n0 type wireguard; then
		refuses n0 'no link layer, wireguard'
		ip link del n0
	fi
	if made n0 type ipip local 192.0.2.1 remote 192.0.2.2; then
		refuses n0 'IPv4 tunnel, ipip'
		ip link del n0
	fi
	if made n0 type sit local 192.0.2.1 remote 192.0.2.2; then
		refuses n0 'IPv6 in IPv4, sit'
		ip link del n0
	fi
	if made n0 type gre local 192.0.2.1 remote 192.0.2.2; then
		refuses n0 'GRE over IPv4, gre'
		ip link del n0
	fi
	if made n0 type ip6tnl local 2001:db8::1 remote 2001:db8::2; then
		refuses n0 'IPv6 tunnel, ip6tnl'
		ip link del n0
	fi
	if made n0 type vti local 192.0.2.1 remote 192.0.2.2 key 1; then
		refuses n0 'IPv4 tunnel, vti'
		ip link del n0
	fi
	if made n0 type gretap local 192.0.2.1 remote 192.0.2.2; then
		k attach bl hook xdp dev n0
		status_is 0
		k detach bl
		ip link del n0
	fi
	destroyed
}

test_vrf() { # a VRF is refused, the devices in it are not
	begin
	if made r0 type vrf table 10; then
		ip link set r0 up
		ip link set v0 master r0
		for mode in native generic; do
			k attach bl hook xdp dev r0 mode $mode
			refused "'r0' is a VRF" 'without the Ethernet header' \
				"'kcuckoo attach bl hook ingress dev DEV'"
		done
		attached
		k detach bl
		ip link del r0
	fi
	destroyed
}

test_type_changes() { # a bond takes the type of what it enslaves
	begin
	if made b0 type bond mode active-backup fail_over_mac active &&
		made n0 type ipip local 192.0.2.1 remote 192.0.2.2; then
		k attach bl hook xdp dev b0 mode generic
		status_is 0
		k rules
		[[ $out == *'dev b0' ]] || complain "listed as: $out"
		ip link set n0 master b0 || complain 'b0 does not take n0'
		k rules
		[[ $out == *'dev b0  no Ethernet' ]] || complain "listed as: $out"
		k -j rules
		[[ $out == *'"active": false,'*'"no_ethernet": true,'* ]] ||
			complain "listed as: $out"
		k detach bl hook xdp dev b0
		status_is 0
		k attach bl hook xdp dev b0 mode generic
		refused "packets of 'b0' (IPv4 tunnel, bond) have no Ethernet header"
	fi
	ip link del b0 2>/dev/null
	ip link del n0 2>/dev/null
	destroyed
}

test_never_replaced() { # neither our own program nor another one
	begin
	k create other
	attached
	k attach bl hook xdp dev v0
	refused "'v0' has a rule of hook xdp already, for 'bl'" 'kcuckoo detach bl'
	k attach other hook xdp dev v0
	refused "for 'bl'"
	k detach bl
	ip link set dev v0 xdp obj pass.bpf.o sec xdp
	k attach bl hook xdp dev v0
	refused "another XDP program" 'not replaced'
	k detach bl hook xdp dev v0
	refused 'no such rule'
	k rules
	out_is ''
	program_is 'xdp '
	ip link set dev v0 xdp off
	destroyed
}

test_exist() { # attach --exist is quiet about the rule of the device, and names all that differs
	local jobs=()

	begin
	k create other
	for _ in {1..4}; do
		kcuckoo -q attach --exist bl hook xdp dev v0 mode native &
		jobs+=($!)
	done
	all_succeed "${jobs[@]}"
	k attach bl hook xdp dev v0 --exist
	status_is 0
	err_is_empty
	k attach bl hook xdp dev v0 --exist mode native
	status_is 0
	k attach bl hook xdp dev v0 --exist mode generic match dst family ipv4 \
		action count allow other
	refused "'bl' has a rule with other parameters: hook xdp dev v0" \
		'mode: requested generic, is native' 'match: requested dst, is src' \
		'family: requested ipv4, is both' 'action: requested count, is drop' \
		'allow: requested other, is none'
	k attach other hook xdp dev v0 --exist
	refused "'v0' has a rule of hook xdp already, for 'bl'"
	k detach bl
	status_is 0
	attached --exist mode generic
	program_is xdpgeneric
	k attach bl hook xdp dev v0 --exist mode native
	refused 'mode: requested native, is generic'
	k detach bl
	k destroy other
	destroyed
}

test_off() { # what is told to remove another program does, in either mode
	local mode

	begin
	for mode in xdpdrv xdpgeneric; do
		ip link set dev v0 "$mode" obj pass.bpf.o sec xdp
		k attach bl hook xdp dev v0
		refused "another XDP program" "'ip link set dev v0 $mode off' removes it"
		eval "$(sed -n "s/.*'\(ip link set .* off\)' removes it$/\1/p" <<<"$err")"
		no_program
	done
	destroyed
}

test_busy() { # a filter that a program uses stays, and says who has it
	begin
	attached
	k destroy bl
	refused "cannot destroy 'bl'" 'hook xdp dev v0'
	k rename bl new
	refused "cannot rename 'bl'"
	k detach bl dev v0
	status_is 0
	destroyed
}

# pings_from N SECONDS: packets from an address of v1, which has been moved away; is
# one answered in time?
pings_from() {
	ip netns exec away ping -n -q -c 1 -w "$2" -I "192.0.2.$1" 192.0.2.1 >/dev/null 2>&1
}

# dropped N: one packet from 192.0.2.9 is dropped, which makes N of them.
dropped() {
	! ip netns exec away ping -n -q -c 1 -W 0.3 -I 192.0.2.9 192.0.2.1 >/dev/null 2>&1 ||
		complain 'a listed packet was answered'
	k -j rules
	[[ $out == *"\"packets\": $1,"* ]] || complain "not $1 packets: $out"
	pings_from 10 20 || complain 'a packet that is not listed was dropped'
}

test_unload() { # the module stays while a program uses it, which goes on dropping
	begin
	ip netns add away
	ip link set v1 netns away
	ip -n away addr add 192.0.2.9/24 dev v1
	ip -n away addr add 192.0.2.10/24 dev v1
	ip -n away link set v1 up
	ip addr add 192.0.2.1/24 dev v0
	k add bl 192.0.2.9
	pings_from 9 20 || complain 'a packet was dropped without a rule'
	attached
	dropped 1
	! rmmod kcuckoo 2>"$scratch/rmmod" || complain 'the module went'
	grep -q ' kcuckoo is in use$' "$scratch/rmmod" ||
		complain "another reason: $(<"$scratch/rmmod")"
	dropped 2
	k detach bl
	pings_from 9 20 || complain 'a packet was dropped after detach'
	unloads kcuckoo
	modprobe kcuckoo
	ip netns del away
}

test_device_gone() { # a rule ends with its device
	begin
	attached
	ip link del v0
	k rules
	out_is ''
	destroyed
	begin
	attached
	ip netns add away
	ip link set v0 netns away
	destroyed
	ip netns del away
}

test_moved() { # a rule that moves with its device matches nothing, and can be removed
	begin
	ip netns add away
	k -n away create bl
	k -n away create good
	k create good
	attached allow good
	ip link set v0 netns away
	destroyed
	k destroy good
	status_is 0
	k rules
	out_is ''
	ip -n away addr add 192.0.2.9/24 dev v0
	ip netns exec away ./hold bl v0 >/dev/null || complain 'v0 does not hold bl'
	k -n away add bl 192.0.2.9
	status_is 0
	err_has_not warning
	k -n away rules
	[[ $out == *'dev v0  allow good  dead' ]] || complain "listed as: $out"
	k -n away -j rules
	[[ $out == *'"active": false, "waiting": false, "dev_waiting": false, "dead": true,'* ]] ||
		complain "listed as: $out"
	k -n away destroy bl
	refused "cannot destroy 'bl'" '1 more user: iptables, BPF programs'
	err_has_not 'hook xdp dev v0 family'
	k -n away detach bl
	status_is 0
	err_has '1 rule removed'
	! ip -n away -d link show v0 | grep -q prog/xdp || complain 'a program is left'
	k -n away destroy bl
	refused "cannot destroy 'bl'"
	ip netns del away
}

test_removed_by_others() { # the name is held until it is detached
	begin
	attached
	ip link set dev v0 xdp off
	k rules
	out_is ''
	k destroy bl
	refused "cannot destroy 'bl'" "'kcuckoo detach bl hook xdp dev DEV'"
	attached
	ip link set dev v0 xdp off
	k detach bl
	refused 'no such rule'
	k detach bl hook xdp family both
	refused 'no such rule'
	k detach bl hook xdp dev v1
	refused 'no such rule'
	k detach bl hook xdp dev v0
	status_is 0
	err_has "1 device released 'bl', which no rule there used"
	destroyed
}

# loader_holds NAME DEVICE: as the loader of somebody's program has it.
loader_holds() {
	./hold "$1" "$2" >"$scratch/number" || complain "$2 does not hold $1"
}

test_failing() { # an attach that fails lets go of what it took, and no more
	begin
	k create good
	ip link add d0 type dummy
	loader_holds bl d0
	k attach bl hook xdp dev d0 allow good mode native
	refused "driver of 'd0' has no XDP"
	k destroy good
	status_is 0
	k destroy bl
	refused "cannot destroy 'bl'" '1 more user: iptables, BPF programs'
	k create good
	loader_holds good v0
	k attach bl hook xdp dev d0 allow good mode native
	refused "driver of 'd0' has no XDP"
	k attach bl hook xdp dev v0 allow good
	status_is 0
	err_has "'v0' held 'good' before this rule"
	k detach bl
	status_is 0
	err_has "'v0' still holds 'good': 'kcuckoo detach good hook xdp dev v0' releases it"
	ip link del d0
	destroyed
	k destroy good
	refused "cannot destroy 'good'"
	ip link del v0
	k destroy good
	status_is 0
}

test_left_beside() { # what was left behind is released beside another rule
	begin
	k create good
	k create two
	k create three
	attached allow good
	ip link set dev v0 xdp off
	k attach two hook xdp dev v0 allow three
	status_is 0
	k detach bl dev v0
	refused 'no such rule'
	k detach bl hook xdp dev v0
	status_is 0
	err_has "1 device released 'bl', which no rule there used"
	destroyed
	k detach good hook xdp dev v0
	status_is 0
	k destroy good
	status_is 0
	k detach two hook xdp family ipv4
	refused 'no such rule'
	k detach three hook xdp dev v0
	refused 'no such rule'
	program_is 'xdp '
	k destroy three
	refused "cannot destroy 'three'"
	k destroy two
	refused "cannot destroy 'two'"
}

test_held_by_others() { # what a loader has the device hold is released by name alone
	begin
	loader_holds bl v0
	k attach bl hook input
	k detach bl
	status_is 0
	err_has '1 rule removed'
	k detach bl dev v0
	refused 'no such rule'
	k detach --all
	refused 'there are no rules'
	ip link set dev v0 xdp obj pass.bpf.o sec xdp
	k detach bl
	refused 'no such rule'
	k destroy bl
	refused "cannot destroy 'bl'" '1 more user: iptables, BPF programs' \
		"'kcuckoo detach bl hook xdp dev DEV'"
	k detach bl hook xdp
	status_is 0
	program_is 'xdp '
	destroyed
}

test_held_before() { # a rule leaves what a loader had the device hold before it
	local first

	begin
	k create good
	loader_holds bl v0
	first=$(<"$scratch/number")
	loader_holds bl v0
	[ "$(<"$scratch/number")" = "$first" ] || complain 'another number'
	attached allow good
	err_has "'v0' held 'bl' before"
	err_has_not "held 'good'"
	k detach bl
	err_has '1 rule removed'
	k destroy good
	status_is 0
	k destroy bl
	refused "cannot destroy 'bl'"
	k create good
	loader_holds good v0
	k detach bl hook xdp dev v0
	attached allow good
	err_has "'v0' held 'good' before"
	k detach bl hook xdp dev v0
	err_has '1 rule removed'
	destroyed
	k destroy good
	refused "cannot destroy 'good'"
	k detach good hook xdp
	k destroy good
	status_is 0
}

test_fields() { # detach takes what fits, on every device
	begin
	k create two
	attached family ipv4
	k attach two hook xdp dev v1 match dst action count
	status_is 0
	k attach bl hook input
	k detach bl hook xdp family ipv6
	refused 'no such rule'
	k detach bl match dst
	refused 'no such rule'
	k detach bl hook prerouting
	refused 'no such rule'
	k rules
	[ "$(wc -l <<<"$out")" = 4 ] || complain "not three rules: $out"
	# In the order in which packets meet them.
	[[ $out == *' xdp '*' xdp '*' input '* ]] || complain "order: $out"
	k detach bl
	err_has '2 rules removed'
	k detach --all
	err_has '1 rule removed'
	no_program
	k detach --all
	refused 'there are no rules'
}

test_half_detached() { # what was removed before an error is told
	begin
	attached
	k attach bl hook input
	k attach bl hook output
	export LD_PRELOAD=$PWD/refuse.so
	k detach bl
	unset LD_PRELOAD
	refused "cannot detach 'bl' from 'v0'" 'busy' '2 rules were removed;' \
		'kcuckoo rules'
	k rules
	[[ $out == *xdp* && $out != *put* ]] || complain "left are: $out"
	k detach bl
	status_is 0
	err_has '1 rule removed'
	no_program
	destroyed
}

test_unprivileged() { # a program that cannot be looked at stays, and so does its filter
	begin
	attached
	k attach bl hook input
	# Here CAP_BPF and all others are left.
	kcuckoo() { setpriv --bounding-set -sys_admin kcuckoo "$@"; }
	k rules
	status_is 0
	[[ $out == *input* ]] || complain "listed as: $out"
	err_has "warning: cannot inspect the program on 'v0'" 'CAP_SYS_ADMIN'
	k detach bl hook xdp dev v0
	refused "cannot inspect the program on 'v0'" 'CAP_SYS_ADMIN'
	k attach bl hook xdp dev v0
	refused "cannot inspect the program on 'v0'" 'CAP_SYS_ADMIN'
	k attach bl hook xdp dev v1
	refused 'rejects the XDP program' 'CAP_SYS_ADMIN'
	k detach bl
	refused "cannot inspect the program on 'v0'" '1 rule was removed;'
	unset -f kcuckoo
	program_is 'xdp '
	k destroy bl
	refused 'hook xdp dev v0'
	k detach bl
	status_is 0
	no_program
	destroyed
}

test_no_devices() { # what can be done without a list of the devices is done
	begin
	ip addr add 192.0.2.9/24 dev v0
	k attach bl hook input
	attached
	export LD_PRELOAD=$PWD/devices.so
	k rules
	status_is 0
	[[ $out == *input* ]] || complain "listed as: $out"
	err_has 'warning: cannot list the network devices' 'open files'
	k add bl 198.51.100.7
	status_is 0
	err_has_not 'cannot list the network devices'
	k add bl 192.0.2.9
	status_is 0
	err_has 'cannot list the network devices' 'covers 192.0.2.9, an address of this host'
	k create unused
	k rename unused other
	k create unused
	k swap unused other
	status_is 0
	err_is_empty
	k destroy bl
	refused "cannot destroy 'bl'" 'hook input' 'cannot list the network devices'
	k detach bl
	refused 'cannot list the network devices' '1 rule was removed;'
	unset LD_PRELOAD
	program_is 'xdp '
	export LD_PRELOAD=$PWD/devices.so
	k detach bl hook xdp dev v0
	unset LD_PRELOAD
	status_is 0
	no_program
	destroyed
}

# asked: how often the command opens a socket to ask for devices, to list the rules.
asked() {
	rm -f "$COUNTED"
	LD_PRELOAD=$PWD/counted.so k rules
	[[ $out == *'dev v0' ]] || complain "listed as: $out"
	stat -c %s "$COUNTED"
}

# devices FROM TO: make those of these numbers.
devices() {
	seq -f 'link add many%g type dummy' "$1" "$2" | ip -batch - ||
		complain "not $2 devices"
}

test_many_devices() { # many devices are listed once, and not once for each
	local few many
	export COUNTED=$scratch/counted

	begin
	attached
	few=$(asked)
	devices 1 40
	many=$(asked)
	echo "# asked $few times for the rules of 1 device, $many times for 41"
	# A list is asked for again where a device comes or goes meanwhile.
	[[ $few -ge 1 && $many -le $((few + 10)) ]] ||
		complain "asked $few times, with more devices $many times"
	k detach bl
	err_has '1 rule removed'
	ip link del v0
	seq -f 'link del many%g' 1 40 | ip -batch - || complain 'devices are left'
	destroyed
}

test_renamed() { # the program comes onto the device that holds the name
	begin
	export LD_PRELOAD=$PWD/renamed.so
	attached
	unset LD_PRELOAD
	program_is 'xdp '
	k detach bl hook xdp dev v0
	status_is 0
	no_program
	destroyed
}

# stops ARGUMENT...: a command that comes to a stop while the device holds the name
# and has no program.
stops() {
	LD_PRELOAD=$PWD/stop.so kcuckoo -q "$@" 2>/dev/null &
	stopped=$!
	for _ in {1..600}; do
		grep -q '^State:.T' "/proc/$stopped/status" && return
		sleep 0.1
	done
	complain "does not stop: kcuckoo $*"
}

# beside ARGUMENT...: run the command meanwhile, until it has ended or waits for the
# other one; then let both go on.
beside() {
	local process

	kcuckoo -q "$@" 2>/dev/null &
	process=$!
	for _ in {1..600}; do
		kill -0 $process 2>/dev/null || break
		grep -q -e "-> FLOCK .* $process " /proc/locks && break
		sleep 0.1
	done
	kill -CONT "$stopped"
	wait "$stopped" $process
}

# What is there after that: a rule whose filter cannot be destroyed ...
kept() {
	program_is 'xdp '
	k rules
	[[ $out == *'dev v0' ]] || complain "listed as: $out"
	k destroy bl
	refused "cannot destroy 'bl'" 'hook xdp dev v0'
	k detach bl
	status_is 0
	err_has '1 rule removed'
	gone
}

# ... or none, and a filter that can.
gone() {
	no_program
	destroyed
	k create bl
}

# killed ARGUMENT...: a command that is asked to end just then
killed() {
	stops "$@"
	kill -TERM "$stopped"
	kill -CONT "$stopped"
	wait "$stopped"
	status=$?
	last="kcuckoo $* and SIGTERM"
	status_is $((128 + $(kill -l TERM)))
}

test_signals() { # come when the device holds what a program tells of, and nothing else
	begin
	killed attach bl hook xdp dev v0
	kept
	attached
	killed detach bl
	gone
}

test_beside_attach() { # nobody lets go of a name before the program has come
	begin
	stops attach bl hook xdp dev v0
	beside attach bl hook xdp dev v0
	kept
	stops attach bl hook xdp dev v0
	beside detach bl hook xdp dev v0
	gone
}

test_beside_detach() { # nobody counts on a name that is about to be let go
	begin
	attached
	stops detach bl
	beside attach bl hook xdp dev v0
	kept
	attached
	stops detach --all
	beside detach bl hook xdp dev v0
	gone
}

test_turn() { # who waits for others says so
	local process

	begin
	exec 9<>/dev/kcuckoo
	flock 9
	kcuckoo attach bl hook xdp dev v0 2>"$scratch/turn" 9>&- &
	process=$!
	for _ in {1..600}; do
		! grep -q -e "-> FLOCK .* $process " /proc/locks || break
		sleep 0.1
	done
	last='kcuckoo attach beside a lock'
	err=$(<"$scratch/turn")
	err_has '/dev/kcuckoo is locked: waiting for other commands'
	flock -u 9
	exec 9>&-
	wait $process || complain "$last: $(<"$scratch/turn")"
	k detach bl
	status_is 0
	err_has_not waiting
	destroyed
}

test_no_locks() { # what cannot wait for its turn changes nothing
	begin
	export LD_PRELOAD=$PWD/flock.so
	k attach bl hook xdp dev v0
	refused '/dev/kcuckoo: cannot wait for other commands: No locks'
	unset LD_PRELOAD
	no_program
	attached
	export LD_PRELOAD=$PWD/flock.so
	k detach bl
	refused '/dev/kcuckoo: cannot wait for other commands: No locks'
	unset LD_PRELOAD
	program_is 'xdp '
	k detach bl
	status_is 0
	destroyed
}

test_allow() { # both filters are held
	begin
	k create good
	attached allow good
	err_has 'allow good'
	k rules
	[[ $out == *'dev v0  allow good' ]] || complain "listed as: $out"
	k destroy good
	refused "cannot destroy 'good'" 'hook xdp dev v0' "'kcuckoo detach bl'"
	k detach bl
	k destroy good
	status_is 0
	attached allow later
	err_has "there is no filter 'later'"
	k rules
	[[ $out == *'waits for later' ]] || complain "does not wait: $out"
	k detach bl
	k stats
	destroyed
}

test_namespace() { # the device of another namespace
	begin
	ip netns add away
	ip link set v1 netns away
	ip -n away link set v1 up
	k -n away create bl
	k -n away attach bl hook xdp dev v0
	refused "no network device 'v0'"
	k -n away attach bl hook xdp dev v1
	status_is 0
	k -n away rules
	[[ $out == *'dev v1'* ]] || complain "listed as: $out"
	k rules
	out_is ''
	ip netns del away
	destroyed
}

test_waiting() { # a rule waits for its filter
	begin
	k attach new hook xdp dev v0
	status_is 0
	err_has "there is no filter 'new'"
	k rules
	[[ $out == *waits ]] || complain "does not wait: $out"
	k create new
	k rules
	[[ $out != *waits ]] || complain "waits: $out"
	k detach new
	status_is 0
	destroyed
}

test_not_built() { # a command without hook xdp says so, and leaves rules of it alone
	begin
	attached
	k attach bl hook input
	kcuckoo() { ./noxdp "$@"; }
	k attach bl hook xdp dev v1
	refused 'built without hook xdp' 'libbpf-dev libmnl-dev'
	k detach bl hook xdp dev v0
	refused 'built without hook xdp' 'libbpf-dev'
	k detach bl hook xdp
	refused 'built without hook xdp'
	k detach bl hook xdp dev nothing
	refused "no network device 'nothing'"
	k -v rules
	status_is 0
	[[ $out == *input* && $out != *xdp* ]] || complain "listed as: $out"
	err_has 'built without hook xdp: its rules are not shown'
	k rules
	err_is_empty
	k detach bl
	status_is 0
	err_has '1 rule removed'
	k destroy bl
	refused "cannot destroy 'bl'" '1 more user: iptables, BPF programs'
	unset -f kcuckoo
	program_is 'xdp '
	k detach bl
	status_is 0
	destroyed
}

test_not_built_destroy() { # without hook xdp, apply reports only that a filter is in use
	local etc=$scratch/etc

	begin
	export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run
	mkdir "$etc"
	printf '[filter gone]\n[filter stays]\n' >"$etc/a.conf"
	k apply --config "$etc"
	status_is 0
	loader_holds gone v0
	printf '[filter stays]\n' >"$etc/a.conf"
	kcuckoo() { ./noxdp "$@"; }
	k apply --config "$etc"
	unset -f kcuckoo
	refused "'gone' is not in the configuration any more, but it is in use" 'nothing was changed'
	err_has_not 'built without hook xdp'
	k apply --config "$etc"
	status_is 0
	err_has 'gone: destroyed'
	unset KCUCKOO_STATE KCUCKOO_RUN
	destroyed
}

test_no_calls() { # a module that XDP programs may not call on this kernel
	begin
	export LD_PRELOAD=$PWD/stats.so
	k attach bl hook xdp dev v0
	unset LD_PRELOAD
	refused 'XDP programs cannot call the module on this kernel' 6.1.115 'hook ingress works'
	no_program
	export LD_PRELOAD=$PWD/stats.so STATS=none
	k stats
	[[ " ${out##*features} " != *[^a-z]@(xdp|tc)[^a-z]* ]] || complain "stats: $out"
	k attach bl hook xdp dev v0
	unset LD_PRELOAD STATS
	refused 'XDP programs cannot call the module on this kernel' 'since Linux 6.0' \
		'hook ingress works'
	no_program
	destroyed
}

test_put_back() { # if neither the new nor the old rule can be attached, apply tries each once
	local etc=$scratch/put rule='[filter bad]\n[rule x]\nfilter = bad\nhook = xdp\ndev = v0\n'

	begin
	export KCUCKOO_STATE=$etc.state KCUCKOO_RUN=$etc.run
	mkdir "$etc"
	printf '%b' "$rule" >"$etc/a.conf"
	k apply --config "$etc"
	status_is 0
	printf '%b' "$rule" 'action = count\n' >"$etc/a.conf"
	kcuckoo() { LD_PRELOAD=$PWD/stats.so timeout 20 kcuckoo "$@"; }
	k apply --config "$etc"
	unset -f kcuckoo
	refused 'XDP programs cannot call the module on this kernel' \
		'NOT PROTECTED: rule x is not attached to v0'
	[ "$(grep -c 'cannot call the module' <<<"$err")" = 2 ] || complain "said $err"
	k status --config "$etc"
	status_is 1
	err_has 'NOT PROTECTED: rule x is not attached to v0'
	k apply --config "$etc"
	status_is 0
	k rules
	[[ $out == *count* ]] || complain "rules: $out"
	k down
	unset KCUCKOO_STATE KCUCKOO_RUN
	destroyed
}

test_older_module() { # one that does not know its version may have all that is needed
	begin
	export LD_PRELOAD=$PWD/stats.so STATS=old
	k stats
	status_is 0
	[[ $out == *$'\n''module   unknown'$'\n''features none' ]] || complain "stats: $out"
	k -j stats
	[[ $out == *'"version": null'*'"features": []'* ]] || complain "stats: $out"
	attached
	unset LD_PRELOAD STATS
	k detach bl
	status_is 0
	destroyed
}

test_no_btf() { # a module that does not describe itself
	begin
	unloads kcuckoo
	objcopy -R .BTF "$(modinfo -F filename kcuckoo)" "$scratch/kcuckoo.ko"
	insmod "$scratch/kcuckoo.ko"
	k create bl
	k attach bl hook xdp dev v0
	refused 'has no BTF' 'make module'
	k attach bl
	status_is 0
	k detach bl
	unloads kcuckoo
	modprobe kcuckoo
}

main "$0"
