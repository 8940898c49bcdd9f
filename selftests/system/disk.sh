# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What image.sh and ../packages/boot.sh change in a system of Debian, so that machine.sh can
# boot it. A script sources this file.

# Units without a use here, which would make each boot longer.
masked=(apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer
	e2scrub_reap.service fstrim.timer getty@tty1.service serial-getty@ttyS0.service
	NetworkManager-wait-online.service systemd-networkd-wait-online.service
	systemd-logind.service systemd-timesyncd.service systemd-update-utmp.service
	systemd-update-utmp-runlevel.service)

# prepare_root ROOT: a fixed machine id, the disk of the machine, and no units without a use.
prepare_root() {
	local unit

	rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/* "$1"/usr/share/{doc,locale,man}/*
	# Without one, systemd would enable all units in the first boot.
	echo 0123456789abcdef0123456789abcdef >"$1/etc/machine-id"
	echo kcuckoo >"$1/etc/hostname"
	echo '/dev/vda / ext4 errors=remount-ro 0 1' >"$1/etc/fstab"
	for unit in "${masked[@]}"; do
		ln -sf /dev/null "$1/etc/systemd/system/$unit"
	done
}

# install_agent ROOT: the host sends scripts to the agent.
install_agent() {
	local folder

	folder=$(dirname "${BASH_SOURCE[0]}")
	install -m 755 "$folder/agent.sh" "$1/usr/local/sbin"
	install -m 644 "$folder"/{agent,overdue}.service "$1/etc/systemd/system"
	systemctl --quiet --root="$1" enable agent.service overdue.service
	mkdir -p "$1/var/log/journal"
}

# configure_ifupdown ROOT: the address to which machine.sh sends its frames.
configure_ifupdown() {
	printf '%s\n' 'auto lo eth0' 'iface lo inet loopback' 'iface eth0 inet static' \
		'	address 10.77.0.2/24' >"$1/etc/network/interfaces"
}

# make_disk ROOT FILE SIZE: a disk with the files of a folder.
make_disk() {
	mke2fs -q -t ext4 -d "$1" "$2" "$3" >&2
}
