#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# prepare.sh KERNEL RUN
#
# Build each part of a machine that is missing or older than its sources: kernel, module,
# userspace, init, and the program that measures the host's cycle counter for run.sh. Write
# the initramfs RUN/initrd: init, the hot files, what `make install` would install, and
# the folder RUN/initramfs as the caller filled it. Print the kernel's folder.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$here/../../.." && pwd -P)
# shellcheck source=selftests/harness/vm/kbuild.sh
. "$here/kbuild.sh"
kernel=$1
run=$2
root=$run/initramfs/run/root

# If a makefile runs this script, do not pass its options to the calls of make below.
unset MAKEFLAGS MFLAGS MAKELEVEL

say() {
	echo "vm: $*" >&2
}

# quietly WHAT COMMAND...: run the command. If it fails, print its output and exit.
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

"$top/selftests/harness/packages.sh" vm
folder=$("$here/kernel.sh" "$kernel")
release=$(cat "$folder/release")
build=$top/build/$(basename "$folder")

mkdir -p "$build"
# Several runs may start at once: one builds, the others wait and find it built.
exec 9>"$top/build/lock"
flock 9

# Sources of the module, and of the module that tests its interface for other modules.
module_sources='Kbuild kmod uapi selftests/kernel/api'

# Build the module in a folder of links to its sources, so that each kernel has its own
# objects.
link_sources() {
	local source link

	find "$build/module" -xtype l -delete 2>/dev/null || :
	# shellcheck disable=SC2086 # several words
	(cd "$top" && find $module_sources -name Kbuild -o -name '*.[ch]' ! -name '*.mod.c') |
		while read -r source; do
			link=$build/module/$source
			[ -L "$link" ] || {
				mkdir -p "${link%/*}"
				ln -sr "$top/$source" "$link"
			}
		done
}

# Add BTF to the module, so that BPF programs can call it. Skip this if pahole is not
# installed: a demonstration does not need BTF. User-mode Linux has no BTF.
describe_module() {
	command -v pahole >/dev/null && [ "$kernel" != uml-debug ] || return 0
	KSOURCE=$("$top/selftests/harness/ksource.sh") "$top/kmod/btf.sh" "$folder/kdir" \
		"$build/module/kcuckoo.ko" "$folder/vmlinuz"
}

# lacks_btf: return 0 if the module has no BTF although pahole is installed and the kernel
# accepts BTF.
lacks_btf() {
	command -v pahole >/dev/null && [ "$kernel" != uml-debug ] &&
		grep -q '^CONFIG_DEBUG_INFO_BTF_MODULES=y' "$folder/kdir/include/config/auto.conf" &&
		! readelf -SW "$build/module/kcuckoo.ko" | grep -q ' \.BTF '
}

# compile_module WORD...: make in the kernel's headers. A warning is an error: lint
# checks the stock kernel, and this the other kernels that users run.
compile_module() {
	case $kernel in
	rt | 5.10 | 6.12 | newest) set -- W=1 KCFLAGS=-Werror "$@" ;;
	uml-debug) set -- ARCH=um KCFLAGS=-DCONFIG_ARCH_SUPPORTS_INT128=1 "$@" ;;
	esac
	kbuild "$@"
}

# What the module is compiled and described with; the compiler has the name that the
# headers give it.
module_tools='make gcc gcc-12 gcc-14 ld objcopy pahole python3 pkg:libelf pkg:zlib'

build_module() {
	local stamp=$build/module.stamp tools=$build/module.tools

	# shellcheck disable=SC2086 # several words
	"$top/selftests/harness/toolchain.sh" "$tools" $module_tools
	# Objects of another compiler, and a module without BTF, are not kept.
	[ "$stamp" -nt "$tools" ] || rm -rf "$build/module"
	# shellcheck disable=SC2086 # several words
	# The folders are among the sources: a file that came or went touches them.
	if [ -e "$build/module/kcuckoo.ko" ] && [ "$stamp" -nt "$folder/release" ] &&
		[ -z "$(cd "$top" && find $module_sources -newer "$stamp" -print -quit)" ]; then
		return
	fi
	say "building the module for $release"
	link_sources
	# Keep the time of the start: a file that is edited during the build is built next time.
	touch "$stamp.new"
	quietly "building the module" compile_module -s -j"$(nproc)" \
		M="$build/module" KCUCKOO_SELFTESTS=m modules 9>&-
	rm -f "$build/modules/done"
	quietly "describing the module" describe_module 9>&-
	# A module that lacks BTF for another reason, no network for instance, is tried again.
	lacks_btf || mv "$stamp.new" "$stamp"
}

