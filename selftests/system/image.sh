#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# image.sh RUN
#
# Write what boots a Debian system with systemd and this project installed: the disk
# RUN/disk and the initramfs RUN/initrd. Print the folder of the kernel. The system without
# the project is kept in the cache, under a name made from what it consists of.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../.." && pwd -P)
# shellcheck source=selftests/harness/debian.sh
. "$here/../harness/debian.sh"
# shellcheck source=selftests/system/disk.sh
. "$here/disk.sh"
run=$1
root=$run/root
release_suite=bookworm

packages=systemd,systemd-sysv,udev,dbus,kmod,iproute2,nftables,ifupdown,network-manager
packages+=,libarchive13,libbpf1,libelf1,libinih1,libjansson4,libmnl0,libnettle8,libzstd1,zlib1g
# For a list that is fetched: the TLS library is loaded with libcurl; openssl is the server.
packages+=,ca-certificates,libcurl3-gnutls,openssl

# Modules without a use here, two thirds of all: udev would load some for emulated devices.
unused=(arch sound drivers/{acpi,ata,bluetooth,char/tpm,cpufreq,gpu,hid,hwmon,i2c,iio,infiniband}
	drivers/{input,isdn,media,mfd,mtd,platform,scsi,staging,usb,watchdog}
	drivers/net/{can,ethernet,phy,usb,wireless} net/{bluetooth,mac80211,wireless} fs/{btrfs,ocfs2,xfs})

# make_system FOLDER: Debian's packages, prepared for this machine.
make_system() {
	[ "$(id -u)" = 0 ] || die "the system test makes a disk with files of root: run it as root"
	use_suite $release_suite
	say "making a system of the suite $release_suite (60 MB to fetch, 300 MB in $cache)"
	mmdebstrap --quiet --mode=root --variant=minbase --include="$packages" \
		--aptopt='Acquire::Check-Valid-Until "false"' \
		$release_suite "$1" "${source_lines[@]}" >&2 ||
		die "mmdebstrap makes no system of the suite $release_suite"
	prepare_root "$1"
}

# base_system: the folder of the system in the cache.
base_system() {
	local folder temporary

	folder=$cache/system-$(printf '%s\n' "$packages" "${masked[@]}" \
		"$(declare -f make_system prepare_root)" | sha256sum | cut -c1-12)
	exec 9>"$cache/lock-system"
	flock 9
	if [ ! -d "$folder" ]; then
		temporary=$(mktemp -d "$cache/system.XXXXXX")
		# shellcheck disable=SC2064 # expand now: the name is local
		trap "rm -rf '$temporary'" EXIT
		make_system "$temporary/root" 9>&-
		mv "$temporary/root" "$folder"
		rm -rf "$temporary"
		trap - EXIT
	fi
	exec 9>&-
	echo "$folder"
}

# install_modules: those of the kernel and of the project.
install_modules() {
	local tree=$root/usr/lib/modules/$release

	mkdir -p "$tree"
	cp -a "$kernel/root/usr/lib/modules/$release"/{kernel,modules.order,modules.builtin*} "$tree"
	(cd "$tree/kernel" && rm -rf "${unused[@]}")
	mkdir "$tree/updates"
	cp "$run/initramfs/run/root/usr/lib/modules/$release"/updates/{kcuckoo,xt_kcuckoo}.ko \
		"$tree/updates"
	/sbin/depmod -b "$root" "$release"
}

# install_project: as make install does, with the units enabled.
install_project() {
	make -s -C "$top/userspace" O="$top/build/userspace" PREFIX=/usr/local DESTDIR="$root" \
		install >"$run/log" 2>&1 || { cat "$run/log" >&2; die "make install failed"; }
	systemctl --quiet --root="$root" enable kcuckoo.service kcuckoo-fetch.timer
}

# configure_network: the same address by ifupdown, systemd-networkd and NetworkManager, of
# which the first is enabled.
configure_network() {
	local folder=$root/etc/NetworkManager connection

	connection=$folder/system-connections/eth0.nmconnection
	configure_ifupdown "$root"
	printf '%s\n' '[Match]' Name=eth0 '[Network]' Address=10.77.0.2/24 \
		>"$root/etc/systemd/network/eth0.network"
	# With the plugin for ifupdown it would leave eth0 alone.
	printf '%s\n' '[main]' plugins=keyfile >"$folder/conf.d/plugins.conf"
	printf '%s\n' '[connection]' id=eth0 type=ethernet interface-name=eth0 \
		'[ipv4]' method=manual address1=10.77.0.2/24 '[ipv6]' method=disabled \
		>"$connection"
	chmod 600 "$connection"
	systemctl --quiet --root="$root" disable NetworkManager.service
}

# configure: what the machine's administrator would do.
configure() {
	configure_network
	mkdir -p "$root/etc/kcuckoo"
	install -m 644 "$here/machine.conf" "$root/etc/kcuckoo"
	echo 10.77.0.66 >"$root/etc/kcuckoo/bad.txt"
}

make_initrd() {
	local tree=$run/early number=10 module

	mkdir -p "$tree"/{dev,modules,root}
	gcc -O2 -Wall -Wextra -static -o "$tree/init" "$here/init.c"
	for module in virtio_pci virtio_blk ext4; do
		/sbin/modprobe -d "$kernel/root" -S "$release" --ignore-install --show-depends $module
	done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' | while read -r module; do
		cp "$module" "$tree/modules/$number-${module##*/}"
		number=$((number + 1))
	done
	(cd "$tree" && find . | cpio --quiet -o -H newc -R 0:0) >"$run/initrd"
}

"$here/../harness/packages.sh" system
kernel=$("$here/../harness/vm/prepare.sh" stock "$run" | tail -n 1)
release=$(cat "$kernel/release")
base=$(base_system)
cp -a "$base" "$root"
install_modules
install_project
install_agent "$root"
configure
make_initrd
make_disk "$root" "$run/disk" 1500M
rm -rf "$root" "$run/early" "$run/initramfs"
echo "$kernel"
