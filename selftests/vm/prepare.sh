#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# prepare.sh KERNEL ROOT
#
# Build what a machine needs when it is missing or older than its sources: kernel,
# module, userspace, initramfs. Fill the folder ROOT with what `make install` would
# install. Print the kernel's folder and the initramfs, a line each.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../.." && pwd -P)
kernel=$1
root=$2

say() {
	echo "vm: $*" >&2
}

# quietly WHAT COMMAND...: its output only if it fails.
quietly() {
	local what=$1 log

	shift
	log=$(mktemp)
	if ! "$@" >"$log" 2>&1; then
		cat "$log" >&2
		rm -f "$log"
		say "$what failed"
		exit 1
	fi
	rm -f "$log"
}

"$top/selftests/packages.sh" vm
folder=$("$here/kernel.sh" "$kernel")
release=$(cat "$folder/release")
build=$top/build/$(basename "$folder")

mkdir -p "$build"
# Several runs may start at once: one builds, the others wait and find it built.
exec 9>"$top/build/lock"
flock 9

# The module is built among links to its sources, so that several kernels share
# them and their objects stay apart.
link_sources() {
	local source link

	find "$build/module" -xtype l -delete 2>/dev/null || :
	(cd "$top" && find Kbuild kmod uapi -name Kbuild -o -name '*.[ch]' ! -name '*.mod.c') |
		while read -r source; do
			link=$build/module/$source
			[ -L "$link" ] || {
				mkdir -p "${link%/*}"
				ln -sr "$top/$source" "$link"
			}
		done
}

build_module() {
	local object=$build/module/kcuckoo.ko

	# The folders are among the sources: a file that came or went touches them.
	if [ ! -e "$object" ] || [ "$folder/release" -nt "$object" ] ||
		[ -n "$(find "$top/Kbuild" "$top/kmod" "$top/uapi" -newer "$object" -print -quit)" ]; then
		say "building the module for $release"
		link_sources
		quietly "building the module" make -s -C "$folder/kdir" \
			M="$build/module" modules 9>&-
		touch "$object"
	fi
}

# depmod wants to see the kernel's own modules beside ours; only what it writes
# and our modules go over the kernel's folder.
index_modules() {
	local tree=$build/modules/lib/modules/$release module

	[ "$tree/modules.dep" -nt "$build/module/kcuckoo.ko" ] && return
	rm -rf "$build/modules"
	mkdir -p "$tree/updates"
	for module in "$build"/module/*.ko; do
		cp "$module" "$tree/updates"
	done
	cp "$folder/root/usr/lib/modules/$release"/modules.{order,builtin*} "$tree"
	ln -s "$folder/root/usr/lib/modules/$release/kernel" "$tree/kernel"
	quietly depmod /sbin/depmod -b "$build/modules" "$release"
	rm "$tree/kernel"
}

build_initrd() {
	local init=$top/build/init number=10 module

	if [ ! "$init" -nt "$here/init.c" ]; then
		quietly "building init" gcc -O2 -Wall -Wextra -static -o "$init" "$here/init.c"
	fi
	[ "$build/initrd" -nt "$init" ] && [ "$build/initrd" -nt "$folder/modules" ] && return
	rm -rf "$build/initramfs"
	mkdir -p "$build/initramfs"/{dev,proc,sys,modules}
	cp "$init" "$build/initramfs/init"
	while read -r module; do
		cp "$folder/$module" "$build/initramfs/modules/$number-${module##*/}"
		number=$((number + 1))
	done <"$folder/modules"
	(cd "$build/initramfs" && find . | cpio --quiet -o -H newc >"$build/initrd.new")
	mv "$build/initrd.new" "$build/initrd"
}

install_userspace() {
	local library

	[ -f "$top/userspace/Makefile" ] || return 0
	quietly "building userspace" make -s -C "$top/userspace" \
		O="$top/build/userspace" DESTDIR="$root" install 9>&-
	# Stands in for the ldconfig of a real installation.
	mkdir -p "$root/usr/lib"
	find "$root" -name 'libkcuckoo.so.*' | while read -r library; do
		ln -sf "${library#"$root"}" "$root/usr/lib/${library##*/}"
	done
}

build_module
index_modules
build_initrd
install_userspace
mkdir -p "$root/usr/lib"
cp -r "$build/modules/lib/modules" "$root/usr/lib"
chmod -R a+rX "$root"

echo "$folder"
# A copy: the next run may rebuild it while this one boots.
cp "$build/initrd" "$root/../../initrd"
echo "$(cd "$root/../.." && pwd -P)/initrd"
