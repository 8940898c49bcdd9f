#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# btf.sh KDIR MODULE [IMAGE]: write BTF, the description of types and functions, into
# MODULE, which was built against KDIR. BPF programs can call only a module that has BTF.
# The Makefile calls this script after the module is built.
#
# Two inputs are not in the packages of kernel headers:
#   the kernel's BTF    from the running kernel if the module is built for that one,
#                       else from IMAGE, by default the installed image
#   resolve_btfids      the tool that writes the numbers of functions; from the headers
#                       if they have it, else built from the kernel's source: the folder
#                       $KSOURCE or an installed linux-source
# Both are kept in the cache. If an input is missing, the module stays without BTF and
# works without BPF: one line names the packages to install, and the exit status is 0.

set -eu
kdir=$1
module=$2
image=${3:-}

release=$(cut -d\" -f2 "$kdir/include/generated/utsrelease.h")
version=$(echo "$release" | sed 's/^\([0-9]*\.[0-9]*\).*/\1/')
packages=	# packages to install for the missing inputs

has_btf() {
	readelf -SW "$module" | grep -q ' \.BTF '
}

# without REASON: leave the module as it is, print the reason, and exit.
without() {
	echo "note: ${module##*/} has no BTF: XDP and tc programs cannot call it ($1)"
	exit 0
}

# find_cache: set cache to the folder of the cache. The environment of a service has no
# HOME. A folder that other users can write to, such as /tmp, is not safe: this script
# runs programs from the cache.
find_cache() {
	cache=${KCUCKOO_CACHE:-}
	[ -z "$cache" ] || return 0
	home=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
	[ -n "$home" ] || without "there is no home folder: set KCUCKOO_CACHE"
	cache=$home/.cache/kcuckoo
}

# need PACKAGE COMMAND...: run the command; if it fails, add PACKAGE to packages.
need() {
	package=$1
	shift
	"$@" >/dev/null 2>&1 || packages="$packages $package"
}

has_header() {
	echo "#include <$1>" | cc -E -
}

# number OFFSET SIZE: print an unsigned number from the header of the image.
number() {
	od -An -t "u$2" -j "$1" -N "$2" "$image" | tr -d ' '
}

# unpack_image: write the kernel inside a bzImage, an ELF file, to vmlinux. The header of
# the bzImage has its offset and length (Documentation/x86/boot.rst).
unpack_image() {
	start=$((($(number 497 1) + 1) * 512 + $(number 584 4)))
	# The last four bytes are the unpacked size and do not belong to the packed data.
	length=$(($(number 588 4) - 4))
	tail -c +$((start + 1)) "$image" | head -c "$length" >"$scratch/packed"
	case $(od -An -t x1 -N 4 "$scratch/packed" | tr -d ' ') in
	fd377a58) xz -dc <"$scratch/packed" ;;
	28b52ffd) zstd -dcq <"$scratch/packed" ;;
	1f8b*) gzip -dc <"$scratch/packed" ;;
	*) return 1 ;;
	esac >"$scratch/vmlinux"
}

# find_base: set image to the installed image unless the caller named another one, and
# base to the BTF of this kernel in the cache. Succeed if one of the two exists.
find_base() {
	[ -n "$image" ] || image=/boot/vmlinuz-$release
	base=$(find "$cache" -maxdepth 1 -name "btf-$release-*" 2>/dev/null | head -n 1)
	[ -r "$image" ] || [ -n "$base" ]
}

# kernel_btf: set base to a file with the kernel's BTF.
kernel_btf() {
	if [ "$(uname -r)" = "$release" ] && [ -r /sys/kernel/btf/vmlinux ]; then
		base=/sys/kernel/btf/vmlinux
		return
	fi
	[ -r "$image" ] || return 0
	base=$cache/btf-$release-$(sha256sum "$image" | cut -c1-12)
	[ ! -e "$base" ] || return 0
	unpack_image || without "cannot unpack $image"
	objcopy --dump-section ".BTF=$scratch/btf" --only-section=.BTF \
		"$scratch/vmlinux" "$scratch/rest" 2>"$scratch/log" || without "$image has no BTF"
	# Another image of the same release has other BTF, which is no longer needed.
	rm -f "$cache/btf-$release-"*
	mv "$scratch/btf" "$base"
}

