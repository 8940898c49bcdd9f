#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# boot.sh SUITE PACKAGES RUN: install the packages of PACKAGES/now by apt in a Debian system with
# an older kernel of this suite, update its kernel by apt, and boot it in the emulated machine
# with both kernels under a flood of packets. Then upgrade to PACKAGES/next in the machine that
# runs. RUN is an empty folder, or that of an earlier run, whose disk is used again.
# TAP on standard output; run.sh calls this script. As root, with a mirror.

# shellcheck disable=SC2016 # scripts for the machine and for the chroot to expand

set -u
here=$(cd "$(dirname "$0")" && pwd -P)
TOP=$(cd "$here/../.." && pwd -P)
# shellcheck source=selftests/harness/debian.sh
. "$here/../harness/debian.sh"
# shellcheck source=selftests/system/disk.sh
. "$here/../system/disk.sh"
use_suite "$1"
packages=$2
RUN=$3
KERNEL=$RUN		# the folder of vmlinuz
TEST=$suite
# shellcheck source=selftests/system/order.sh
. "$here/../system/order.sh"
root=$RUN/root

# A whole Debian boots longer than the system of ../system, and its apt and DKMS are slow there.
boot_limit=900
script_limit=400

# A rule of the default hook has no list with private addresses.
listed=1.2.3.4

# in_root SCRIPT: run it in the chroot. Of both archives, apt's own lists may count as expired.
in_root() {
	(
		# shellcheck source=selftests/harness/chroot.sh
		. "$here/../harness/chroot.sh"
		inside "$root" "set -e; apt='apt-get -y -o Acquire::Check-Valid-Until=false'; $1"
	) >>"$RUN/log" 2>&1 </dev/null || { tail -n 30 "$RUN/log"; return 1; }
}

# make_root: Debian with systemd, udev and ifupdown, and with the suite's security updates. An
# initramfs with all drivers would take minutes of each kernel and each boot.
make_root() (
	local uri

	# shellcheck source=selftests/harness/chroot.sh
	. "$here/../harness/chroot.sh"
	make_chroot "$root" "$suite" "${source_lines[0]}" \
		systemd-sysv,udev,dbus,kmod,iproute2,ifupdown || exit
	uri=$(mirror -security)
	[ -z "$uri" ] || printf '%s\n' "deb $uri $suite-security main" \
		>"$root/etc/apt/sources.list.d/security.list"
	small_initramfs
)

small_initramfs() {
	mkdir -p "$root/etc/initramfs-tools/conf.d" "$root/usr/share/initramfs-tools/modules.d"
	echo MODULES=list >"$root/etc/initramfs-tools/conf.d/machine"
	printf '%s\n' virtio_pci virtio_blk ext4 >"$root/usr/share/initramfs-tools/modules.d/machine"
}

# install_old_kernel: the oldest one of the suite that has headers, without backports.
install_old_kernel() {
	in_root '
		$apt update
		release=$(apt-cache search --names-only "^linux-headers-[0-9]" | cut -d " " -f 1 |
			sed -nE "s/^linux-headers-([0-9.]+(-[0-9]+|\+deb[0-9.]+)-amd64)$/\1/p" |
			sort -V | head -n 1)
		$apt install --no-install-recommends linux-image-$release linux-headers-$release libc6-dev zstd
		echo $release >/srv/old'
}

# install_packages: as an administrator does, with a configuration of eight lines and a list. Of
# what the packages recommend, the headers of the newest kernel are not installed before it.
install_packages() {
	cp -r "$packages/now" "$packages/next" "$root/srv" &&
		in_root 'cd /srv/now; $apt install --no-install-recommends ./*.deb
		printf "%s\n" "[list bad]" "file = /etc/kcuckoo/bad.txt" \
			"[filter bad]" "list = bad" "[filter bans]" "keep = yes" \
			"[rule wan]" "filter = bad bans" >/etc/kcuckoo/edge.conf
		echo '$listed' >/etc/kcuckoo/bad.txt'
}

# update_kernel: to the newest one of the suite.
update_kernel() {
	in_root '$apt install --no-install-recommends linux-image-amd64 linux-headers-amd64
		ls /lib/modules | sort -V | tail -n 1 >/srv/new
		echo "$(cat /srv/old) $(cat /srv/new)"; [ "$(cat /srv/old)" != "$(cat /srv/new)" ]'
}

