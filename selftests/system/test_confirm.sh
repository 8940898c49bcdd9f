#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# With systemd, a change that is not confirmed is undone by a transient unit, also when the
# unit in which the command ran has ended with all its processes. A reboot before the
# confirmation starts the earlier configuration.

# shellcheck disable=SC2016 # scripts for the machine to expand
# shellcheck source=selftests/system/machine.sh
. "$(dirname "$0")/machine.sh"

# in_session COMMAND: run it in a unit, whose end kills what it leaves.
in_session='in_session() { systemd-run --quiet --wait --pipe --collect bash -c "$1"; }
	timers() { systemctl list-units --all --no-legend "kcuckoo-confirm-*"; }
	ends() { for i in {1..300}; do [ -e /run/kcuckoo/confirm ] || return 0; sleep 0.1; done; false; }
	'

install_disk
power_on
settle
guest 'echo 192.0.2.2 >/root/list; kcuckoo -q create web; kcuckoo -q add web 192.0.2.1; kcuckoo -q attach web'
inside 'a change starts a timer' "$in_session"'
	in_session "kcuckoo apply web /root/list --keep-own --bogons --confirm 20 && kcuckoo -q detach web" &&
	timers | grep -c timer && [ "$(kcuckoo list web)" = 192.0.2.2 ]'
inside 'without a confirmation it is undone' "$in_session"'
	ends; kcuckoo list web; kcuckoo rules
	[ "$(kcuckoo list web)" = 192.0.2.1 ] && kcuckoo rules | grep -w web'
inside 'no unit is left, and none failed' "$in_session"'
	for i in {1..50}; do [ -z "$(timers)" ] && break; sleep 0.1; done
	timers; [ -z "$(timers)" ] && [ -z "$(systemctl --failed --no-legend "kcuckoo-confirm-*")" ]'
inside 'a change that is confirmed stays' "$in_session"'
	in_session "kcuckoo apply web /root/list --keep-own --bogons --confirm 10 && kcuckoo confirm" &&
	[ -z "$(timers)" ] && sleep 15 && [ "$(kcuckoo list web)" = 192.0.2.2 ]'
inside 'a command that is killed is undone' "$in_session"'
	in_session "kcuckoo -q confirm within 5 web new; kcuckoo -q add web 192.0.2.9
		kcuckoo -q create new; kill -9 0"
	[ "$(kcuckoo list web | wc -l)" = 2 ] && ends && [ "$(kcuckoo list web)" = 192.0.2.2 ] &&
	! kcuckoo -q info new'

# A configuration: "new.conf" adds a filter and a rule.
new='cp /root/list /etc/kcuckoo/new.txt
	printf "[filter new]\nlist = /etc/kcuckoo/new.txt\n[rule new]\nfilter = new\nhook = input\n" \
		>/etc/kcuckoo/new.conf
	'
unchanged='kcuckoo list; kcuckoo rules
	! kcuckoo -q info new 2>/dev/null && kcuckoo -q info bans && ! kcuckoo rules | grep -w new'
inside 'a configuration is undone by a unit' "$in_session$new"'
	in_session "kcuckoo apply --confirm 30" && timers | grep timer && kcuckoo -q info new &&
	! systemctl start kcuckoo-apply.service && kcuckoo -q info new && ends && '"{ $unchanged; }"
inside 'a unit does not apply it again' '! systemctl start kcuckoo-apply.service && '"{ $unchanged; }"
guest 'systemctl reset-failed; kcuckoo -q apply --confirm 1h; sync'
reboot_machine
inside 'a reboot starts the earlier configuration' "$unchanged"
inside 'the unit has failed, and says why' 'systemctl is-failed kcuckoo.service &&
	journalctl -b -u kcuckoo.service | grep "was not confirmed"'
inside 'a configuration that is confirmed survives a reboot' 'kcuckoo apply --confirm && kcuckoo confirm && sync'
reboot_machine
inside 'it is in effect' 'systemctl is-active kcuckoo.service && kcuckoo rules | grep -w new'
finish
