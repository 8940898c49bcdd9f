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
	'/group.sh /etc/sysusers.d/kcuckoo.conf' \
	'/kcuckoo.modules-load /etc/modules-load.d/kcuckoo.conf' \
	'/kcuckoo.tmpfiles /etc/tmpfiles.d/kcuckoo.conf' \
	'/units.sh install /etc/tmpfiles.d/kcuckoo.conf' \
	'>/etc/systemd/system/'; do
	grep -qF -- "$part" "$scratch/log" ||
		{ echo "make install PREFIX=/opt/k: not found: $part"; exit 1; }
done

# What udev and systemd read is installed whole, its programs have their place, and all of
# it is removed.
packaging() {
	make -s -C userspace "$1-packaging" PREFIX=/usr DESTDIR="$scratch/units" \
		>"$scratch/log" 2>&1 || { tail -n 5 "$scratch/log"; exit 1; }
}
packaging install
for file in modules-load.d/kcuckoo.conf sysusers.d/kcuckoo.conf tmpfiles.d/kcuckoo.conf \
	udev/rules.d/{60-kcuckoo,90-kcuckoo-device}.rules \
	systemd/system/kcuckoo{,@,-save,-save@,-apply,-apply@,-device@,-fetch,-fetch@}.service \
	systemd/system/kcuckoo{,@,-save,-save@,-apply,-apply@,-device@}.service.d/10-sandbox.conf \
	systemd/system/kcuckoo-{save,save@,device@}.service.d/20-xdp.conf \
	systemd/system/kcuckoo-fetch{,@}.service.d/10-fetch.conf \
	systemd/system/kcuckoo-fetch{,@}.timer ../share/kcuckoo/xdp.conf; do
	[ -s "$scratch/units/usr/lib/$file" ] || { echo "not installed: $file"; exit 1; }
	[ "$(stat -c %a "$scratch/units/usr/lib/$file")" = 644 ] || { echo "wrong mode: $file"; exit 1; }
done
! grep -rn '@[a-z]*@' "$scratch/units" || exit 1
grep -rhE '^Exec[A-Z][A-Za-z]*=' "$scratch/units" | grep -v '=/usr/sbin/kcuckoo ' && exit 1
packaging uninstall
left=$(find "$scratch/units" ! -type d -o -name '*.service.d' -o -name kcuckoo)
[ -z "$left" ] || { echo "make uninstall leaves: $left"; exit 1; }

modules=$scratch/root/lib/modules
mkdir -p "$modules"/{1.0,2.0,3.0}/updates
touch "$modules"/{1.0,2.0}/updates/{,xt_}kcuckoo.ko "$modules"/{1.0,3.0}/updates/other.ko
make -s uninstall DESTDIR="$scratch/root" KDIR="$scratch/none" >"$scratch/log" 2>&1 ||
	{ tail -n 5 "$scratch/log"; exit 1; }
left=$(find "$scratch/root" ! -type d -o -empty | sort)
[ "$left" = "$(printf '%s\n' "$modules"/{1.0/updates/other.ko,2.0,3.0/updates/other.ko})" ] ||
	{ echo "make uninstall leaves: $left"; exit 1; }