# has_modules: DKMS has built both modules for each of both kernels.
has_modules() {
	in_root 'dkms status
		for release in $(cat /srv/old /srv/new); do
			dkms status | grep "^kcuckoo[/,].*$release.*installed"
			modinfo -k $release -n kcuckoo xt_kcuckoo | grep -c /updates/dkms/ | grep -x 2
		done'
}

# compile_next: the modules of the next version, for the new kernel. In the emulated machine this
# would take half an hour: make there, which is found before that of Debian, only copies these.
compile_next() {
	in_root '
		dpkg-deb -x /srv/next/kcuckoo-dkms_*.deb /srv/source
		cd /srv/source/usr/src/kcuckoo-*
		make -j$(nproc) KDIR=/lib/modules/$(cat /srv/new)/build
		mkdir /srv/built
		cp kcuckoo.ko xt_kcuckoo.ko /srv/built
		rm -r /srv/source
		cat >/usr/local/bin/make <<"MAKE"
#!/bin/sh
case " $* " in
*" clean "*) ;;
*" KDIR=/lib/modules/$(cat /srv/new)/build "*) cp -v /srv/built/*.ko . ;;
*) exec /usr/bin/make "$@" ;;
esac
MAKE
		chmod 755 /usr/local/bin/make'
}

# finish_root: what the machine needs, and a disk of it with kernels and initramfs. Without a route
# to its source, the kernel would drop a listed packet.
finish_root() {
	prepare_root "$root" && configure_ifupdown "$root" && install_agent "$root" &&
		echo "	gateway 10.77.0.1" >>"$root/etc/network/interfaces" &&
		cp "$root"/boot/{vmlinuz,initrd.img}-* "$root"/srv/{old,new} "$RUN" &&
		make_disk "$root" "$RUN/disk.new" 6G && mv "$RUN/disk.new" "$RUN/disk" &&
		rm -rf --one-file-system "$root"
}

# make_system: a failure ends it.
make_system() {
	say "making a system of the suite $suite with two kernels"
	check 'a system with an older kernel is made' both make_root install_old_kernel &&
		check 'apt installs the packages' install_packages &&
		check 'apt updates the kernel' update_kernel &&
		check 'DKMS has built the modules for both kernels' has_modules &&
		check 'a disk is made of the system' both compile_next finish_root
}

both() {
	"$1" && "$2"
}

# boot_kernel NAME: boot the old or the new kernel of the disk, with its own initramfs, under the
# flood, which begins before the machine does.
boot_kernel() {
	local release

	TEST=$suite.$1
	release=$(<"$RUN/$1")
	cp "$RUN/vmlinuz-$release" "$RUN/vmlinuz" && cp "$RUN/initrd.img-$release" "$RUN/initrd"
	say "booting $release"
	start_flood
	power_on
	settle
	inside 'the module is that of DKMS for this kernel' "
		[ \$(uname -r) = $release ] && modinfo -n kcuckoo &&
		modinfo -n kcuckoo | grep /lib/modules/$release/updates/dkms/kcuckoo.ko &&
		[ \$(cat /sys/module/kcuckoo/srcversion) = \$(modinfo -F srcversion kcuckoo) ]"
	inside 'kcuckoo.service is active' 'systemctl is-active kcuckoo.service ||
		{ systemctl --no-pager status kcuckoo.service; exit 1; }'
	in_order networking.service
	protected
}

# What the machine has counted: packets to a closed port of UDP, all listed; echo requests, all
# allowed; packets that rules dropped. A copy of the command outlives an upgrade.
counters='
	counters() {
		echo $(awk "/^Udp: [0-9]/ { ports = \$3 } /^Icmp: [0-9]/ { echoes = \$10 }
			END { print ports, echoes }" /proc/net/snmp) \
			$(/srv/kcuckoo -j rules | grep -o "\"packets\": *[0-9]*" |
				awk "{ sum += \$2 } END { print sum + 0 }")
	}'

# during NAME SCRIPT: run the script in the machine under a flood, and write the counters once a
# second to /srv/samples, after the time. All frames are sent between the two other readings.
during() {
	guest "$counters"'
		cp -n /usr/sbin/kcuckoo /srv; rm -f /srv/{ended,sampled}; sleep 1; counters >/srv/before' ||
		bail_out "no counters before $TEST"
	start_flood
	guest "$counters"'
		{
			while [ ! -e /srv/ended ]; do
				sleep 1
				echo "$(cut -d " " -f 1 /proc/uptime) $(counters)"
			done >/srv/samples &
			sleep 3
			( '"$2"' )
			status=$?
			sleep 3
			echo $status >/srv/ended
			wait
			touch /srv/sampled
		} >/srv/log 2>&1 </dev/null &' || bail_out "no flood for $TEST"
	check "$1" await_end
	stop_flood
	guest "$counters"'
		sleep 2; counters >/srv/after' || bail_out "no counters after $TEST"
	inside 'no listed packet came in' '
		cat /srv/before /srv/samples /srv/after
		[ "$(cut -d " " -f 1 /srv/before /srv/after | sort -u)" = 0 ] &&
			[ "$(cut -d " " -f 2 /srv/samples | sort -u)" = 0 ]'
	inside 'in each interval listed packets were dropped' "$(grows 4)"
	inside 'in each interval allowed packets came in' "$(grows 3)"
	inside 'all frames that were sent are counted' "sent=$(<"$RUN/sent")"'
		paste -d " " /srv/before /srv/after | {
			read -r _ echoes packets _ echoes_after packets_after
			echo "$sent sent, $((echoes_after - echoes)) allowed, $((packets_after - packets)) dropped"
			[ $sent -gt 50 ] && [ $((echoes_after - echoes)) = $sent ] &&
				[ $((packets_after - packets)) = $sent ]; }'
}

# await_end: until the script of during has ended, with its output and its status.
await_end() {
	for _ in {1..20}; do
		guest 'for i in {1..90}; do [ ! -e /srv/sampled ] || exit 0; sleep 1; done; exit 1' && break
	done
	guest 'tail -n 40 /srv/log; exit "$(cat /srv/ended)"'
}

# grows FIELD: a script for the machine: in each of at least three intervals, the field of the
# samples has grown.
grows() {
	echo "awk 'NR > 1 && !(\$$1 > last) { print \"no growth: \" \$0; bad = 1 } { last = \$$1 }
		END { exit bad || NR < 4 }' /srv/samples || { cat /srv/samples; exit 1; }"
}


if [ ! -e "$RUN/disk" ]; then
	make_system || bail_out "no system of the suite $suite"
fi
mkdir -p "$TOP/build"
gcc -O2 -o "$RUN/cycles" "$here/../harness/vm/cycles.c" || bail_out 'no cycles'
[ -e "$TOP/build/cycles" ] || mv "$RUN/cycles" "$TOP/build/cycles"
install_disk
boot_kernel old
power_off
stop_flood
boot_kernel new
stop_flood

TEST=$suite.idle
during 'some seconds pass' 'sleep 15'
TEST=$suite.upgrade
# The PATH of apt has no folder of /usr/local by default.
during 'apt upgrades the packages' 'apt-get -y -o DPkg::Path=/usr/local/bin:$PATH install /srv/next/*.deb'
inside 'the command is that of the next version, the loaded module is not' '
	next=$(dpkg-query -W -f "\${Version}" kcuckoo); next=${next%+*}
	[ "$(kcuckoo --version)" = "kcuckoo $next" ] &&
	[ "$(cat /sys/module/kcuckoo/version)" = "${next%.1}" ]'
inside 'DKMS has installed the next module' '
	dkms status; version=$(modinfo -F version kcuckoo); modinfo -n kcuckoo; echo "$version"
	dkms status | grep -F "kcuckoo/$version" &&
	next=$(dpkg-query -W -f "\${Version}" kcuckoo-dkms); [ "$version" = "${next%+*}" ]'
inside 'no unit failed, and dpkg has nothing left to do' '
	systemctl --failed; dpkg --audit
	[ -z "$(systemctl --failed --no-legend)$(dpkg --audit)" ]'
start_flood
inside 'without the rules listed packets come in' 'systemctl stop kcuckoo.service
	for i in {1..100}; do
		awk "/^Udp: [0-9]/ { exit !(\$3 > 0) }" /proc/net/snmp && exit
		sleep 0.2
	done
	grep Udp: /proc/net/snmp; exit 1'
finish
