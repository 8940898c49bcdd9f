# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by scripts that build with a kernel's headers. They set the variables top, the
# tree, and folder, the kernel's folder in the cache (kernel.sh).

# in_chroot COMMAND...: run the command in the kernel's chroot, with this tree mounted at the
# same path. The mounts end with the command.
in_chroot() {
	# shellcheck disable=SC2016,SC2154 # for the inner shell to expand; set by the caller
	unshare --mount --pid --fork sh -euc '
		root=$1 top=$2
		shift 2
		mkdir -p "$root$top"
		mount --bind "$top" "$root$top"
		mount -t proc proc "$root/proc"
		exec chroot "$root" "$@"' in_chroot "$folder/chroot" "$top" "$@"
}

# kbuild WORD...: run make in the folder of the kernel's headers: in the chroot, if the kernel
# has one.
kbuild() {
	if [ -d "$folder/chroot" ]; then
		in_chroot make -C "/usr/src/linux-headers-$(cat "$folder/release")" "$@"
	else
		make -C "$folder/kdir" "$@"
	fi
}
