#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel.sh [--has] stock|rt|5.10|6.12|newest|debug|kcsan|gcov|uml|uml-debug
#
# With --has: exit 0 if the cache has the kernel, which must be one that is built from
# source. Otherwise print the folder of a kernel in the cache, fetched or built first if need be:
#   vmlinuz                     what QEMU boots, or user-mode Linux itself
#   release                     its uname -r
#   kdir                        what modules are built against
#   chroot                      where they have to be built there: a system that the
#                               kernel's headers fit, with kdir in it
# and where it has modules
#   root/usr/lib/modules/...    its own modules
#   modules                     those needed before the root is mounted, in order

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
# shellcheck source=selftests/harness/debian.sh
. "$here/../debian.sh"

# If a makefile runs this script, do not pass its options to the calls of make below.
unset MAKEFLAGS MFLAGS MAKELEVEL

# Modules of a kernel that has them as such; built-in ones are passed over.
early_modules='virtio_pci virtio_console 9pnet_virtio 9p overlay'

# list_early_modules FOLDER: list the files that modprobe loads for the early modules, in order.
list_early_modules() {
	local module

	for module in $early_modules; do
		/sbin/modprobe -d "$1/root" -S "$(cat "$1/release")" \
			--ignore-install --show-depends "$module"
	done | sed -n 's|^insmod .*/root/lib/modules/|root/usr/lib/modules/|p' |
		sed 's/ *$//' | awk '!seen[$0]++' >"$1/modules"
}

# index_modules FOLDER: make the indexes of depmod, which the packages do not contain.
index_modules() {
	ln -sfn usr/lib "$1/root/lib"
	/sbin/depmod -b "$1/root" "$(cat "$1/release")"
	list_early_modules "$1"
}

# The makefile of the headers has their installed path; make it relative for the cache.
relocate_headers() {
	local makefile=$1/Makefile

	# shellcheck disable=SC2016 # for make to expand
	sed -i 's|^include /usr/src/|include $(dir $(lastword $(MAKEFILE_LIST)))../|' \
		"$makefile"
	grep -q 'MAKEFILE_LIST' "$makefile" ||
		die "the headers' makefile has changed: $makefile"
}

# built_in_chroot: return 0 if this kernel's headers need other compilers and libraries
# than those of the host.
built_in_chroot() {
	case $kind in
	5.10 | newest) ;;
	*) return 1 ;;
	esac
}

# packages_of RELEASE: print the packages of this kernel, and of its headers unless they
# are in a chroot. Newer kernels have the image and the modules in two packages.
packages_of() {
	echo "linux-image-$1"
	dependencies "linux-image-$1" 'linux-(base|binary|modules)-.*' || :
	if ! built_in_chroot; then
		echo "linux-headers-$1"
		dependencies "linux-headers-$1" 'linux-(headers|kbuild)-.*'
	fi
}

# versions VERSION: print each package that stdin names as PACKAGE=VERSION, for apt. The headers
# accept a linux-kbuild that is newer than they are, and the archive has only its newest version:
# signed images are built after their unsigned source package, from which linux-kbuild comes.
versions() {
	local package version

	while read -r package; do
		version=$1
		case $package in
		linux-kbuild-*)
			version=$(candidate "$package") || die "apt offers no $package"
			;;
		esac
		echo "$package=$version"
	done
}

# unpack_image DEBS NEW RELEASE: move the image and the modules to NEW. Their places in the
# packages depend on the version.
unpack_image() {
	local tree=$1/usr/lib/modules

	if [ -d "$1/lib/modules" ]; then
		tree=$1/lib/modules
	fi
	if [ -f "$1/boot/vmlinuz-$3" ]; then
		mv "$1/boot/vmlinuz-$3" "$2/vmlinuz"
	else
		mv "$tree/$3/vmlinuz" "$2/vmlinuz"
	fi
	rm -f "$tree/$3"/{build,source}
	mkdir -p "$2/root/usr/lib"
	mv "$tree" "$2/root/usr/lib/modules"
}

