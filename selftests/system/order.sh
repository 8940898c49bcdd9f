# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of the order of units have in common: a flood from a listed address runs
# during a whole boot, in which one program configures the network. A test sources this file.
# cloud-init is not among these programs: it orders itself as ifupdown does, after
# network-pre.target, and its units take a data source that this machine does not have.

# shellcheck disable=SC2016,SC2034 # scripts for the machine to expand; names for tests
# shellcheck source=selftests/system/machine.sh
. "$(dirname "${BASH_SOURCE[0]}")/machine.sh"

# Functions in the machine. monotonic UNIT PROPERTY: a time of this boot, in microseconds.
times='
	monotonic() { systemctl show -P "$2Monotonic" "$1"; }
	before() {
		[ "$1" -gt 0 ] && [ "$2" -gt 0 ] && [ "$1" -le "$2" ] ||
			{ echo "$1 is not before $2"; exit 1; }
	}'

# boot_with UNIT ARGUMENT...: boot once, under the flood, with the unit that configures the
# network, and with more arguments of the kernel.
boot_with() {
	local unit=$1

	shift
	install_disk
	start_flood
	[ "$unit" = networking.service ] || set -- systemd.mask=networking.service "$@"
	# shellcheck disable=SC2034 # power_on uses it
	arguments=("systemd.wants=$unit" "$@")
	power_on
	settle
}

# ordered UNIT: what has to hold after a boot in which this unit configures the network.
ordered() {
	boot_with "$1"
	in_order "$1"
	protected
}

# in_order UNIT: the module, the rules and the network, one after the other.
in_order() {
	inside 'the module is loaded before the rules' "$times"'
		before "$(monotonic systemd-modules-load.service ExecMainExitTimestamp)" \
			"$(monotonic kcuckoo.service ExecMainStartTimestamp)"'
	inside 'rules are there before the network' "$times"'
		before "$(monotonic kcuckoo.service ExecMainExitTimestamp)" \
			"$(monotonic network-pre.target ActiveEnterTimestamp)" &&
		before "$(monotonic network-pre.target ActiveEnterTimestamp)" \
			"$(monotonic '"$1"' ExecMainStartTimestamp)"'
}

# protected: no unit failed, and since the machine was started listed packets have been dropped
# and allowed ones have not.
protected() {
	inside 'the network is up' 'for i in {1..200}; do
			ip -4 addr show dev eth0 | grep -w 10.77.0.2/24 && exit
			sleep 0.2
		done
		ip addr; exit 1'
	check 'no ordering cycle' no_cycle
	inside 'no unit failed' '[ -z "$(systemctl --failed --no-legend)" ] || { systemctl --failed; exit 1; }'
	inside 'allowed packets come in' '
		for i in {1..100}; do
			awk "/^Icmp: [0-9]/ { exit !(\$10 > 0) }" /proc/net/snmp && exit
			sleep 0.2
		done
		cat /proc/net/snmp; exit 1'
	inside 'listed packets were seen and none came in' '
		kcuckoo -j rules | grep -B 20 -A 20 "\"bad\"" | grep -E "\"packets\": *[1-9]" &&
		awk "/^Udp: [0-9]/ { exit \$3 != 0 }" /proc/net/snmp || {
			kcuckoo rules; grep Udp: /proc/net/snmp; exit 1; }'
}
