#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A relative DESTDIR is one folder, that of whoever calls make: all that is installed
# goes there, and is removed from there. Modules are removed from all kernels, also
# where there are no headers any more.

# shellcheck source=selftests/harness/lint/tree.sh
. "$(dirname "$0")/tree.sh"
need make

for goal in install uninstall; do
	make -n -o all "$goal" DESTDIR=lint.destdir >"$scratch/log" 2>&1 ||
		{ tail -n 5 "$scratch/log"; exit 1; }
	grep -o '[^ ]*lint\.destdir/[^ ]*' "$scratch/log" >"$scratch/paths"
	for part in /lib/modules/ /share/man/man8/kcuckoo.8 \
		/usr/local/lib/udev/rules.d/60-kcuckoo.rules \
		/usr/local/lib/sysusers.d/kcuckoo.conf; do
		grep -qF "$part" "$scratch/paths" ||
			{ echo "make $goal: nothing in DESTDIR$part"; exit 1; }
	done
	! grep -vF "$top/lint.destdir/" "$scratch/paths" || exit 1
	! grep group.sh "$scratch/log" ||
		{ echo "make $goal DESTDIR=...: touches this machine"; exit 1; }
done

# Folders of other prefixes are not read by udev and systemd; on this machine the group
# is made at once.
make -n -C userspace -o all install PREFIX=/opt/k >"$scratch/log" 2>&1 ||
	{ tail -n 5 "$scratch/log"; exit 1; }
for part in '/60-kcuckoo.rules /etc/udev/rules.d/60-kcuckoo.rules' \
	'/kcuckoo.sysusers /etc/sysusers.d/kcuckoo.conf' \
	'/group.sh /etc/sysusers.d/kcuckoo.conf'; do
	grep -qF -- "$part" "$scratch/log" ||
		{ echo "make install PREFIX=/opt/k: not found: $part"; exit 1; }
done

modules=$scratch/root/lib/modules
mkdir -p "$modules"/{1.0,2.0,3.0}/updates
touch "$modules"/{1.0,2.0}/updates/{,xt_}kcuckoo.ko "$modules"/{1.0,3.0}/updates/other.ko
make -s uninstall DESTDIR="$scratch/root" KDIR="$scratch/none" >"$scratch/log" 2>&1 ||
	{ tail -n 5 "$scratch/log"; exit 1; }
left=$(find "$scratch/root" ! -type d -o -empty | sort)
[ "$left" = "$(printf '%s\n' "$modules"/{1.0/updates/other.ko,2.0,3.0/updates/other.ko})" ] ||
	{ echo "make uninstall leaves: $left"; exit 1; }