unpack_headers() {
	mkdir -p "$2/headers/usr"
	mv "$1/usr/src" "$1/usr/lib" "$2/headers/usr"
	relocate_headers "$2/headers/usr/src/linux-headers-$3"
	ln -s "headers/usr/src/linux-headers-$3" "$2/kdir"
}

# make_chroot NEW RELEASE: make a chroot, because the programs of these headers need other
# libraries, and the kernel another compiler, than those of the host. Packages of backports
# also need the suite for which they are made.
make_chroot() {
	local base=${suite%-backports} sources=("${source_lines[@]}")

	[ "$base" = "$suite" ] || sources=("${sources[0]/ $suite / $base }" "${sources[@]}")
	"$here/../packages.sh" newest
	[ "$(id -u)" = 0 ] ||
		die "the modules of kernel $kind are built in a chroot, which takes root"
	say "making a chroot of the suite $suite for its headers (500 MB in $cache)"
	mmdebstrap --quiet --mode=root --variant=apt \
		--include="linux-headers-$2,make,gcc" \
		--aptopt='Acquire::Check-Valid-Until "false"' \
		"$base" "$1/chroot" "${sources[@]}" >&2 ||
		die "mmdebstrap makes no chroot of the suite $suite"
	ln -s "chroot/usr/src/linux-headers-$2" "$1/kdir"
}

