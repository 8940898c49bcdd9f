#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# units.sh install TMPFILES: after an installation on this machine, make systemd read the
# units and create their folders.
# units.sh disable: disable the units, before they are removed. Services that run continue.
# units.sh reload: make systemd forget the units, after they were removed.

# systemd can be missing, or not run, as in a container.
command -v systemctl >/dev/null || exit 0

case $1 in
install)
	systemd-tmpfiles --create "$2"
	[ -d /run/systemd/system ] || exit 0
	systemctl daemon-reload
	# A service that an earlier version started runs without kcuckoo-save.service.
	systemctl list-units --plain --no-legend --state=active,failed kcuckoo.service 'kcuckoo@*.service' |
		sed -n 's/^\(kcuckoo\)\([^ ]*\).*/\1-save\2/p' | xargs -r systemctl start
	;;
disable)
	# An enabled instance of a template is a link.
	instances=$(find /etc/systemd/system -type l \
		\( -name 'kcuckoo@*.service' -o -name 'kcuckoo-fetch@*.timer' \) -printf '%f ')
	# shellcheck disable=SC2086 # a list of names
	systemctl --quiet disable kcuckoo.service kcuckoo-fetch.timer $instances 2>/dev/null
	;;
reload)
	[ ! -d /run/systemd/system ] || systemctl daemon-reload
	;;
esac
exit 0
