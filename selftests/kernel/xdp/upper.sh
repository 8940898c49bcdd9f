#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Rules of hook xdp on a device and on devices above it, such as VLANs. The kernel changes
# no XDP program of a device while a device above it has an XDP program.

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

# New devices: v0, and the VLAN v0.5 above it.
begin() {
	ip link del v0 2>/dev/null
	ip link add v0 type veth peer name v1
	ip link add link v0 name v0.5 type vlan id 5
	ip link set v0 up
	ip link set v1 up
	ip link set v0.5 up
	k create bl
}

attached() {
	k attach bl hook xdp dev "$@"
	status_is 0
}

# program DEVICE: print the id of the XDP program of the device.
program() {
	ip -d link show "$1" | grep -o 'prog/xdp id [0-9]*'
}

no_program() {
	local device

	for device; do
		[ -z "$(program "$device")" ] || complain "a program is left on $device"
	done
}

# devices_are DEVICE...: these devices have rules, and no others.
devices_are() {
	k rules
	[ "$(awk '$2 == "xdp" { print $NF }' <<<"$out" | sort | xargs)" = "$*" ] ||
		complain "rules: $out"
}

destroyed() {
	k destroy bl
	status_is 0
	ip link del v0
}

configure() {
	printf '[filter fb]\n[rule x]\nfilter = fb\nhook = xdp\n%s\n' "$1" >"$etc/a.conf"
}

config_begin() {
	etc=$scratch/etc
	export KCUCKOO_STATE=$scratch/state KCUCKOO_RUN=$scratch/run
	mkdir -p "$etc"
}

config_end() {
	unset KCUCKOO_STATE KCUCKOO_RUN
	rm -r "$etc"
}

test_all() { # detach removes the rules of a device and of a device above it
	local of

	begin
	for of in bl 'bl hook xdp' --all; do
		attached v0
		attached v0.5
		# shellcheck disable=SC2086
		k detach $of
		status_is 0
		err_has '2 rules removed'
		no_program v0 v0.5
	done
	destroyed
}

test_lower() { # the program of an upper device is the same after a change below it
	local id

	begin
	attached v0.5
	id=$(program v0.5)
	attached v0
	devices_are v0 v0.5
	[ "$(program v0.5)" = "$id" ] || complain "v0.5 has $(program v0.5), not $id"
	k detach bl hook xdp dev v0
	status_is 0
	err_has '1 rule removed'
	devices_are v0.5
	[ "$(program v0.5)" = "$id" ] || complain "v0.5 has $(program v0.5), not $id"
	k detach bl
	no_program v0 v0.5
	destroyed
}

test_port() { # a bridge is above its ports
	begin
	ip link add br0 type bridge
	ip link set v0 master br0
	attached br0
	attached v0
	attached v0.5
	k detach bl hook xdp dev v0
	status_is 0
	devices_are br0 v0.5
	k detach bl
	status_is 0
	no_program v0 v0.5 br0
	ip link del br0
	destroyed
}

test_vxlan() { # a vxlan device is above its device, and a gretap device is not
	begin
	if ip link add vx0 type vxlan id 7 dev v0 dstport 4789 2>"$scratch/made"; then
		attached vx0
		attached v0
		devices_are v0 vx0
		k detach bl
		status_is 0
		no_program v0 vx0
		ip link del vx0
	fi
	ip addr add 192.0.2.1/24 dev v0
	if ip link add gt0 type gretap local 192.0.2.1 remote 192.0.2.2 dev v0 \
		2>"$scratch/made"; then
		ip link set dev gt0 xdpgeneric obj pass.bpf.o sec xdp
		attached v0.5
		attached v0
		[ -n "$(program gt0)" ] || complain 'the program of another tool is gone'
		k detach bl
		status_is 0
		ip link del gt0
	fi
	destroyed
}