# fetch IMAGE VERSION FOLDER: make FOLDER from the packages of a kernel.
fetch() {
	local release=${1#linux-image-} version=$2 temporary packages names

	temporary=$(mktemp -d "$cache/$kind.XXXXXX")
	# shellcheck disable=SC2064 # expand now: the name is local
	trap "rm -rf '$temporary'" EXIT

	say "fetching $1 $version and its headers (130 MB to fetch, 500 MB in $cache)"
	mkdir "$temporary/debs" "$temporary/new"
	names=$(packages_of "$release" | versions "$version")
	mapfile -t packages <<<"$names"
	download "$temporary/debs" "${packages[@]}"
	for deb in "$temporary"/debs/*.deb; do
		dpkg-deb -x "$deb" "$temporary/debs"
	done

	echo "$release" >"$temporary/new/release"
	unpack_image "$temporary/debs" "$temporary/new" "$release"
	if built_in_chroot; then
		make_chroot "$temporary/new" "$release"
	else
		unpack_headers "$temporary/debs" "$temporary/new" "$release"
	fi
	index_modules "$temporary/new"
	chmod a+rX "$temporary/new"
	chmod -R a+rX "$temporary/new/root"
	mv "$temporary/new" "$3"
	rm -rf "$temporary"
	trap - EXIT
}

# fetched PACKAGE: print the folder of the kernel on which PACKAGE depends.
fetched() {
	local image version folder

	if folder=$(remembered "$kind"); then
		echo "$cache/$folder"
		return
	fi
	if version=$(candidate "$1"); then
		folder=$kind-$version
		if [ ! -d "$cache/$folder" ]; then
			image=$(dependencies "$1" 'linux-image-.*')
			fetch "$image" "$version" "$cache/$folder"
		fi
	else
		folder=$(newest_cached "$kind") || die "apt offers no" \
			"$1${suite:+ in the suite $suite} and the cache has none"
	fi
	echo "$folder" >"$cache/$kind.current"
	echo "$cache/$folder"
}

# from_suite SUITE [-security]: print the folder of the kernel of another suite.
from_suite() {
	use_suite "$@"
	fetched linux-image-amd64
}

# pinned FILE: print the folder of the kernel that has the suite and the version in FILE.
pinned() {
	local name version found image folder

	read -r name version <"$1"
	folder=$kind-$version
	if [ ! -d "$cache/$folder" ]; then
		use_suite "$name"
		found=$(candidate linux-image-amd64) ||
			die "apt offers no linux-image-amd64 in the suite $suite and the" \
				"cache has no $version of it, which selftests/harness/vm/newest pins"
		[ "$found" = "$version" ] ||
			die "selftests/harness/vm/newest pins linux-image-amd64 $version, but the" \
				"suite $suite has $found now: 'selftests/harness/vm/newest.sh'" \
				"shows what is newest, with --pin it pins that; run" \
				"'make test-kernels KERNELS=newest' and commit the file"
		image=$(dependencies linux-image-amd64 'linux-image-.*')
		fetch "$image" "$version" "$cache/$folder"
	fi
	echo "$cache/$folder"
}

# Unpack only the sources that the kernels for tests compile: 0.5 GB instead of 1.3 GB.
unpack_source() {
	local version=$1 folder=$2 temporary archive arch exclude=()

	temporary=$(mktemp -d "$cache/source.XXXXXX")
	# shellcheck disable=SC2064 # expand now: the name is local
	trap "rm -rf '$temporary'" EXIT
	say "unpacking linux-source-6.1 $version (650 MB in $cache)"
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

# configure SOURCE BUILD CONFIG ARGUMENT...: configure the kernel. It is an error if Kconfig
# changes an option of CONFIG.
configure() {
	local config=$3 dropped

	KCONFIG_ALLCONFIG=$config \
		make -s -C "$1" O="$2" "${@:4}" allnoconfig >/dev/null
	dropped=$(grep -E '^(# )?CONFIG_' "$config" |
		grep -vxFf "$2/.config" || :)
	[ -z "$dropped" ] || die "Kconfig drops of the $kind kernel:" "$dropped"
}

# compile SOURCE FOLDER ARGUMENT...: compile the kernel, or continue an interrupted build.
compile() {
	local source=$1 folder=$2

	mkdir -p "$folder/build"
	configure "$source" "$folder/build" "$folder/asked.config" "${@:3}"
	nice make -s -j"$(nproc)" -C "$source" O="$folder/build" "${@:3}" \
		KBUILD_BUILD_USER=kcuckoo KBUILD_BUILD_HOST=vm \
		>"$folder/log" 2>&1 && return
	tail -n 20 "$folder/log" >&2
	die "the $kind kernel does not build; the whole log: $folder/log"
}

# Create the file "done", which marks a complete build.
finish_build() {
	ln -sfn build "$1/kdir"
	touch "$1/done"
	say "$kind kernel built in $SECONDS s"
}

# build_machine SOURCE FOLDER ARGUMENT...: build a kernel of the virtual machine.
build_machine() {
	local source=$1 folder=$2

	say "building the $kind kernel: about 12 minutes of one processor, 700 MB in $cache"
	compile "$source" "$folder" "${@:3}"
	make -s -C "$folder/build" INSTALL_MOD_PATH="$folder/root/usr" \
		modules_install >>"$folder/log" 2>&1
	rm -f "$folder"/root/usr/lib/modules/*/{build,source}
	make -s -C "$folder/build" kernelrelease >"$folder/release"
	ln -sfn build/arch/x86/boot/bzImage "$folder/vmlinuz"
	index_modules "$folder"
	finish_build "$folder"
}

# KCSAN checks only the modules that are built against this kernel, not the kernel itself.
# But KCSAN must know that the kernel's locks are memory barriers. Otherwise it would
# assume that a read under a lock can happen after the unlock.
build_kcsan() {
	build_machine "$@" KCSAN_SANITIZE=n \
		KCSAN_INSTRUMENT_BARRIERS_{mutex,spinlock}.o=y
}

# User-mode Linux lacks the 128-bit integers of x86-64. Its modules must be built with the
# same arguments.
uml=(ARCH=um KCFLAGS=-DCONFIG_ARCH_SUPPORTS_INT128=1)

# User-mode Linux supports at most 2,696 bytes of registers: on a processor with AMX its
# first process ends at once. After this change it saves only the 512 bytes of SSE. The
# host keeps the other registers of each process.
narrow_registers() {
	sed -i 's/have_xstate_support = 1;/have_xstate_support = 0;/' \
		"$1/arch/x86/um/os-Linux/registers.c"
}

# User-mode Linux walks the mappings of a new process without the mmap lock, so lockdep
# reports an error. Take the lock.
lock_walk() {
	grep -q mmap_read_lock "$1/arch/um/kernel/tlb.c" || sed -i '
		/^void force_flush_all/,/^}/ {
			s/^\tfor_each_vma.*/\tmmap_read_lock(mm);\n&/
			s/^}/\tmmap_read_unlock(mm);\n}/
		}' "$1/arch/um/kernel/tlb.c"
}

