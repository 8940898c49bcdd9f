#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# group.sh SYSUSERS: create the group of the device file and give the file to the group, after
# an installation on this machine. If this fails, print the commands that do it: without the
# group, only root can use the device.

by_hand() {
	echo "kcuckoo: the device has no group of its own yet. For users other than root, as root:"
	echo "    groupadd -f -r kcuckoo && chgrp kcuckoo /dev/kcuckoo && chmod 660 /dev/kcuckoo"
	exit 0
}

make_group() {
	if command -v systemd-sysusers >/dev/null; then
		systemd-sysusers "$1"
	else
		groupadd -f -r kcuckoo
	fi
}

make_group "$1" || by_hand

# If udevd does not run, udevadm fails: udevd reads its rules when it starts.
if command -v udevadm >/dev/null; then
	udevadm control --reload 2>/dev/null &&
		udevadm trigger --subsystem-match=misc --sysname-match=kcuckoo
	exit 0
fi
[ ! -e /dev/kcuckoo ] || { chgrp kcuckoo /dev/kcuckoo && chmod 660 /dev/kcuckoo; } || by_hand
echo "kcuckoo: there is no udev here: whenever the module has been loaded, run as root:"
echo "    chgrp kcuckoo /dev/kcuckoo && chmod 660 /dev/kcuckoo"