# depmod needs the modules of the kernel and of this tree in one folder. Only its output
# and the modules of this tree are laid over the kernel's folder.
index_modules() {
	local new=$build/modules.new tree module

	[ -e "$build/modules/done" ] && return
	rm -rf "$build/modules" "$new"
	tree=$new/lib/modules/$release
	mkdir -p "$tree/updates"
	for module in "$build"/module/*.ko "$build"/module/selftests/kernel/api/*.ko; do
		cp "$module" "$tree/updates"
	done
	cp "$folder/root/usr/lib/modules/$release"/modules.{order,builtin*} "$tree"
	ln -s "$folder/root/usr/lib/modules/$release/kernel" "$tree/kernel"
	quietly depmod /sbin/depmod -b "$new" "$release"
	rm "$tree/kernel"
	touch "$new/done"
	mv "$new" "$build/modules"
}

# Programs that scripts start often. To open a file over 9p takes several messages between
# the machine and the host. With these programs and their libraries in memory, a script of
# small commands runs four times as fast.
hot_programs='bash dash sh awk mawk grep sed find xargs
	[ basename cat chmod cmp comm cp cut date dd dirname echo env expr false head id
	kill ln ls mkdir mktemp mv od paste printf pwd readlink realpath rm rmdir seq
	sha256sum sleep sort stat stdbuf tail tee test timeout touch tr true uname uniq wc
	dmesg kmod modprobe rmmod mount umount nsenter setpriv unshare ip ping
	nft ipset jq gzip'

# Files that each program opens when it starts, because init.c sets LANG to C.UTF-8.
hot_locale='/usr/lib/locale/C.utf8 /usr/share/locale/locale.alias /etc/locale.alias
	/usr/lib/x86_64-linux-gnu/gconv/gconv-modules.cache'

# libraries_of FILE: print the libraries that the program loads.
libraries_of() {
	{ ldd "$1" 2>/dev/null || :; } | sed -n 's|^[^/]*\(/[^ ]*\).*|\1|p'
}

# hot_files: print the files of these programs and of the locale, the libraries of the
# programs and of the command, and the links to all of them.
hot_files() {
	local program path

	{
		for program in $hot_programs; do
			PATH=/usr/sbin:/usr/bin type -P "$program" || :
		done
		# shellcheck disable=SC2086 # several words
		find $hot_locale ! -type d 2>/dev/null || :
		libraries_of "$top/build/userspace/kcuckoo"
	} | while read -r path; do
		# Every link of a chain, such as awk -> /etc/alternatives/awk -> mawk.
		while [ -L "$path" ]; do
			echo "$path"
			path=$(cd "${path%/*}" && readlink "$path" | sed "s|^[^/]|$PWD/&|")
		done
		echo "$path"
		libraries_of "$path" | while read -r library; do
			echo "$library"
			realpath "$library"
		done
	done
	printf '%s\n' /bin /sbin /lib /lib64 /etc/ld.so.cache /etc/passwd /etc/group \
		/etc/nsswitch.conf
}

# build_program NAME OPTION...: build NAME.c of this script's folder.
build_program() {
	local program=$top/build/$1 header=$top/uapi/linux/kcuckoo.h

	[ "$program" -nt "$here/$1.c" ] && [ "$program" -nt "$header" ] &&
		[ "$program" -nt "$build/module.tools" ] && return
	quietly "building $1" gcc -O2 -Wall -Wextra -I"$top/uapi" "${@:2}" \
		-o "$program.new" "$here/$1.c"
	mv "$program.new" "$program"
}

build_initrd() {
	local init=$top/build/init tree=$build/initramfs number=10 module path

	# Programs and libraries of the host change with its packages.
	for path in "$init" "$folder/modules" "$here/prepare.sh" /var/lib/dpkg/status \
		/etc/ld.so.cache /etc/passwd /etc/group; do
		[ "$build/initrd" -nt "$path" ] || break
		path=
	done
	[ -n "$path" ] || return 0

	rm -rf "$tree"
	mkdir -p "$tree"/{dev,proc,sys,modules,hot/usr}
	cp "$init" "$tree/init"
	while read -r module; do
		path=$tree/modules/$number-${module##*/}
		case $module in
		*.xz) xz -dc "$folder/$module" >"${path%.xz}" ;;
		*) cp "$folder/$module" "$path" ;;
		esac
		number=$((number + 1))
	done <"$folder/modules"
	hot_files | sort -u | while read -r path; do
		# Below the links /bin, /lib and so on, where the host has them.
		[ -L "$path" ] && [ "${path%/*}" = '' ] || path=$(realpath "${path%/*}")/${path##*/}
		mkdir -p "$tree/hot${path%/*}"
		[ ! -e "$path" ] || cp -Pp "$path" "$tree/hot$path"
	done
	archive "$tree" >"$build/initrd.new"
	mv "$build/initrd.new" "$build/initrd"
}

# archive FOLDER: print an archive that the kernel can unpack as initramfs.
archive() {
	(cd "$1" && find . | cpio --quiet -o -H newc -R 0:0)
}

install_userspace() {
	local library

	[ -f "$top/userspace/Makefile" ] || return 0
	quietly "building userspace" make -s -j"$(nproc)" -C "$top/userspace" \
		O="$top/build/userspace" PREFIX=/usr/local DESTDIR="$root" install 9>&-
	# Make the links that ldconfig would make in a real installation.
	mkdir -p "$root/usr/lib"
	find "$root" -name 'libkcuckoo.so.*' | while read -r library; do
		ln -sf "${library#"$root"}" "$root/usr/lib/${library##*/}"
	done
}

build_module
index_modules
build_program init -static
build_program cycles
mkdir -p "$root/usr/lib"
install_userspace
build_initrd
cp -r "$build/modules/lib/modules" "$root/usr/lib"
chmod -R a+rX "$root"
# Make a copy, because the next run can build while this machine boots. The kernel accepts
# several archives in sequence.
{
	cat "$build/initrd"
	archive "$run/initramfs"
} >"$run/initrd"
echo "$folder"