# User-mode Linux takes each word of a stack that can be a code address for a caller. If
# frame pointers exist, use only the callers that they lead to. The checks store the callers
# of each allocation, and need half of their time to find them.
follow_frames() {
	local look='if (__kernel_text_address(addr))'
	local frame='!IS_ENABLED(CONFIG_FRAME_POINTER) || (long)sp == bp + sizeof(long)'

	sed -i "s/$look/if (($frame) \&\& ${look#if (}/" \
		"$1/arch/um/kernel/stacktrace.c"
}

build_uml() {
	local source=$1 folder=$2

	narrow_registers "$source"
	lock_walk "$source"
	follow_frames "$source"
	say "building user-mode Linux: about 8 minutes of one processor, 200 MB in $cache"
	compile "$source" "$folder" "${uml[@]}"
	# This installs no modules, but the lists of built-in modules.
	make -s -C "$folder/build" "${uml[@]}" INSTALL_MOD_PATH="$folder/root/usr" \
		modules_install >>"$folder/log" 2>&1
	rm -f "$folder"/root/usr/lib/modules/*/{build,source}
	: >"$folder/modules"
	make -s -C "$folder/build" "${uml[@]}" kernelrelease >"$folder/release"
	ln -sfn build/linux "$folder/vmlinuz"
	finish_build "$folder"
}

# last_words FILE...: print the lines of all files. If an option occurs more than once, print
# only its last line.
last_words() {
	cat "$@" | tac | awk '
		{ name = $1 == "#" ? $2 : $1; sub(/=.*/, "", name) }
		name !~ /^CONFIG_/ || !seen[name]++' | tac
}

# built BUILDER CONFIG...: print the folder of the kernel that BUILDER makes from these files.
built() {
	local config version source folder

	config=$kind-$(cat "${@:2}" | sha256sum | cut -c1-12)
	if [ -n "$has" ]; then
		compgen -G "$cache/$config-*/done" >/dev/null
		return
	fi
	if folder=$(remembered "$config"); then
		echo "$cache/$folder"
		return
	fi
	if version=$(candidate linux-source-6.1); then
		source=$cache/linux-source-6.1_$version
		folder=$config-$version
		if [ ! -e "$cache/$folder/done" ]; then
			"$here/../packages.sh" debug
			exec 8>"$cache/lock-source"
			flock 8
			[ -d "$source" ] || unpack_source "$version" "$source"
			exec 8>&-
			mkdir -p "$cache/$folder"
			last_words "${@:2}" >"$cache/$folder/asked.config"
			"$1" "$source" "$cache/$folder"
		fi
	else
		folder=$(newest_cached "$config") ||
			die "apt offers no linux-source-6.1 and the cache has no $kind kernel"
	fi
	echo "$folder" >"$cache/$config.current"
	echo "$cache/$folder"
}

[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] ||
	die "kernels come from Debian's amd64 packages: this needs Debian on amd64"

# Only one process makes a kernel. Other processes wait, and then use this kernel.
# Processes that make another kernel do not wait.
has=
if [ "${1:-}" = --has ]; then
	has=yes
	shift
fi
kind=${1:?which kernel}
case $has$kind in
yesdebug | yeskcsan | yesgcov | yesuml*) ;;
yes*) die "--has is for kernels that are built from source, not for '$kind'" ;;
esac
exec 9>"$cache/lock-$kind"
flock 9
case $kind in
stock) fetched linux-image-amd64 9>&- ;;
rt) fetched linux-image-rt-amd64 9>&- ;;
5.10) from_suite bullseye -security 9>&- ;;
6.12) from_suite "$(codename)-backports" 9>&- ;;
newest) pinned "$here/newest" 9>&- ;;
debug | gcov) built build_machine "$here"/{base,"$kind"}.config 9>&- ;;
kcsan) built build_kcsan "$here"/{base,"$kind"}.config 9>&- ;;
uml) built build_uml "$here/../../bench/uml.config" 9>&- ;;
uml-debug) built build_uml "$here/../../bench/uml.config" "$here/$kind.config" 9>&- ;;
*) die "unknown kernel '$kind'" ;;
esac