# find_source: set archive to the newest installed kernel source.
find_source() {
	archive=$(find /usr/src -maxdepth 1 -name 'linux-source-*.tar.xz' 2>/dev/null |
		sort -V | tail -n 1)
	[ -n "$archive" ]
}

# find_resolver: set resolver to the path of resolve_btfids, which build_resolver builds
# if it does not exist yet. Fail if there is neither the program nor a source.
find_resolver() {
	resolver=$kdir/tools/bpf/resolve_btfids/resolve_btfids
	[ ! -x "$resolver" ] || return 0
	if [ -n "${KSOURCE:-}" ]; then
		resolver=$cache/resolve_btfids-${KSOURCE##*/}
	elif find_source; then
		resolver=$cache/resolve_btfids-$(basename "$archive" .tar.xz)-$(stat -Lc %s "$archive")
	else
		resolver=$(find "$cache" -maxdepth 1 -name 'resolve_btfids-*' 2>/dev/null |
			sort -V | tail -n 1)
		[ -n "$resolver" ]
	fi
}

# build_resolver: build resolve_btfids from the source unless it exists; takes 10 seconds.
build_resolver() {
	[ ! -x "$resolver" ] || return 0
	source=${KSOURCE:-$scratch/source}
	if [ -z "${KSOURCE:-}" ]; then
		mkdir "$source"
		tar -xJf "$archive" -C "$source" --strip-components=1 --wildcards \
			'*/tools/bpf/resolve_btfids' '*/tools/lib' '*/tools/build' \
			'*/tools/include' '*/tools/scripts' '*/tools/arch/x86/include' \
			'*/include/uapi/linux/bpf.h' '*/scripts/bpf_doc.py'
	fi
	mkdir "$scratch/resolver"
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s \
		-C "$source/tools/bpf/resolve_btfids" OUTPUT="$scratch/resolver/" \
		HOSTCC=cc HOSTLD=ld HOSTAR=ar HOSTPKG_CONFIG=pkg-config \
		>"$scratch/log" 2>&1 || {
		tail -n 5 "$scratch/log" >&2
		without "cannot build resolve_btfids"
	}
	mv "$scratch/resolver/resolve_btfids" "$resolver"
}

# describe: add BTF to the module, with the steps of the kernel's own makefile.
describe() {
	flags=$(PAHOLE=pahole "$kdir/scripts/pahole-flags.sh" 2>/dev/null || :)
	cp "$module" "$scratch/module"
	# shellcheck disable=SC2086 # a list of options
	if ! LLVM_OBJCOPY=objcopy pahole -J $flags --btf_base "$base" \
		"$scratch/module" >"$scratch/log" 2>&1 ||
		! "$resolver" -b "$base" "$scratch/module" >"$scratch/log" 2>&1; then
		cat "$scratch/log" >&2
		without "pahole or resolve_btfids failed"
	fi
	mv "$scratch/module" "$module"
	echo "  BTF     $module"
}

has_btf && exit 0
grep -q '^CONFIG_DEBUG_INFO_BTF_MODULES=y' "$kdir/include/config/auto.conf" ||
	without "the kernel $release has no CONFIG_DEBUG_INFO_BTF_MODULES"

find_cache
need dwarves command -v pahole
[ "$(uname -r)" = "$release" ] || need "linux-image-$release" find_base
if need "linux-source-$version" find_resolver && [ ! -x "$resolver" ]; then
	need gcc command -v cc
	need libelf-dev has_header gelf.h
	need zlib1g-dev has_header zlib.h
	need python3 command -v python3
fi
[ -z "$packages" ] || without "as root, run apt-get install$packages, and make again"

if ! mkdir -p "$cache" 2>/dev/null ||
	! scratch=$(mktemp -d "$cache/module.XXXXXX" 2>/dev/null); then
	without "cannot write to $cache: set KCUCKOO_CACHE"
fi
trap 'rm -rf "$scratch"' EXIT
kernel_btf
build_resolver
describe
