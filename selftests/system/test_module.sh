#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Without the module the machine boots and the network comes up, and the unit fails.

# shellcheck disable=SC2016 # scripts for the machine to expand
# shellcheck source=selftests/system/machine.sh
. "$(dirname "$0")/machine.sh"

install_disk
power_on
guest 'rm /lib/modules/*/updates/kcuckoo.ko && depmod && sync'
reboot_machine
inside 'the module is not loaded' '! lsmod | grep -qw kcuckoo'
inside 'kcuckoo.service failed' '[ "$(systemctl is-failed kcuckoo.service)" = failed ]'
inside 'the journal says why' 'journalctl -b -u kcuckoo.service -o cat | grep -i "kcuckoo: .*module"'
inside 'the boot went on' 'systemctl is-active multi-user.target'
inside 'the network is up' 'ip -4 addr show dev eth0 | grep -w 10.77.0.2/24'
check 'no ordering cycle' no_cycle
inside 'no other unit failed, except the one that loads modules' '
	systemctl --failed --no-legend --plain | cut -d" " -f1 |
		grep -vxE "kcuckoo.service|systemd-modules-load.service" && exit 1; true'
finish
