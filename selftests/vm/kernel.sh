#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel.sh stock|debug
#
# Print the folder of a kernel in the cache, fetched or built first if need be:
#   vmlinuz                     what QEMU boots
#   release                     its uname -r
#   kdir                        what modules are built against
#   root/usr/lib/modules/...    its own modules
#   modules                     those needed before the root is mounted, in order

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
# shellcheck source=selftests/debian.sh
. "$here/../debian.sh"

# Modules of a kernel that has them as such; built-in ones are passed over.
early_modules='virtio_pci virtio_console 9pnet_virtio 9p overlay'

# list_early_modules FOLDER: what modprobe would load for them, in order.
list_early_modules() {
	local module

	for module in $early_modules; do
		/sbin/modprobe -d "$1/root" -S "$(cat "$1/release")" \
			--ignore-install --show-depends "$module"
	done | sed -n 's|^insmod .*/root/lib/modules/|root/usr/lib/modules/|p' |
		sed 's/ *$//' | awk '!seen[$0]++' >"$1/modules"
}

# index_modules FOLDER: what depmod leaves, which packages do not carry.
index_modules() {
	ln -sfn usr/lib "$1/root/lib"
	/sbin/depmod -b "$1/root" "$(cat "$1/release")"
	list_early_modules "$1"
}

# In a folder of the cache the headers are elsewhere than their makefile thinks.
relocate_headers() {
	local makefile=$1/Makefile

	# shellcheck disable=SC2016 # for make to expand
	sed -i 's|^include /usr/src/|include $(dir $(lastword $(MAKEFILE_LIST)))../|' \
		"$makefile"
	grep -q 'MAKEFILE_LIST' "$makefile" ||
		die "the headers' makefile has changed: $makefile"
}

fetch_# remembered NAME: the folder chosen last time, unless apt's lists have changed
# since (asking apt takes half a second).
remembered() {
	local known=$cache/$1.current

	[ "$known" -nt /var/lib/apt/lists ] && [ -e "$cache/$(cat "$known")/release" ] &&
		cat "$known"
}

# newest_cached NAME: where apt offers nothing (no lists, no network).
newest_cached() {
	cat "$cache/$1.current" 2>/dev/null
}

stock() {
	local image version folder

	if folder=$(remembered stock); then
		echo "$cache/$folder"
		return
	fi
	if version=$(candidate linux-image-amd64); then
		folder=stock-$version
		if [ ! -d "$cache/$folder" ]; then
			image=$(dependency linux-image-amd64 linux-image-)
			fetch_stock "$image" "$version" "$cache/$folder"
		fi
	else
		folder=$(newest_cached stock) ||
			die "apt offers no linux-image-amd64 and the cache has none"
	fi
	echo "$folder" >"$cache/stock.current"
	echo "$cache/$folder"
}

# What the debug kernel does not compile is not unpacked: 0.5 GB instead of 1.3.
unpack_source() {
	local version=$1 folder=$2 temporary archive arch exclude=()

	temporary=$(mktemp -d "$cache/source.XXXXXX")
	# shellcheck disable=SC2064 # expand now: the name is local
	trap "rm -rf '$temporary'" EXIT
	say "unpacking linux-source-6.1 $version (500 MB in $cache)"
	archive=$(source_archive "$temporary" "$version")
	for arch in alpha arc arm arm64 csky hexagon ia64 loongarch m68k microblaze \
		mips nios2 openrisc parisc powerpc riscv s390 sh sparc xtensa; do
		exclude+=("--exclude=*/arch/$arch/*.[chS]")
	done
	for part in gpu media staging infiniband scsi iio net/ethernet net/wireless; do
		exclude+=("--exclude=*/drivers/$part/*.[ch]")
	done
	tar -xJf "$archive" -C "$temporary" "${exclude[@]}" --exclude='*/sound/*.[ch]' \
		--exclude='*/Documentation/*.[rty][sxa][tm]*' --exclude='*.dts*' \
		--exclude='*/tools/perf/*' --exclude='*/tools/testing/*'
	mv "$temporary/linux-source-6.1" "$folder"
	rm -rf "$temporary"
	trap - EXIT
}

# configure SOURCE BUILD: exactly what debug.config asks for, or an error.
configure() {
	local dropped

	KCONFIG_ALLCONFIG=$here/debug.config \
		make -s -C "$1" O="$2" allnoconfig >/dev/null
	dropped=$(grep -E '^(# )?CONFIG_' "$here/debug.config" |
		grep -vxFf "$2/.config" || :)
	[ -z "$dropped" ] || die "Kconfig drops from debug.config:" "$dropped"
}

build_debug() {
	local config version source folder

	config=debug-$(sha256sum "$here/debug.config" | cut -c1-12)
	if folder=$(remembered "$config"); then
		echo "$cache/$folder"
		return
	fi
	if version=$(candidate linux-source-6.1); then
		source=$cache/linux-source-6.1_$version
		folder=$config-$version
		if [ ! -e "$cache/$folder/done" ]; then
			"$here/../packages.sh" debug
			[ -d "$source" ] || unpack_source "$version" "$source"
			build_debug "$source" "$cache/$folder"
		fi
	else
		folder=$(newest_cached "$config") ||
			die "apt offers no linux-source-6.1 and the cache has no debug kernel"
	fi
	echo "$folder" >"$cache/$config.current"
	echo "$cache/$folder"
}

[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] ||
	die "kernels come from Debian's amd64 packages: this needs Debian on amd64"

# One at a time: whoever waits finds the kernel made.
exec 9>"$cache/lock-${1:?which kernel}"
flock 9
case $1 in
stock | debug) "$1" 9>&- ;;
*) die "unknown kernel '$1'" ;;
esac