test_bond() { # a bond and the devices above it keep their rules when a port is refused
	begin
	if ! ip link add bd0 type bond mode active-backup 2>"$scratch/made"; then
		[ "$KCUCKOO_KERNEL" != stock ] || complain "no device bd0: $(<"$scratch/made")"
	else
		ip link set v0 down
		ip link set v0 master bd0
		ip link add link bd0 name bd0.5 type vlan id 5
		ip link set bd0 up
		attached bd0 mode native
		attached bd0.5
		attached v0.5
		k attach bl hook xdp dev v0
		refused "cannot attach the XDP program to 'v0'" 'such as a bond'
		err_has_not 'is lost'
		err_has_not 'mode generic'
		devices_are bd0 bd0.5 v0.5
		no_program v0
		k detach bl
		status_is 0
		no_program v0 v0.5 bd0 bd0.5
		ip link del bd0
	fi
	destroyed
}

test_undo() { # the undo of a change removes the rules of both devices
	begin
	k confirm within 1h bl
	attached v0
	attached v0.5
	k confirm undo
	status_is 0
	no_program v0 v0.5
	attached v0
	attached v0.5
	k confirm within 1h bl
	k detach bl
	attached v0 action count
	attached v0.5 action count
	k confirm undo
	status_is 0
	k rules
	[[ $out != *count* ]] || complain "rules: $out"
	devices_are v0 v0.5
	k detach bl
	destroyed
}

test_apply() { # apply and down change the rules of both devices, in any order of the words
	local devs

	begin
	config_begin
	for devs in 'v0 v0.5' 'v0.5 v0'; do
		configure "dev = $devs"
		k apply --config "$etc"
		status_is 0
		devices_are v0 v0.5
		configure "dev = $devs"$'\naction = count'
		k apply --config "$etc"
		status_is 0
		k rules
		[[ $out != *drop* ]] || complain "rules: $out"
		devices_are v0 v0.5
		printf '[filter fb]\n' >"$etc/a.conf"
		k apply --config "$etc"
		status_is 0
		no_program v0 v0.5
		configure "dev = $devs"
		k apply --config "$etc"
		k down
		status_is 0
		no_program v0 v0.5
	done
	config_end
	destroyed
}

test_foreign() { # the program of another tool on an upper device stays, and is named
	begin
	ip link set dev v0.5 xdpgeneric obj pass.bpf.o sec xdp
	k attach bl hook xdp dev v0
	refused "cannot attach the XDP program to 'v0'" "'v0.5' is above it and has another XDP program"
	err_has_not 'another process'
	ip link set dev v0.5 xdpgeneric off
	attached v0
	attached v1
	ip link set dev v0.5 xdpgeneric obj pass.bpf.o sec xdp
	k detach bl
	refused "cannot detach 'bl' from 'v0'" "'v0.5' is above it and has another XDP program" \
		'1 rule was removed'
	devices_are v0
	[ -n "$(program v0.5)" ] || complain 'the program of another tool is gone'
	ip link set dev v0.5 xdpgeneric off
	k detach bl
	status_is 0
	destroyed
}

test_namespace() { # an upper device in another namespace is named as such
	begin
	ip netns add box
	ip link add link v0 name mv0 type macvlan
	ip link set mv0 netns box
	ip -n box link set mv0 up
	k -n box create bl
	k -n box attach bl hook xdp dev mv0
	status_is 0
	attached v0.5
	k attach bl hook xdp dev v0
	refused "cannot attach the XDP program to 'v0'" 'in another network namespace'
	devices_are v0.5
	k -n box detach bl
	attached v0
	k -n box attach bl hook xdp dev mv0
	k detach bl
	refused "cannot detach 'bl' from 'v0'" 'in another network namespace' '1 rule was removed'
	devices_are v0
	k -n box detach bl
	k detach bl
	status_is 0
	ip netns del box
	destroyed
}

test_section() { # apply and status name the section and the device of a missing rule
	begin
	config_begin
	configure 'dev = v0'
	ip link set dev v0.5 xdpgeneric obj pass.bpf.o sec xdp
	k apply --config "$etc"
	refused "'v0.5' is above it and has another XDP program" \
		'NOT PROTECTED: rule x is not attached to v0'
	k status --config "$etc"
	status_is 1
	err_has 'NOT PROTECTED: rule x is not attached to v0'
	ip link set dev v0.5 xdpgeneric off
	k apply --config "$etc"
	status_is 0
	k status --config "$etc"
	status_is 0
	err_is_empty
	k down
	config_end
	destroyed
}

main "$0"
