# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by scripts that run commands in a chroot of Debian. As root.

# make_chroot FOLDER SUITE SOURCE PACKAGES: a chroot of a suite, from a line of sources.list,
# with Debian's own minimum and these packages. A mirror may stand still, see debian.sh.
make_chroot() {
	mmdebstrap --quiet --mode=root --variant=apt --include="$4" \
		--aptopt='Acquire::Check-Valid-Until "false"' "$2" "$1" "$3" >&2
	cp -L /etc/resolv.conf /etc/hosts "$1/etc"
}

# inside ROOT COMMAND [SOURCE TARGET]: run a command in a chroot, in which the folder SOURCE
# is mounted at TARGET. No mount and no process outlives it.
inside() {
	# shellcheck disable=SC2016 # for the inner shell to expand
	unshare --mount --pid --fork --kill-child sh -euc '
		for folder in sys dev; do
			mount --rbind --make-rslave /$folder "$1/$folder"
		done
		mount -t proc proc "$1/proc"
		if [ -n "$3" ]; then
			mkdir -p "$1$4"
			mount --bind "$3" "$1$4"
		fi
		exec chroot "$1" env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			sh -c "$2"' inside "$1" "$2" "${3:-}" "${4:-}"
}
