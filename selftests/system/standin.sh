#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# standin.sh install ROOT | apply [--boot] | down --save
#
# Stand in for the verbs apply and down of the command, in the machine of the system test,
# while the command does not have them: load /etc/kcuckoo/bad.txt into the filter bad and
# keep the filter bans, with a rule for each.

set -eu
state=/var/lib/kcuckoo/bans.kcf

case ${1:-} in
install)
	for unit in kcuckoo.service kcuckoo-apply.service; do
		folder=$2/etc/systemd/system/$unit.d
		mkdir -p "$folder"
		{
			echo '[Service]'
			grep -E '^Exec(Start|Reload|Stop)=' "$2/usr/local/lib/systemd/system/$unit" |
				sed 's|^\(Exec[A-Za-z]*=\).*/kcuckoo \(.*\)|\1\n\1/usr/local/sbin/standin.sh \2|'
		} >"$folder/standin.conf"
	done
	;;
apply)
	[ "${2:-}" != --boot ] || [ ! -e $state ] || kcuckoo restore $state as bans
	kcuckoo create bans timeout 1h --exist
	kcuckoo create bad --exist
	[ ! -s /etc/kcuckoo/bad.txt ] || kcuckoo load bad /etc/kcuckoo/bad.txt
	kcuckoo attach bans --exist
	kcuckoo attach bad --exist
	;;
down)
	kcuckoo save bans $state
	for name in bans bad; do
		kcuckoo detach $name
		kcuckoo destroy $name
	done
	;;
esac
