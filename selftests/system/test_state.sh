#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Members of a filter with keep = yes survive a reboot with their remaining times; the time
# during which the machine is off does not count. A power cut leaves the state of the last
# stop.

# shellcheck disable=SC2016 # scripts for the machine to expand
# shellcheck source=selftests/system/machine.sh
. "$(dirname "$0")/machine.sh"

# left ADDRESS: remaining seconds of a member of bans, or nothing.
left() {
	guest "kcuckoo list bans" | sed -n "s/^$1 timeout \([0-9]*\).*/\1/p"
}

install_disk
power_on
guest 'kcuckoo -q add bans 192.0.2.1 --timeout 1h; kcuckoo -q add bans 192.0.2.2 --timeout never;
	kcuckoo -q add bans 192.0.2.3 --timeout 20'
guest 'kcuckoo list bans' >/dev/null
before=$(left 192.0.2.1)
power_off
check 'the stop says nothing of a failure' eval \
	'! grep -aE "Failed|FAILED|Timed out" "$console"'
sleep 120
power_on
settle
after=$(left 192.0.2.1)
up=$(guest 'cut -d. -f1 /proc/uptime')
# The end of the first boot takes some seconds, too.
check 'remaining times go on where they stopped' \
	test $((before - after)) -ge 1 -a $((before - after)) -le $((up + 60))
check 'the time without power does not count' test $((before - after)) -lt $((up + 100))
inside 'a member without a timeout is there' 'kcuckoo -q test bans 192.0.2.2'
inside 'the rule of bans is there' 'kcuckoo rules | grep bans'
inside 'snapshots are for root only' '[ "$(stat -c "%a %U" /var/lib/kcuckoo/bans.kcf)" = "600 root" ]'
inside 'stopping unloads nothing and removes all rules' 'systemctl stop kcuckoo.service &&
	[ -z "$(kcuckoo list)" ] && lsmod | grep -qw kcuckoo'
inside 'a start restores the members' 'systemctl start kcuckoo.service && kcuckoo -q test bans 192.0.2.1 192.0.2.2'
guest 'kcuckoo -q add bans 198.51.100.1; sync'
power_cut
power_on
settle
inside 'after a power cut the last saved members are there' 'kcuckoo -q test bans 192.0.2.1 192.0.2.2'
inside 'and no other' '! kcuckoo -q test bans 198.51.100.1'
inside 'no unit failed' '[ -z "$(systemctl --failed --no-legend)" ] || { systemctl --failed; exit 1; }'
inside 'a restart keeps the members' 'kcuckoo -q add bans 198.51.100.2 && systemctl restart kcuckoo.service &&
	kcuckoo -q test bans 192.0.2.1 192.0.2.2 198.51.100.2'

# A boot that fails, for a list that was never fetched and a damaged snapshot.
guest 'printf "[list far]\nurl = https://192.0.2.1/list\n[filter far]\nlist = far\n" >/etc/kcuckoo/far.conf
	systemctl stop kcuckoo.service; truncate -s 100 /var/lib/kcuckoo/bans.kcf; sync'
reboot_machine
inside 'the service has failed' '[ "$(systemctl is-failed kcuckoo.service)" = failed ]'
inside 'the damaged snapshot is set aside' '[ "$(stat -c %s /var/lib/kcuckoo/bans.kcf.damaged)" = 100 ]'
guest 'kcuckoo -q add bans 198.51.100.3'
reboot_machine
inside 'members are saved after a boot that failed' 'kcuckoo -q test bans 198.51.100.3'
inside 'the service has failed again' '[ "$(systemctl is-failed kcuckoo.service)" = failed ]'
inside 'a stop of a service that has failed removes all rules, too' '
	systemctl stop kcuckoo.service && [ -z "$(kcuckoo list)" ] || { kcuckoo list; exit 1; }'
inside 'it starts again' 'rm /etc/kcuckoo/far.conf
	systemctl start kcuckoo.service && kcuckoo -q test bans 198.51.100.3'
finish
