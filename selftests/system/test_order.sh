#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Filters and rules are there before the network, whichever program configures it: a flood
# from a listed address runs during the whole boot, and none of its packets passes.
# cloud-init is not among these programs: it orders itself as ifupdown does, after
# network-pre.target, and its units take a data source that this machine does not have.

# shellcheck disable=SC2016 # scripts for the machine to expand
# shellcheck source=selftests/system/machine.sh
. "$(dirname "$0")/machine.sh"

# Functions in the machine. monotonic UNIT PROPERTY: a time of this boot, in microseconds.
times='
	monotonic() { systemctl show -P "$2Monotonic" "$1"; }
	before() {
		[ "$1" -gt 0 ] && [ "$2" -gt 0 ] && [ "$1" -le "$2" ] ||
			{ echo "$1 is not before $2"; exit 1; }
	}'

# ordered MANAGER UNIT: what has to hold after a boot with this manager.
ordered() {
	inside "$1: the module is loaded before the rules" "$times"'
		before "$(monotonic systemd-modules-load.service ExecMainExitTimestamp)" \
			"$(monotonic kcuckoo.service ExecMainStartTimestamp)"'
	inside "$1: rules are there before the network" "$times"'
		before "$(monotonic kcuckoo.service ExecMainExitTimestamp)" \
			"$(monotonic network-pre.target ActiveEnterTimestamp)" &&
		before "$(monotonic network-pre.target ActiveEnterTimestamp)" \
			"$(monotonic '"$2"' ExecMainStartTimestamp)"'
	inside "$1: the network is up" 'ip -4 addr show dev eth0 | grep -w 10.77.0.2/24'
	check "$1: no ordering cycle" no_cycle
	inside "$1: no unit failed" '[ -z "$(systemctl --failed --no-legend)" ] || { systemctl --failed; exit 1; }'
	inside "$1: allowed packets come in" '
		for i in {1..100}; do
			awk "/^Icmp: [0-9]/ { exit !(\$10 > 0) }" /proc/net/snmp && exit
			sleep 0.2
		done
		cat /proc/net/snmp; exit 1'
	inside "$1: listed packets were seen and none came in" '
		kcuckoo -j rules | grep -B 20 -A 20 "\"bad\"" | grep -E "\"packets\": *[1-9]" &&
		awk "/^Udp: [0-9]/ { exit \$3 != 0 }" /proc/net/snmp || {
			kcuckoo rules; grep Udp: /proc/net/snmp; exit 1; }'
}

install_disk
start_flood
power_on
guest 'echo 10.77.0.66 >/etc/kcuckoo/bad.txt'
reboot_machine
ordered ifupdown networking.service
inside 'units are correct' 'systemd-analyze verify --man=no kcuckoo.service kcuckoo-apply.service \
	kcuckoo-fetch.service kcuckoo-fetch.timer kcuckoo@x.service kcuckoo-device@eth0.service'

guest 'systemctl -q disable networking.service; systemctl -q enable systemd-networkd.service
printf "[Match]\nName=eth0\n[Network]\nAddress=10.77.0.2/24\n" >/etc/systemd/network/eth0.network'
reboot_machine
ordered systemd-networkd systemd-networkd.service

guest 'systemctl -q disable systemd-networkd.service; systemctl -q enable NetworkManager.service
echo >/etc/network/interfaces
cat >/etc/NetworkManager/system-connections/eth0.nmconnection <<CONNECTION
[connection]
id=eth0
type=ethernet
interface-name=eth0
[ipv4]
method=manual
address1=10.77.0.2/24
[ipv6]
method=disabled
CONNECTION
chmod 600 /etc/NetworkManager/system-connections/eth0.nmconnection'
reboot_machine
ordered NetworkManager NetworkManager.service

# Without the rule, the flood comes in: the results above could be otherwise.
guest 'systemctl stop kcuckoo.service'
inside 'without kcuckoo.service listed packets come in' '
	for i in {1..100}; do
		awk "/^Udp: [0-9]/ { exit !(\$3 > 0) }" /proc/net/snmp && exit
		sleep 0.2
	done
	grep Udp: /proc/net/snmp; exit 1'
finish
